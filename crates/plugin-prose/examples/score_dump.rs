//! Reads the manifests of a directory and writes what `score.py` reads:
//! `cargo run -p plugin-prose --example score_dump -- CORPUS OUT`.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a tool for measuring, no part of the product"
)]

use std::fs;
use std::path::Path;

use plugin_prose::{CommandSource, NoCode, PluginSource, read_blurb, read_command};
use serde_json::{Value, json};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    for dir in fs::read_dir(&args[1]).unwrap() {
        let dir = dir.unwrap().path();
        for name in ["plugin-manifest.json", "plugin-manifest.json.block"] {
            if let Ok(text) = fs::read_to_string(dir.join(name)) {
                let manifest: Value =
                    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
                write(
                    &manifest,
                    &Path::new(&args[2]).join(dir.file_name().unwrap()),
                );
            }
        }
    }
}

fn write(manifest: &Value, out: &Path) {
    let plugin = manifest["name"].as_str().unwrap();
    let empty = Vec::new();
    let commands = manifest["capabilities"]["invocationCommands"]
        .as_array()
        .unwrap_or(&empty);
    let read: Vec<Value> = commands
        .iter()
        .map(|command| command_of(plugin, command, commands.len()))
        .collect();
    fs::create_dir_all(out).unwrap();
    let named: Vec<(&str, &str)> = read
        .iter()
        .map(|command| {
            (
                command["id"].as_str().unwrap_or_default(),
                command["description"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    let blurb = read_blurb(&PluginSource {
        name: plugin,
        display_name: manifest["displayName"].as_str(),
        description: manifest["description"].as_str().unwrap_or_default(),
        commands: &named,
        placeholders: &[],
    });
    let meta = json!({ "legacy": { "name": plugin }, "commands": read, "keywords": blurb.keywords, "phrases": blurb.phrases, "intents": blurb.intents, "when": blurb.when });
    fs::write(
        out.join("METADATA.yml"),
        serde_json::to_string_pretty(&meta).unwrap(),
    )
    .unwrap();
    eprintln!("{plugin}: {} commands", read.len());
}

fn command_of(plugin: &str, command: &Value, n_commands: usize) -> Value {
    let ids: Vec<&str> = ["commandIdentifier", "command", "name"]
        .iter()
        .filter_map(|key| command[*key].as_str())
        .collect();
    let examples: Vec<&str> = command["example"].as_str().into_iter().collect();
    let reading = read_command(&CommandSource {
        plugin,
        id: ids.first().copied().unwrap_or(plugin),
        other_ids: ids.get(1..).unwrap_or_default(),
        n_commands,
        description: command["description"].as_str().unwrap_or_default(),
        examples: &examples,
        structured: command.get("parameters").or_else(|| command.get("args")),
        in_code: &NoCode,
    });
    let findings: Vec<String> = reading
        .findings
        .iter()
        .map(|finding| format!("{}: {}", finding.code, finding.message))
        .collect();
    let dispatch = reading.dispatch.map(
        |found| json!({ "key": found.key, "value": found.value, "source": found.source.word() }),
    );
    json!({ "id": ids.first(), "description": reading.summary, "dispatch": dispatch, "batch": reading.numbered_batch, "input_schema": reading.input_schema, "examples": reading.examples, "findings": findings })
}
