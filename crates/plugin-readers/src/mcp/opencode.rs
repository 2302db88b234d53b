//! The table `mcp` of the settings of `OpenCode`, in the form of other hosts: a command is a list with its
//! arguments, and variables are in `environment`.

use std::sync::Arc;

use plugin_model::{Kind, Member, Node, Server};

use super::usual::{Usual, member};

/// Returns the servers of the settings.
pub(crate) fn servers(file: &Arc<str>, root: &Node) -> Vec<Server> {
    let members = root.get("mcp").map_or(&[][..], Node::members).iter();
    let servers = members.filter_map(|it| usual(&it.value).server(file, "/mcp", &it.key));
    servers.collect()
}

/// Returns an entry in the form of other hosts.
fn usual(entry: &Node) -> Usual {
    let mut members: Vec<Member> = Vec::new();
    for it in entry.members() {
        let mut value = it.value.clone();
        marks(&mut value);
        match (it.key.as_str(), value.kind) {
            ("command", Kind::Array(mut words)) if !words.is_empty() => {
                let args = words.split_off(1);
                members.extend(words.into_iter().map(|word| member("command", word)));
                let kind = Kind::Array(args);
                let span = value.span;
                members.push(member("args", Node { span, kind }));
            }
            ("environment", kind) => {
                let span = value.span;
                members.push(member("env", Node { span, kind }));
            }
            (key, kind) => {
                let span = value.span;
                members.push(member(key, Node { span, kind }));
            }
        }
    }
    let node = Node {
        span: entry.span.clone(),
        kind: Kind::Object(members),
    };
    let moved = [("/env", "/environment"), ("/args", "/command")];
    Usual {
        node,
        moved: moved
            .map(|(here, there)| (here.to_owned(), there.to_owned()))
            .to_vec(),
    }
}

/// Writes `{env:KEY}` as `${env:KEY}`, and `{file:PATH}` as `${file:PATH}`.
fn marks(node: &mut Node) {
    match &mut node.kind {
        Kind::String(text) => {
            for mark in ["{env:", "{file:"] {
                if text.contains(mark) {
                    let dollar = format!("${mark}");
                    *text = text
                        .replace(mark, &dollar)
                        .replace(&format!("${dollar}"), &dollar);
                }
            }
        }
        Kind::Array(items) => items.iter_mut().for_each(marks),
        Kind::Object(members) => members.iter_mut().for_each(|it| marks(&mut it.value)),
        _ => {}
    }
}
