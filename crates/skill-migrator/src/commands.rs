//! Invocation commands: the content of their texts as entries of `METADATA.yml`.

use std::collections::BTreeMap;

use plugin_model::{Command as Declared, Place};
use plugin_prose::{CommandReading, CommandSource, Dispatch, InCode, read_command};
use serde_json::Value;
use skill_diagnostics::Diagnostic;
use skill_model::{Command, Dispatch as DispatchRecord};

use crate::{
    also_read, array_examples,
    code::Analysis,
    code_commands, data_choices, elsewhere,
    fate::{Fate, Ledger, METADATA},
    format_examples, json_types, listed_choices,
    model_names::ModelNames,
    numbered_calls,
    plugin::Plugin,
    program_facts, readme_calls, regex_examples,
    render::{Documents, Original},
    rust_arguments, siblings,
    untold::{self, Untold},
};

/// All commands of a plugin.
pub(crate) struct Commands<'a> {
    /// The entries for `METADATA.yml`.
    pub(crate) entries: Vec<Command>,
    /// The texts, unchanged.
    pub(crate) originals: Vec<Original<'a>>,
    /// Findings about doubtful parts.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Takes the need from arguments that the first example of a command lacks and another one has: they
/// belong to a form of its use.
fn relax(command: &mut Command) {
    let [first, others @ ..] = &command.examples[..] else {
        return;
    };
    let properties = command.input_schema["properties"].clone();
    let has = |example: &Value, name: &str| {
        let aliases = properties[name]["x-aliases"].as_array();
        let mut aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
        !example[name].is_null() || aliases.any(|alias| !example[alias].is_null())
    };
    let is_of_form = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        !has(first, name) && others.iter().any(|other| has(other, name))
    };
    if let Some(required) = command.input_schema["required"].as_array_mut() {
        required.retain(|name| !is_of_form(name));
    }
}

/// Reads all commands and records the fates of their leaves.
pub(crate) fn read<'a>(
    plugin: &'a Plugin<'a>,
    code: &Analysis<'_, '_>,
    ledger: &mut Ledger<'_>,
) -> Commands<'a> {
    let mut res = Commands {
        entries: Vec::new(),
        originals: Vec::new(),
        findings: Vec::new(),
    };
    let is_undeclared = |it: &Diagnostic| it.code.0 == "parameters-undeclared";
    // The commands whose texts describe no argument.
    let mut undeclared: BTreeMap<usize, Diagnostic> = BTreeMap::new();
    for (at, declared) in plugin.program.commands.iter().enumerate() {
        let reading = read_one(plugin, declared, code.facts);
        claim(declared, &reading, at, ledger);
        res.originals.push(Original {
            description: declared
                .description
                .as_ref()
                .map_or("", |field| field.value.as_str()),
            examples: declared
                .examples
                .iter()
                .map(|field| field.value.as_str())
                .collect(),
            is_undeclared: reading.findings.iter().any(is_undeclared),
            ..Original::default()
        });
        let at_place = |it: Diagnostic| it.at_pointer(&declared.place.pointer);
        let findings = reading.findings.into_iter().map(at_place);
        let (doubts, others): (Vec<_>, Vec<_>) = findings.partition(is_undeclared);
        res.findings.extend(others);
        undeclared.extend(doubts.into_iter().map(|finding| (at, finding)));
        let mut input_schema = reading.input_schema;
        if let Some(text) = &declared.description {
            listed_choices::apply(&text.value, &mut input_schema);
        }
        res.entries.push(Command {
            description: reading.summary,
            dispatch: reading.dispatch.map(record),
            batch: reading
                .numbered_batch
                .then(|| numbered_calls::NUMBERED.to_owned()),
            input_schema,
            examples: reading.examples.into_iter().map(Value::Object).collect(),
            ..Command::new(&declared.id)
        });
    }
    if let [only] = &mut res.entries[..] {
        fill(&mut only.input_schema, plugin);
    }
    let (found, finding) = code_commands::commands(plugin, code);
    res.findings.extend(finding);
    for command in found {
        res.originals.push(Original::default());
        res.entries.push(command);
    }
    untold::select(code, &mut res.entries);
    let open = undeclared.keys().copied().collect();
    for (at, found) in untold::apply(code, &mut res.entries, &open)
        .iter()
        .enumerate()
    {
        if *found != Untold::Open {
            res.originals[at].is_undeclared = false;
            res.originals[at].takes_nothing = *found == Untold::Nothing;
            undeclared.remove(&at);
        }
    }
    res.findings.extend(undeclared.into_values());
    readme_calls::apply(plugin, code, &mut res.entries);
    res.entries.iter_mut().for_each(relax);
    program_facts::apply(code, &mut res.entries);
    data_choices::apply(plugin, code, &mut res.entries);
    numbered_calls::apply(plugin, &mut res.entries);
    array_examples::apply(plugin, &mut res.entries);
    format_examples::apply(plugin, &mut res.entries);
    elsewhere::apply(&mut res.entries);
    rust_arguments::apply(plugin, &mut res.entries);
    json_types::apply(&mut res.entries);
    regex_examples::apply(&mut res.entries);
    ModelNames::new(plugin).apply(&mut res.entries);
    siblings::share_descriptions(&mut res.entries);
    let names = also_read::names(code, &res.entries);
    for entry in &mut res.entries {
        entry.also_read.clone_from(&names);
    }
    res
}

/// Gives the parameters of the only command the texts that the description of the plugin has of them:
/// `- cups (number): how many`.
fn fill(schema: &mut Value, plugin: &Plugin<'_>) {
    let description = plugin.package.identity.description.as_ref();
    let description = description.map_or("", |field| field.value.as_str());
    let text = description.replace("\\n", "\n");
    let properties = schema["properties"].as_object_mut();
    for (name, property) in properties.into_iter().flatten() {
        let mut lines = text.lines();
        let found = lines.find_map(|line| code_commands::item(line, name));
        if let Some(text) = found.filter(|_| property["description"].is_null()) {
            property["description"] = Value::from(text);
        }
    }
}

fn read_one(plugin: &Plugin<'_>, declared: &Declared, in_code: &dyn InCode) -> CommandReading {
    let other_ids: Vec<&str> = declared
        .other_ids
        .iter()
        .map(|field| field.value.as_str())
        .collect();
    let examples: Vec<&str> = declared
        .examples
        .iter()
        .map(|field| field.value.as_str())
        .collect();
    let structured = declared
        .structured
        .as_ref()
        .map(|parameters| parameters.node.to_value());
    read_command(&CommandSource {
        plugin: &plugin.package.identity.name.value,
        id: &declared.id,
        other_ids: &other_ids,
        n_commands: plugin.program.commands.len(),
        description: declared
            .description
            .as_ref()
            .map_or("", |field| field.value.as_str()),
        examples: &examples,
        structured: structured.as_ref(),
        in_code,
    })
}

fn record(dispatch: Dispatch) -> DispatchRecord {
    DispatchRecord {
        key: dispatch.key,
        value: dispatch.value,
        source: dispatch.source.word().to_owned(),
    }
}

/// The texts are in the body or in `references/commands.md`, unchanged or as Markdown. That is known once
/// both are rendered; [`name_texts`] replaces this placeholder.
const TEXTS: &str = "(the texts of the commands)";

/// Names the file that has the texts of the commands in the fates that refer to them.
pub(crate) fn name_texts(fates: &mut BTreeMap<Place, Fate>, documents: &Documents) {
    let file = match documents.commands {
        Some(_) => "references/commands.md",
        None => "SKILL.md",
    };
    for fate in fates.values_mut() {
        match fate {
            Fate::Carried { to } if to == TEXTS && !documents.is_whole => {
                *fate = Fate::Transformed {
                    to: file.to_owned(),
                    how: "as Markdown with its calls as JSON, and read for parameters",
                };
            }
            Fate::Carried { to } | Fate::Kept { to } | Fate::Transformed { to, .. }
                if to == TEXTS =>
            {
                file.clone_into(to);
            }
            _ => {}
        }
    }
}

fn claim(declared: &Declared, reading: &CommandReading, at: usize, ledger: &mut Ledger<'_>) {
    let to = format!("{METADATA}/commands/{at}");
    if let Some(id) = &declared.id_field {
        ledger.moved(&id.place, &format!("{to}/id"), id.exact, "as text");
    }
    for other in &declared.other_ids {
        if reading
            .dispatch
            .as_ref()
            .is_some_and(|dispatch| dispatch.value == other.value)
        {
            ledger.carried(&other.place, &format!("{to}/dispatch/value"));
        }
    }
    for text in declared.description.iter().chain(&declared.examples) {
        ledger.moved(
            &text.place,
            TEXTS,
            text.exact,
            "as text, and read for parameters",
        );
    }
    if let Some(parameters) = &declared.structured {
        let to = format!("{to}/input_schema");
        ledger.transformed(&parameters.place, &to, "as JSON Schema");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_need_of_another_form_goes() {
        let check = |examples: &[Value], expected: &Value| {
            let mut command = Command {
                input_schema: json!({
                    "properties": { "tea": { "x-aliases": ["leaf"] }, "cups": {} },
                    "required": ["tea", "cups"],
                }),
                examples: examples.to_vec(),
                ..Command::new("brew")
            };
            relax(&mut command);
            assert_eq!(&command.input_schema["required"], expected);
        };
        let both = json!(["tea", "cups"]);
        check(&[], &both);
        check(&[json!({"tea": 1})], &both);
        check(
            &[json!({"tea": 1}), json!({"tea": 1, "cups": 2})],
            &json!(["tea"]),
        );
        check(&[json!({"leaf": 1, "cups": 2}), json!({"tea": 1})], &both);
        check(&[json!({}), json!({})], &both);
    }
}
