//! The table `mcp` of the settings of `OpenCode`, in the form of other hosts: a command is a list with its
//! arguments, and variables are in `environment`.

use std::sync::Arc;

use plugin_model::{Kind, Member, Node, Server};

use super::broken::{self, Broken};
use super::usual::{Usual, member};

/// Returns the servers of the settings.
pub(crate) fn servers(file: &Arc<str>, root: &Node) -> Vec<Server> {
    let members = root.get("mcp").map_or(&[][..], Node::members).iter();
    let servers = members.filter_map(|it| usual(&it.value).server(file, "/mcp", &it.key));
    servers.collect()
}

/// Returns the entries that have neither a command nor an address. An entry can switch off a server of
/// other settings.
pub(super) fn broken(file: &str, root: &Node) -> Vec<Broken> {
    let members = root.get("mcp").map_or(&[][..], Node::members).iter();
    let is_switch = |it: &&Member| {
        let keys = it.value.members();
        !keys.is_empty() && keys.iter().all(|it| it.key == "enabled")
    };
    let entries = members.filter(|it| !is_switch(it)).map(|it| Member {
        key: it.key.clone(),
        value: usual(&it.value).node,
    });
    entries
        .filter_map(|it| broken::entry(file, "/mcp", &it))
        .collect()
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
