//! Entries of hosts with keys of their own, in the form of other hosts.

use std::sync::Arc;

use plugin_model::{Kind, Member, Node, Server};

use super::entry;

/// An entry in the form of other hosts.
#[derive(Debug)]
pub(super) struct Usual {
    pub(super) node: Node,
    /// The places in it that are others in the document, both relative to the entry.
    pub(super) moved: Vec<(String, String)>,
}

impl Usual {
    /// Reads the server, with the places of the document.
    pub(super) fn server(&self, file: &Arc<str>, above: &str, name: &str) -> Option<Server> {
        let mut server = entry::server(file, above, name, &self.node)?;
        for setting in &mut server.settings {
            let pointer = &mut setting.place.pointer;
            let Some(own) = pointer.strip_prefix(&server.pointer) else {
                continue;
            };
            let moved = self.moved.iter().find_map(|(here, there)| {
                let rest = own.strip_prefix(here.as_str())?;
                let is_part = rest.is_empty() || rest.starts_with('/');
                is_part.then(|| format!("{}{there}{rest}", server.pointer))
            });
            if let Some(moved) = moved {
                *pointer = moved;
            }
        }
        Some(server)
    }
}

/// Creates a member of an object.
pub(super) fn member(key: &str, value: Node) -> Member {
    Member {
        key: key.to_owned(),
        value,
    }
}

/// Creates a text at the place of another value.
pub(super) fn text(value: String, at: &Node) -> Node {
    Node {
        span: at.span.clone(),
        kind: Kind::String(value),
    }
}
