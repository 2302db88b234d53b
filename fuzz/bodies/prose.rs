//! Prose of a command: no panic, and the schema keeps its promises.

use plugin_prose::{CommandSource, NoCode, PluginSource, read_blurb, read_command};

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (description, example) = text.split_once('\0').unwrap_or((text, ""));
    let structured: Option<serde_json::Value> = serde_json::from_str(example).ok();
    let reading = read_command(&CommandSource {
        plugin: "Probe",
        id: "run",
        other_ids: &[],
        n_commands: 2,
        description,
        examples: &[example],
        structured: structured.as_ref(),
        in_code: &NoCode,
    });
    let schema = &reading.input_schema;
    assert_eq!(schema["type"], "object");
    let properties = schema["properties"]
        .as_object()
        .expect("properties are an object");
    for name in schema["required"].as_array().expect("required is a list") {
        let name = name.as_str().expect("a name");
        assert!(
            properties.contains_key(name),
            "{name} is required and not there"
        );
    }
    let blurb = read_blurb(&PluginSource {
        name: "Probe",
        display_name: Some(example),
        description,
        commands: &[("run", &reading.summary)],
        texts: &[description],
        placeholders: &[],
    });
    assert!(!blurb.when.is_empty() && !blurb.when.contains('\n'));
}
