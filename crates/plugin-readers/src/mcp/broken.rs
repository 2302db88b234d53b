//! Entries of lists without a server, and lists that cannot be read.

use plugin_model::{Kind, Member, Node, UnitKey, escape_pointer};
use skill_diagnostics::Diagnostic;

use super::keys::is_nameless;
use super::list::{HOMES, LISTS, SERVER, entries, is_server, wrapped_at};
use crate::codes::BROKEN_ENTRY;
use crate::directory::Directory;
use crate::reader::UnitHead;
use crate::unread::{self, Content};

/// The most keys that a finding names.
const MAX_NAMED: usize = 5;

/// An entry that is not a server.
#[derive(Debug)]
pub(super) struct Broken {
    name: String,
    pub(super) finding: Diagnostic,
}

/// Returns the entries of a list that have neither a command nor an address. Without a wrapper, other values
/// than objects are none of the list.
pub(super) fn entries_of(file: &str, root: &Node) -> Vec<Broken> {
    let Some((wrapper, is_wrapped)) = entries(root) else {
        return Vec::new();
    };
    let above = wrapped_at(wrapper);
    let list = root.get(wrapper).unwrap_or(root).members().iter();
    let list = list.filter(|it| is_wrapped || matches!(it.value.kind, Kind::Object(_)));
    let list = list.filter(|it| is_wrapped || it.value.get("args").is_some());
    list.filter_map(|it| entry(file, &above, it)).collect()
}

/// Returns the entries of the table of a host that have neither a command nor an address.
pub(super) fn entries_in(file: &str, above: &str, table: &Node) -> Vec<Broken> {
    let list = table.members().iter();
    list.filter_map(|it| entry(file, above, it)).collect()
}

/// Returns findings about members of servers that have another type than hosts read: what is understood
/// anyway, and what is not carried.
pub(super) fn odd_members(file: &str, above: &str, table: &Node) -> Vec<Diagnostic> {
    let servers = table.members().iter().filter(|it| is_server(&it.value));
    let all = servers.flat_map(|server| {
        let members = server.value.members().iter();
        members.filter_map(|member| odd_member(file, above, &server.key, member))
    });
    all.collect()
}

fn odd_member(file: &str, above: &str, server: &str, member: &Member) -> Option<Diagnostic> {
    let (key, value) = (member.key.as_str(), &member.value);
    let found = value.type_word();
    let message = match (key, &value.kind) {
        ("args", Kind::Array(_)) | ("env" | "headers", Kind::Object(_)) | (_, Kind::Null) => {
            return None;
        }
        ("args", Kind::String(_)) => format!(
            "`args` of the server `{server}` is a text, which is read as the words of a command line; expected a list of texts"
        ),
        ("env", Kind::Array(_)) => format!(
            "`env` of the server `{server}` is a list, of which `NAME=VALUE` is read; expected an object of texts"
        ),
        ("args", _) => format!(
            "`args` of the server `{server}` is not carried: found {found}, expected a list of texts"
        ),
        ("env" | "headers", _) => format!(
            "`{key}` of the server `{server}` is not carried: found {found}, expected an object of texts"
        ),
        ("command" | "url" | "httpUrl" | "serverUrl", kind) if !matches!(kind, Kind::String(_)) => {
            format!(
                "`{key}` of the server `{server}` is not carried: found {found}, expected a text"
            )
        }
        _ => return None,
    };
    let pointer = format!("{above}/{}/{}", escape_pointer(server), escape_pointer(key));
    let finding = Diagnostic::warning(BROKEN_ENTRY, message);
    Some(finding.in_file(file).at_pointer(&pointer))
}

/// Returns an entry that is not a server, or that has no name.
pub(super) fn entry(file: &str, above: &str, member: &Member) -> Option<Broken> {
    let (name, found) = (&member.key, found(&member.value));
    let message = if is_nameless(name) {
        format!("a server has no name: found `{name}` as its key, expected a name such as `notes`")
    } else if is_server(&member.value) {
        return None;
    } else {
        format!(
            "the entry `{name}` is not a server: found {found}, expected `command` (a program) or `url` (an address)"
        )
    };
    let pointer = format!("{above}/{}", escape_pointer(name));
    Some(Broken {
        name: name.clone(),
        finding: Diagnostic::error(BROKEN_ENTRY, message)
            .in_file(file)
            .at_pointer(&pointer),
    })
}

/// Returns what was found in place of a server.
fn found(node: &Node) -> String {
    let members = node.members();
    for key in ["command", "url"] {
        match node.get(key) {
            Some(value) if value.as_str().is_some() => return format!("an empty `{key}`"),
            Some(value) => return format!("`{key}` with {}", value.type_word()),
            None => {}
        }
    }
    if members.is_empty() {
        let is_object = matches!(node.kind, Kind::Object(_));
        let word = if is_object {
            "an empty object"
        } else {
            node.type_word()
        };
        return word.to_owned();
    }
    let keys = members.iter().take(MAX_NAMED);
    let keys: Vec<String> = keys.map(|it| format!("`{}`", it.key)).collect();
    format!("only {}", keys.join(", "))
}

/// Returns the heads of entries without a server, so that each is rejected by its name.
pub(super) fn heads(file: &str, root: &Node) -> Vec<UnitHead> {
    entries_of(file, root).into_iter().map(head).collect()
}

/// Returns the head of an entry without a server.
pub(super) fn head(broken: Broken) -> UnitHead {
    UnitHead {
        unit: UnitKey::new(SERVER, &broken.name),
        file: String::new(),
        name: broken.name,
        alternatives: Vec::new(),
        call: String::new(),
        aliases: Vec::new(),
        type_word: SERVER.to_owned(),
        likeness: String::new(),
        list: String::new(),
    }
}

/// Returns the findings about members of the servers of a list.
pub(super) fn odd_members_of(file: &str, root: &Node) -> Vec<Diagnostic> {
    let Some((wrapper, _)) = entries(root) else {
        return Vec::new();
    };
    odd_members(
        file,
        &wrapped_at(wrapper),
        root.get(wrapper).unwrap_or(root),
    )
}

/// Returns the findings about lists that are not JSON.
pub(super) fn remarks(directory: &dyn Directory) -> Vec<Diagnostic> {
    let is_home = HOMES.contains(&directory.name()) || directory.name() == ".cursor";
    let is_list = |name: &&str| {
        let start = directory.start(name).unwrap_or_default();
        let start = String::from_utf8_lossy(&start);
        *name == LISTS[0] || is_home || start.contains("\"mcpServers\"")
    };
    let lists = LISTS.into_iter().filter(|name| directory.has(name));
    let lists = lists.filter(is_list);
    lists
        .filter_map(|name| unread::finding(directory, name, Content::Servers))
        .collect()
}

#[cfg(test)]
mod tests {
    use plugin_model::parse_jsonc;

    use super::*;

    /// Compares what was found in place of each server, with its place.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let root = parse_jsonc(text).0.expect("JSON");
        let broken = entries_of(".mcp.json", &root);
        let found: Vec<(&str, &str)> = broken
            .iter()
            .map(|it| {
                let pointer = it.finding.place.pointer.as_deref().unwrap_or_default();
                let (_, message) = it.finding.message.split_once("found ").unwrap_or_default();
                (
                    pointer,
                    message.split_once(", expected").unwrap_or_default().0,
                )
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn servers_without_a_name_are_named_by_their_place() {
        check(
            r#"{"mcpServers": {"a": {"command": "x"}, "": {"command": "x"}, " / ": {"url": "http://a.example"}}}"#,
            &[
                ("/mcpServers/", "`` as its key"),
                ("/mcpServers/ ~1 ", "` / ` as its key"),
            ],
        );
    }

    #[test]
    fn entries_without_a_start_are_named() {
        check(
            r#"{"mcpServers": {"a": {"command": "x"}, "b": {"comand": "x"}, "c": {}, "d/e": {"command": 5}, "f": {"args": []}, "g": "text", "h": {"url": ""}}}"#,
            &[
                ("/mcpServers/b", "only `comand`"),
                ("/mcpServers/c", "an empty object"),
                ("/mcpServers/d~1e", "`command` with a number"),
                ("/mcpServers/f", "only `args`"),
                ("/mcpServers/g", "a string"),
                ("/mcpServers/h", "an empty `url`"),
            ],
        );
        check(
            r#"{"mcpServers": {"b": {"comand": "x"}}}"#,
            &[("/mcpServers/b", "only `comand`")],
        );
        check(
            r#"{"a": {"command": "x"}, "b": {"args": []}, "note": "text", "inputs": {}}"#,
            &[("/b", "only `args`")],
        );
        check(r#"{"mcpServers": {}}"#, &[]);
    }

    #[test]
    fn members_of_other_types_are_named() {
        let text = r#"{"mcpServers": {
            "a": {"command": "x", "args": "-y b 'c d'", "env": ["K=V"], "headers": 5},
            "b": {"command": "x", "args": {"a": 1}, "env": "K=V", "url": {"a": 1}},
            "c": {"command": "x", "args": ["a"], "env": {"K": "V"}}
        }}"#;
        let (root, _) = parse_jsonc(text);
        let found = odd_members_of("f", &root.expect("an object"));
        let pointers = found.iter().filter_map(|it| it.place.pointer.as_deref());
        assert_eq!(
            pointers.collect::<Vec<_>>(),
            [
                "/mcpServers/a/args",
                "/mcpServers/a/env",
                "/mcpServers/a/headers",
                "/mcpServers/b/args",
                "/mcpServers/b/env",
                "/mcpServers/b/url",
            ]
        );
    }
}
