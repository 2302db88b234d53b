//! Findings about what a host has in a directory and no package of it reports: files that cannot be read,
//! settings, and instructions for every conversation.

use plugin_manifest::decode;
use plugin_model::{Node, parse_jsonc};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::PARTS_LEFT,
    directory::Directory,
    files::inside,
    host::Host,
    host_files::{instructions_left, settings_left},
    opencode_config,
    unread::{self, Content},
};

/// Returns the findings about a directory. `is_package` is true if it has a manifest of the host.
pub(crate) fn of(host: &Host, directory: &dyn Directory, is_package: bool) -> Vec<Diagnostic> {
    let is_home = host.homes.contains(&directory.name());
    let mut acc = Vec::new();
    if is_home || is_package {
        let files = expected(host, directory, is_package);
        let flaws = files.into_iter();
        acc.extend(flaws.filter_map(|(file, what)| unread::finding(directory, &file, what)));
    }
    let is_read = is_home && host.claim(directory).is_some();
    if is_home && !is_package {
        acc.extend(settings(host, directory, is_read));
        if !is_read {
            acc.extend(host.hooks_left(directory));
        }
    }
    acc.extend(unread_home(host, directory).filter(|_| !is_package));
    let instructions = host.files.instructions.iter();
    let instructions = instructions.filter(|file| directory.has(file));
    // What a package has of them is a reference of its skills, or is named by it.
    let is_said = |file: &str| match file {
        "copilot-instructions.md" => is_read,
        file => file == host.context && (is_package || is_read),
    };
    acc.extend(
        instructions
            .filter(|file| !is_said(file))
            .map(|file| instructions_left(file)),
    );
    acc
}

/// The directory of a host in a project that is mostly of others.
const SHARED_HOME: &str = ".github";

/// Returns the finding about the directory of a host in a project of which nothing becomes a skill: what it
/// has besides settings and instructions, which have findings of their own.
pub(crate) fn unread_home(host: &Host, directory: &dyn Directory) -> Option<Diagnostic> {
    if !host.homes.contains(&directory.name()) || host.claim(directory).is_some() {
        return None;
    }
    let files = host.files;
    // The settings of a host can be a package of their own.
    let settings = (opencode_config::READER.claims)(directory);
    let is_settings = |path: &str| {
        let mut files = settings.iter().flat_map(|it| it.files.iter().flatten());
        settings.as_ref().is_some_and(|it| it.manifest_file == path)
            || files.any(|file| file == path)
    };
    let said = [host.hooks.file, host.hooks.home_file, host.servers];
    let is_said = |path: &str| {
        let is_of_host = directory.name() != SHARED_HOME || path.starts_with("hooks/");
        said.contains(&path)
            || files.settings.contains(&path)
            || files.instructions.contains(&path)
            || files.servers.0 == path
            || !is_of_host
            || is_settings(path)
    };
    let mut places: Vec<String> = Vec::new();
    // Links to directories have findings of their own.
    let is_link = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        !name.contains('.') && directory.read(path).is_none()
    };
    let files = directory.files("");
    for path in files.iter().filter(|path| !is_said(path) && !is_link(path)) {
        let place = path.split_once('/').map(|(first, _)| format!("`{first}/`"));
        let place = place.unwrap_or_else(|| format!("`{path}`"));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let message = format!(
        "the directory of the host has no part that can become a skill, only {}",
        places.join(", ")
    );
    let first = places.first().map_or("", |place| place.trim_matches('`'));
    let finding = Diagnostic::warning(PARTS_LEFT, message).in_file(first.trim_end_matches('/'));
    (!places.is_empty()).then(|| finding.with_help("set up in your agent what you need of it"))
}

/// Returns the files with hooks, servers and settings of a package, or of the directory of a host in a
/// project.
fn expected(host: &Host, directory: &dyn Directory, is_package: bool) -> Vec<(String, Content)> {
    let mut acc: Vec<(String, Content)> = Vec::new();
    let mut add = |file: &str, content| {
        if !file.is_empty() && acc.iter().all(|(known, _)| known != file) {
            acc.push((file.to_owned(), content));
        }
    };
    if !is_package {
        for file in host.files.settings {
            add(file, Content::Settings);
        }
        add(host.hooks.home_file, Content::Hooks);
    }
    add(host.hooks.file, Content::Hooks);
    add(host.servers, Content::Servers);
    let manifest = directory.read(host.manifest).filter(|_| is_package);
    let manifest = manifest.and_then(|bytes| parse_jsonc(decode(&bytes).0?).0);
    for (key, content) in [("hooks", Content::Hooks), ("mcpServers", Content::Servers)] {
        let named = manifest.as_ref().and_then(|root| root.get(key));
        let items = named.map_or(&[][..], Node::items).iter();
        let paths = named.into_iter().chain(items).filter_map(Node::as_str);
        for path in paths.filter_map(inside) {
            add(&path, content);
        }
    }
    acc
}

/// Returns the findings about the settings of the directory of a host in a project.
fn settings(host: &Host, directory: &dyn Directory, is_read: bool) -> Vec<Diagnostic> {
    let read: &[&str] = if is_read {
        &["hooks", "mcpServers", "mcp_servers"]
    } else {
        &[]
    };
    let found = host.files.settings.iter().filter_map(|file| {
        let bytes = directory.read(file)?;
        let root = unread::root_of(file, decode(&bytes).0?)?;
        settings_left(file, &root, read)
    });
    found.collect()
}
