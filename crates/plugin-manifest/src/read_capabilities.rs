//! Reads `capabilities`: the commands and the placeholders of a plugin.

use std::collections::BTreeSet;

use plugin_model::{Command, Field, Kind, Located, Node, Placeholder, escape_pointer};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::{DUPLICATE_COMMAND, UNEXPECTED_TYPE},
    reader::Reader,
};

/// The contents of `capabilities`.
pub(crate) struct Capabilities {
    pub(crate) commands: Vec<Command>,
    pub(crate) placeholders: Vec<Placeholder>,
}

/// Reads `capabilities`.
pub(crate) fn read(reader: &mut Reader<'_>, root: &Node) -> Capabilities {
    let commands = commands(reader, root);
    report_duplicates(reader, root, &commands);
    Capabilities {
        commands,
        placeholders: placeholders(reader, root),
    }
}

/// The pointers to lists of commands; the first list that exists counts. VCPToolBox knows only the
/// first, and other collections use the rest.
const COMMAND_LISTS: [&str; 4] = [
    "/capabilities/invocationCommands",
    "/capabilities/commands",
    "/capabilities/tools",
    "/commands",
];

fn commands(reader: &mut Reader<'_>, root: &Node) -> Vec<Command> {
    let mut lists = COMMAND_LISTS
        .iter()
        .filter_map(|at| Some((*at, root.at(at)?)));
    let Some((at, node)) = lists.find(|(_, node)| !matches!(node.kind, Kind::Null)) else {
        return Vec::new();
    };
    match &node.kind {
        Kind::Array(items) => {
            let items = items.iter().enumerate();
            items
                .filter_map(|(n, item)| command(reader, item, &format!("{at}/{n}"), None))
                .collect()
        }
        Kind::Object(members) => {
            let members = members.iter().filter_map(|member| {
                let pointer = format!("{at}/{}", escape_pointer(&member.key));
                command(reader, &member.value, &pointer, Some(&member.key))
            });
            members.collect()
        }
        _ => {
            let message = format!("the commands are {}, expected a list", node.type_word());
            reader.report(Diagnostic::warning(UNEXPECTED_TYPE, message), node, at);
            Vec::new()
        }
    }
}

fn command(reader: &mut Reader<'_>, node: &Node, at: &str, key: Option<&str>) -> Option<Command> {
    match &node.kind {
        Kind::Object(_) => Some(command_object(reader, node, at, key)),
        Kind::String(id) => Some(Command {
            id: key.unwrap_or(id).to_owned(),
            place: reader.place(at),
            id_field: key.is_none().then(|| reader.exact(id.clone(), at)),
            other_ids: Vec::new(),
            description: key.is_some().then(|| reader.exact(id.clone(), at)),
            examples: Vec::new(),
            structured: None,
        }),
        _ => {
            let message = format!("a command is {}, expected an object", node.type_word());
            let finding =
                Diagnostic::warning(UNEXPECTED_TYPE, message).with_help("it is kept as it is");
            reader.report(finding, node, at);
            None
        }
    }
}

fn command_object(reader: &mut Reader<'_>, node: &Node, at: &str, key: Option<&str>) -> Command {
    let mut ids: Vec<Field<String>> = ["commandIdentifier", "command", "name", "id"]
        .iter()
        .filter_map(|word| reader.text(node, at, word))
        .filter(|id| !id.value.trim().is_empty())
        .collect();
    let (id, id_field) = match key {
        Some(key) => (key.to_owned(), None),
        None if ids.is_empty() => (
            format!("command-{}", at.rsplit('/').next().unwrap_or_default()),
            None,
        ),
        None => {
            let first = ids.remove(0);
            (first.value.clone(), Some(first))
        }
    };
    Command {
        id,
        place: reader.place(at),
        id_field,
        other_ids: ids,
        description: reader.text(node, at, "description"),
        examples: examples(reader, node, at),
        structured: structured(reader, node, at),
    }
}

/// Returns the values of `example` and `examples`; a value that is not a string becomes JSON text.
fn examples(reader: &Reader<'_>, node: &Node, at: &str) -> Vec<Field<String>> {
    let mut acc = Vec::new();
    for key in ["example", "examples"] {
        let Some(found) = node.get(key) else { continue };
        let pointer = format!("{at}/{key}");
        match &found.kind {
            Kind::Null => {}
            Kind::Array(items) => {
                let items = items.iter().enumerate();
                acc.extend(items.map(|(n, item)| example(reader, item, format!("{pointer}/{n}"))));
            }
            _ => acc.push(example(reader, found, pointer)),
        }
    }
    acc
}

fn example(reader: &Reader<'_>, node: &Node, pointer: String) -> Field<String> {
    match node.as_str() {
        Some(text) => reader.exact(text.to_owned(), pointer),
        None => reader.converted(node.to_value().to_string(), pointer),
    }
}

/// The keys with which a command declares its parameters in a structure.
const PARAMETER_KEYS: [&str; 6] = [
    "parameters",
    "args",
    "arguments",
    "inputSchema",
    "input_schema",
    "params",
];

fn structured(reader: &Reader<'_>, node: &Node, at: &str) -> Option<Located> {
    PARAMETER_KEYS.iter().find_map(|key| {
        let found = node.get(key)?;
        let has_content = !found.items().is_empty() || !found.members().is_empty();
        has_content.then(|| reader.located(format!("{at}/{key}"), found))
    })
}

fn report_duplicates(reader: &mut Reader<'_>, root: &Node, commands: &[Command]) {
    let mut seen = BTreeSet::new();
    // All commands are in one list, which is looked up once.
    let place = |command: &Command| Some(command.place.pointer.rsplit_once('/')?.0.to_owned());
    let list = commands.first().and_then(place);
    let items = list
        .and_then(|at| root.at(&at))
        .map_or(&[][..], Node::items);
    for command in commands {
        if !seen.insert(&command.id) {
            let message = format!("two commands are called `{}`", command.id);
            let at = command.place.pointer.rsplit('/').next().unwrap_or_default();
            let item = at.parse::<usize>().ok().and_then(|at| items.get(at));
            let node = item.unwrap_or(root);
            reader.report(
                Diagnostic::warning(DUPLICATE_COMMAND, message),
                node,
                &command.place.pointer,
            );
        }
    }
}

fn placeholders(reader: &mut Reader<'_>, root: &Node) -> Vec<Placeholder> {
    let at = "/capabilities/systemPromptPlaceholders";
    let items = root.at(at).map_or(&[][..], Node::items).iter().enumerate();
    let found = items.filter_map(|(n, item)| {
        let pointer = format!("{at}/{n}");
        let (written, description) = if let Kind::String(name) = &item.kind {
            (reader.exact(name.clone(), pointer), None)
        } else {
            let name = ["placeholder", "name", "key"]
                .iter()
                .find_map(|key| reader.text(item, &pointer, key))?;
            (name, reader.text(item, &pointer, "description"))
        };
        let bare = written
            .value
            .trim()
            .trim_start_matches('{')
            .trim_end_matches('}')
            .trim();
        let exact = written.exact && bare == written.value;
        let key = Field {
            value: bare.to_owned(),
            place: written.place,
            exact,
        };
        Some(Placeholder { key, description })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read_all(json: &str) -> (Vec<Command>, Vec<Placeholder>, Vec<&'static str>) {
        let head =
            r#""name":"n","pluginType":"static","entryPoint":{},"version":"1","description":"d""#;
        let (manifest, findings) = crate::read(&format!("{{{head},{json}}}"));
        let manifest = manifest.expect("accepted");
        let codes = findings.iter().map(|finding| finding.code.0).collect();
        (
            manifest.program.commands,
            manifest.program.placeholders,
            codes,
        )
    }

    #[track_caller]
    fn check(json: &str, ids: &[&str], codes: &[&str]) {
        let (commands, _, found) = read_all(json);
        assert_eq!(
            commands
                .iter()
                .map(|command| command.id.as_str())
                .collect::<Vec<_>>(),
            ids
        );
        assert_eq!(found, codes);
    }

    #[test]
    fn finds_commands_in_every_shape() {
        check(r#""capabilities":{"invocationCommands":null}"#, &[], &[]);
        check(r#""capabilities":{"invocationCommands":[]}"#, &[], &[]);
        check(
            r#""capabilities":{"invocationCommands":[{"commandIdentifier":"A","command":"a"},{"command":"b"}]}"#,
            &["A", "b"],
            &[],
        );
        check(
            r#""capabilities":{"invocationCommands":{"x":{"description":"d"},"y":"does y"}}"#,
            &["x", "y"],
            &[],
        );
        check(
            r#""capabilities":{"invocationCommands":"x"}"#,
            &[],
            &["unexpected-type"],
        );
        check(
            r#""capabilities":{"invocationCommands":[3,{}]}"#,
            &["command-1"],
            &["unexpected-type"],
        );
        check(r#""commands":["x","y"]"#, &["x", "y"], &[]);
        check(
            r#""capabilities":{"invocationCommands":[{"command":"b"},{"command":"b"}]}"#,
            &["b", "b"],
            &["duplicate-command"],
        );
    }

    #[test]
    fn keeps_other_identifiers_examples_and_structures() {
        let (commands, _, _) = read_all(
            r#""capabilities":{"invocationCommands":[{"commandIdentifier":"A","command":"a","example":{"q":1},"examples":["x"],"parameters":[],"args":[{"name":"q"}]}]}"#,
        );
        let command = &commands[0];
        assert_eq!(
            command.other_ids[0].place.pointer,
            "/capabilities/invocationCommands/0/command"
        );
        assert_eq!(
            command
                .examples
                .iter()
                .map(|e| e.value.as_str())
                .collect::<Vec<_>>(),
            [r#"{"q":1}"#, "x"]
        );
        assert_eq!(
            command
                .structured
                .as_ref()
                .map(|it| it.place.pointer.as_str()),
            Some("/capabilities/invocationCommands/0/args")
        );
    }

    #[test]
    fn strips_the_braces_of_placeholders() {
        let (_, placeholders, _) = read_all(
            r#""capabilities":{"systemPromptPlaceholders":[{"placeholder":"{{A}}","description":"d"},"B",{"x":1}]}"#,
        );
        let found: Vec<_> = placeholders
            .iter()
            .map(|p| (p.key.value.as_str(), p.key.exact))
            .collect();
        assert_eq!(found, [("A", false), ("B", true)]);
    }
}
