//! The servers in packages of other hosts: in the manifest, in a list beside it, and in the settings of the
//! directory of a host in a project.

use std::sync::Arc;

use plugin_model::{Document, Key, Kind, Node, Package, Role, Server, key};
use skill_diagnostics::Diagnostic;

use super::broken::{self, Broken};
use super::list::{self, LIST_KEYS};
use super::units::{head, unit};
use super::{codex, declared, dollars, entry, programs};
use crate::{reader::UnitHead, unread::root_of};

/// The files in which a package of another host has servers; empty for those that it does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerFiles<'f> {
    pub(crate) manifest: &'f str,
    pub(crate) list: &'f str,
    /// The settings of a project, and the table in it.
    pub(crate) settings: (&'f str, &'f str),
    /// True if the host expands `$VAR` as it does `${VAR}`.
    pub(crate) has_bare_variables: bool,
}

/// The table of servers in the settings of Codex.
const CODEX: &str = "mcp_servers";

/// The keys of settings that have servers and hooks. The other settings are not in the document.
const SETTINGS_KEYS: &[Key] = &[
    key("mcpServers", Role::Servers),
    key(CODEX, Role::Servers),
    key(
        "hooks",
        Role::Dropped("it is a hook, which has a skill of its own or is named in a finding"),
    ),
];

/// The servers of one file.
pub(super) struct Found {
    file: Arc<str>,
    pub(super) servers: Vec<Server>,
    broken: Vec<Broken>,
}

/// Returns the servers of a package: those of its manifest, of its list, and of its settings.
pub(super) fn found(
    root: &Node,
    files: ServerFiles<'_>,
    text: &dyn Fn(&str) -> Option<String>,
) -> Vec<Found> {
    let mut res = Vec::new();
    let mut list = files.list.to_owned();
    let table_of = |node: &Node| {
        if files.has_bare_variables {
            dollars::braced(node)
        } else {
            node.clone()
        }
    };
    if let Some(named) = root.get("mcpServers") {
        if let Some(path) = named.as_str() {
            path.trim_start_matches("./").clone_into(&mut list);
        }
        let file: Arc<str> = files.manifest.into();
        let entries = table_of(named);
        let servers = entries.members().iter();
        let servers =
            servers.filter_map(|it| entry::server(&file, "/mcpServers", &it.key, &it.value));
        res.push(Found {
            servers: servers.collect(),
            broken: broken::entries_in(&file, "/mcpServers", named),
            file,
        });
    }
    let read = |path: &str| root_of(path, &text(path).filter(|_| !path.is_empty())?);
    if let Some(root) = read(&list) {
        let file: Arc<str> = list.as_str().into();
        res.push(Found {
            servers: list::servers(&file, &root),
            broken: broken::entries_of(&file, &root),
            file,
        });
    }
    let (path, table) = files.settings;
    if let Some(list) = read(path).as_ref().and_then(|root| root.get(table)) {
        let file: Arc<str> = path.into();
        let above = format!("/{table}");
        let entries = table_of(list);
        let servers = entries.members().iter().filter_map(|it| match table {
            CODEX => codex::server(&file, &above, &it.key, &it.value),
            _ => entry::server(&file, &above, &it.key, &it.value),
        });
        res.push(Found {
            servers: servers.collect(),
            broken: broken::entries_in(&file, &above, list),
            file,
        });
    }
    res.retain(|it| !it.servers.is_empty() || !it.broken.is_empty());
    res
}

/// Returns the heads of the servers of a package of another host.
pub(crate) fn heads_of_host(
    root: &Node,
    files: ServerFiles<'_>,
    package: &str,
    text: &dyn Fn(&str) -> Option<String>,
) -> Vec<UnitHead> {
    let found = found(root, files, text).into_iter();
    let heads = found.flat_map(|it| {
        let servers = it.servers.iter().map(|server| head(server, package));
        let broken = it.broken.into_iter().map(broken::head);
        servers.chain(broken).collect::<Vec<_>>()
    });
    heads.collect()
}

/// Adds the servers to a package of another host. Returns findings about entries that are not servers.
pub(crate) fn add_to_package(
    package: &mut Package<'_>,
    root: &Node,
    files: ServerFiles<'_>,
) -> Vec<Diagnostic> {
    let texts = package.sources.texts;
    let text = |path: &str| texts.get(path).cloned();
    let mut findings = Vec::new();
    for mut found in found(root, files, &text) {
        findings.extend(found.broken.into_iter().map(|it| it.finding));
        for server in &mut found.servers {
            if let Some(manifest) = package.document(package.sources.manifest_file) {
                declared::complete(server, manifest);
            }
            programs::complete(server, package.sources.files, &text);
        }
        let is_known = package.document(&found.file).is_some();
        if let Some(text) = texts.get(&*found.file).filter(|_| !is_known)
            && let Some(root) = root_of(&found.file, text)
            && !found.servers.is_empty()
        {
            let is_settings = *found.file == *files.settings.0;
            package.documents.push(Document {
                file: Arc::clone(&found.file),
                text,
                root: if is_settings { parts_of(root) } else { root },
                keys: if is_settings {
                    SETTINGS_KEYS
                } else {
                    LIST_KEYS
                },
            });
        }
        package.units.extend(found.servers.into_iter().map(unit));
    }
    findings
}

/// Returns settings without what is not a part of a plugin.
fn parts_of(mut root: Node) -> Node {
    if let Kind::Object(members) = &mut root.kind {
        members.retain(|it| SETTINGS_KEYS.iter().any(|key| key.name == it.key));
    }
    root
}

/// Returns whether a package of another host has servers.
pub(crate) fn has_servers(
    root: &Node,
    files: ServerFiles<'_>,
    text: &dyn Fn(&str) -> Option<String>,
) -> bool {
    let found = found(root, files, text);
    found.iter().any(|it| !it.servers.is_empty())
}
