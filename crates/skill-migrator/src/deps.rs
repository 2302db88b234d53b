//! Requirements: npm and Python packages, programs, systems, the network.
//!
//! Sources, best first: `package.json` and `requirements.txt` of the plugin, `dependencies` of the
//! manifest (prose and lists of any shape), the imports of the code.

use std::collections::BTreeSet;

use plugin_model::{Kind, Node};
use skill_model::{Requires, Runtime, SkillName};

use crate::{
    code::{CodeFacts, pip_name},
    entry::EntryReading,
    fate::{Ledger, METADATA},
    plugin::Plugin,
};

/// Reads all requirements of a plugin.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    entry: &EntryReading,
    code: &CodeFacts,
    ledger: &mut Ledger<'_>,
) -> Requires {
    let runtime = entry.entry.as_ref().map(|entry| entry.runtime);
    let mut npm: BTreeSet<String> = package_json(plugin);
    let mut pip: BTreeSet<String> = requirements(plugin);
    match runtime {
        Some(Runtime::Node) => npm.extend(code.packages.iter().cloned()),
        Some(Runtime::Python) if pip.is_empty() => {
            pip.extend(
                code.packages
                    .iter()
                    .map(|module| pip_name(module).to_owned()),
            );
        }
        _ => {}
    }
    let mut bin: BTreeSet<String> = entry.bin.iter().cloned().collect();
    from_manifest(plugin, [&mut npm, &mut pip, &mut bin], ledger);
    Requires {
        npm: npm.into_iter().collect(),
        pip: pip.into_iter().collect(),
        bin: bin.into_iter().collect(),
        os: entry.os.clone(),
        skills: skills(plugin, entry, code),
        network: code.network || runtime == Some(Runtime::Native) && entry.file.is_some(),
    }
}

/// Returns the skills of the plugins whose files the code or the entry uses. For a plugin that is
/// not in the same collection, the name of its directory is used if a module of it is loaded.
fn skills(plugin: &Plugin<'_>, entry: &EntryReading, code: &CodeFacts) -> Vec<String> {
    let modules = code.outside.iter().chain(&entry.neighbour);
    let loaded = modules.filter_map(|module| module.strip_prefix("Plugin/")?.split_once('/'));
    let loaded = loaded.map(|(directory, _)| directory);
    let named = loaded
        .clone()
        .chain(code.neighbours.iter().map(String::as_str));
    let others = named.filter(|directory| *directory != plugin.directory_name());
    let beside = others.filter_map(|directory| plugin.neighbours.get(directory));
    let unknown = loaded.filter(|directory| !plugin.neighbours.contains_key(*directory));
    let all: BTreeSet<&str> = beside.map(SkillName::as_str).chain(unknown).collect();
    all.into_iter().map(str::to_owned).collect()
}

fn package_json(plugin: &Plugin<'_>) -> BTreeSet<String> {
    let text = plugin.texts.get("package.json").map_or("", String::as_str);
    let (node, _) = plugin_model::parse_json(text);
    let dependencies = node.as_ref().and_then(|node| node.get("dependencies"));
    let members = dependencies.map_or(&[][..], Node::members).iter();
    members.map(|member| member.key.clone()).collect()
}

/// Returns the packages of `requirements.txt`, without versions, options and comments.
fn requirements(plugin: &Plugin<'_>) -> BTreeSet<String> {
    let text = plugin
        .texts
        .get("requirements.txt")
        .map_or("", String::as_str);
    let lines = text.trim_start_matches('\u{FEFF}').lines();
    let names = lines.map(|line| {
        let line = line.split('#').next().unwrap_or_default().trim();
        package_name(line)
    });
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the name at the start of `name[extra]>=1.0; marker`; empty for options and URLs.
fn package_name(requirement: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '/');
    let end = requirement
        .find(|c| !is_name(c))
        .unwrap_or(requirement.len());
    let name = requirement[..end].trim_end_matches('@');
    if name.starts_with('-') || requirement[end..].starts_with("://") {
        ""
    } else {
        name
    }
}

/// Reads `dependencies` of the manifest: `npm`, `python`, `libraries` and `system` as lists, as
/// objects from name to version, or as one name. Words that are not package names (`>=3.7`) stay in
/// place, and so do versions.
fn from_manifest(plugin: &Plugin<'_>, lists: [&mut BTreeSet<String>; 3], ledger: &mut Ledger<'_>) {
    const KEYS: [(&[&str], &str); 3] = [
        (&["npm", "node"], "npm"),
        (&["python", "pip", "libraries"], "pip"),
        (&["system", "bin"], "bin"),
    ];
    let Some(dependencies) = plugin.document().root.get("dependencies") else {
        return;
    };
    for ((keys, to), list) in KEYS.into_iter().zip(lists) {
        for key in keys {
            let Some(node) = dependencies.get(key) else {
                continue;
            };
            let versioned = node.members().iter().map(|member| member.key.trim());
            list.extend(versioned.filter(|name| is_package(name)).map(str::to_owned));
            for (pointer, name) in packages(node, &format!("/dependencies/{key}")) {
                list.insert(name);
                let to = format!("{METADATA}/requires/{to}");
                ledger.transformed(
                    &plugin.place(pointer),
                    &to,
                    "as something that must be installed",
                );
            }
        }
    }
}

/// Returns whether a text is exactly a package name.
fn is_package(text: &str) -> bool {
    !text.is_empty() && package_name(text) == text
}

/// Returns the names in a list of strings, or the string if it is one. Only exact names count,
/// because a version would be lost.
fn packages(node: &Node, pointer: &str) -> Vec<(String, String)> {
    let name = |node: &Node, pointer: String| {
        let text = node.as_str()?.trim();
        is_package(text).then(|| (pointer, text.to_owned()))
    };
    match &node.kind {
        Kind::Array(items) => {
            let items = items.iter().enumerate();
            items
                .filter_map(|(at, item)| name(item, format!("{pointer}/{at}")))
                .collect()
        }
        _ => name(node, pointer.to_owned()).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_requirement_lines() {
        let check = |line: &str, expected: &str| assert_eq!(package_name(line), expected, "{line}");
        check("requests>=2.0", "requests");
        check("uvicorn[standard]==0.1; python_version > '3'", "uvicorn");
        check("-r other.txt", "");
        check("https://x/y.whl", "");
        check(">=3.7", "");
        check("@scope/name", "@scope/name");
    }
}
