use serde_json::json;
use skill_model::Annotations;

use super::*;

const METADATA_TEXT: &str = "schema: 1\nname: files\nversion: '1'\ntype: distributed\ntransport: mcp\nlater: 5\nentry:\n  runtime: native\n  mcp: {command: x, tools: {old: 'sha256:0'}}\n  dir: .\ncommands:\n- {id: read, approval: required, examples: [{path: a}]}\n- {id: old}\n";

fn tools(list: &Value) -> Introspection {
    Introspection::from_list(list)
}

#[track_caller]
fn check(list: &Value, text: &str, expected: &[&str]) -> (Metadata, String) {
    let (metadata, skill) = updated(METADATA_TEXT, text, &tools(list)).unwrap();
    for part in expected {
        assert!(skill.contains(part), "{skill}");
    }
    let reading = read_metadata_full(&metadata).unwrap();
    assert_eq!(
        reading.unknown,
        BTreeMap::from([("/later".to_owned(), json!(5))]),
        "{metadata}"
    );
    (reading.metadata, skill)
}

#[test]
fn tools_become_commands_and_a_section() {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}, "n": {"type": "integer"}}, "required": ["path"]});
    let list = json!({"tools": [
        {"name": "read", "description": "Reads\na `file`.", "inputSchema": schema},
        {"name": "wipe", "title": "Wipe", "description": "<b>Wipes</b> \u{202e}all.", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": true, "openWorldHint": false}, "outputSchema": {"type": "object", "title": "N"}},
    ]});
    let expected = [
        "# Files\n\n<!-- tools -->\n## Tools\n",
        "skills-run . --command read --input '{\"path\":\"…\"}'",
        "- `read` !: Reads a `file`. (`path`, `n`?)",
        "- `wipe` !: \\<b>Wipes",
        "<!-- end of tools -->\n",
    ];
    let text = "---\nname: files\ndescription: Files.\n---\n\n# Files\n";
    let (record, skill) = check(&list, text, &expected);
    let ids: Vec<_> = record
        .commands
        .iter()
        .map(|it| (it.id.as_str(), it.needs_approval(), it.examples.len()))
        .collect();
    assert_eq!(ids, [("read", true, 1), ("wipe", true, 0)]);
    assert!(!skill.contains('\u{202e}'));
    let wipe = &record.commands[1];
    let hints = Annotations {
        title: Some("Wipe".to_owned()),
        destructive: Some(true),
        open_world: Some(false),
        ..Annotations::default()
    };
    assert_eq!(wipe.annotations, Some(hints));
    assert_eq!(
        wipe.output_schema,
        Some(json!({"type": "object", "title": "N"}))
    );
    assert_eq!(record.commands[0].annotations, None);
    // Again: the section is replaced, and text after it stays.
    let (_, again) = check(
        &json!({"tools": []}),
        &format!("{skill}\nMine.\n"),
        &["The tools are not known yet", "\nMine.\n"],
    );
    assert!(!again.contains("wipe"), "{again}");
}

#[test]
fn tools_that_could_not_be_read_again_are_refused() {
    let description = "x".repeat(4_000);
    let list: Vec<_> = (0..1_100)
        .map(|n| json!({"name": format!("tool{n}"), "description": description, "inputSchema": {}}))
        .collect();
    let error = updated(METADATA_TEXT, "# T\n", &tools(&json!({"tools": list}))).unwrap_err();
    assert!(
        error.starts_with("the tools of the MCP server do not fit into METADATA.yml"),
        "{error}"
    );
}

#[test]
fn a_thousand_tools_fit() {
    let list: Vec<_> = (0..1000).map(|n| json!({"name": format!("tool_number_{n}"), "description": "Does something. ".repeat(20), "inputSchema": {}})).collect();
    let (record, skill) = check(
        &json!({"tools": list}),
        "# T\n",
        &["more: `skills-describe files` lists them"],
    );
    assert_eq!(record.commands.len(), 1000);
    assert!(skill.len() < 20_000, "{}", skill.len());
}
