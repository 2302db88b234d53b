//! The table `mcp` of the settings of `OpenCode`, in the form of other hosts: a command is a list with its
//! arguments, and variables are in `environment`.

use std::sync::Arc;

use plugin_model::{Kind, Member, Node, Server};

use super::entry;

/// Returns the servers of the settings.
pub(crate) fn servers(file: &Arc<str>, root: &Node) -> Vec<Server> {
    let members = root.get("mcp").map_or(&[][..], Node::members).iter();
    let servers = members.filter_map(|member| {
        let mut server = entry::server(file, "/mcp", &member.key, &usual(&member.value))?;
        let place = |key: &str| format!("{}/{key}/", server.pointer);
        let (here, there) = (place("env"), place("environment"));
        for setting in &mut server.settings {
            if let Some(name) = setting.place.pointer.strip_prefix(&here) {
                setting.place.pointer = format!("{there}{name}");
            }
        }
        Some(server)
    });
    servers.collect()
}

/// Returns an entry in the form of other hosts.
fn usual(entry: &Node) -> Node {
    let mut members: Vec<Member> = Vec::new();
    for member in entry.members() {
        let mut value = member.value.clone();
        env_marks(&mut value);
        match (member.key.as_str(), value.kind) {
            ("command", Kind::Array(mut words)) if !words.is_empty() => {
                let args = words.split_off(1);
                members.extend(words.into_iter().map(|word| new("command", word)));
                let kind = Kind::Array(args);
                let span = value.span;
                members.push(new("args", Node { span, kind }));
            }
            ("environment", kind) => {
                let span = value.span;
                members.push(new("env", Node { span, kind }));
            }
            (key, kind) => {
                let span = value.span;
                members.push(new(key, Node { span, kind }));
            }
        }
    }
    Node {
        span: entry.span.clone(),
        kind: Kind::Object(members),
    }
}

fn new(key: &str, value: Node) -> Member {
    Member {
        key: key.to_owned(),
        value,
    }
}

/// Writes `{env:KEY}` as `${env:KEY}`.
fn env_marks(node: &mut Node) {
    match &mut node.kind {
        Kind::String(text) => *text = text.replace("{env:", "${env:").replace("$${env:", "${env:"),
        Kind::Array(items) => items.iter_mut().for_each(env_marks),
        Kind::Object(members) => members.iter_mut().for_each(|it| env_marks(&mut it.value)),
        _ => {}
    }
}
