//! Reads every command of the corpus next to the repository, if there is one. Reading must not
//! panic, and the results must keep the promises that the property tests state for any text.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may look at files and fail"
)]

use std::fs;

use plugin_prose::{CommandSource, NoCode, read_command};
use serde_json::Value;

#[test]
fn every_command_of_the_corpus_can_be_read() {
    let Some(corpus) = skill_testing::find::shared("corpus/vcp") else {
        return;
    };
    let mut n_commands = 0;
    for plugin in fs::read_dir(corpus).unwrap() {
        for name in ["plugin-manifest.json", "plugin-manifest.json.block"] {
            if let Ok(text) = fs::read_to_string(plugin.as_ref().unwrap().path().join(name)) {
                n_commands += read_manifest(&serde_json::from_str(&text).unwrap());
            }
        }
    }
    assert!(n_commands > 0);
}

fn read_manifest(manifest: &Value) -> usize {
    let commands = &manifest["capabilities"]["invocationCommands"];
    let commands = commands.as_array().map_or(&[][..], Vec::as_slice);
    for command in commands {
        let text = |key: &str| command[key].as_str().unwrap_or_default();
        let reading = read_command(&CommandSource {
            plugin: manifest["name"].as_str().unwrap(),
            id: text("commandIdentifier"),
            other_ids: &[text("command")],
            n_commands: commands.len(),
            description: text("description"),
            examples: &[text("example")],
            structured: command.get("parameters"),
            in_code: &NoCode,
        });
        let properties = reading.input_schema["properties"].as_object().unwrap();
        for name in reading.input_schema["required"].as_array().unwrap() {
            assert!(
                properties.contains_key(name.as_str().unwrap()),
                "{name} is required but unknown"
            );
        }
    }
    commands.len()
}
