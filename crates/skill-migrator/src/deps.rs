//! Requirements: npm and Python packages, programs, systems, the network.
//!
//! Sources of names: `package.json` and `requirements.txt` of the plugin, `dependencies` of the
//! manifest (prose and lists of any shape), the imports of all code files. Sources of versions, best
//! first: the plugin's own lists, the manifest, the lists of the old host.

mod files;
mod host;
mod lists;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{Kind, Node};
use skill_model::{Requires, Runtime, SkillName};

use crate::{
    code::{CodeFacts, Imports, is_client_script, read_imports},
    entry::EntryReading,
    fate::{Ledger, METADATA},
    plugin::Plugin,
};

pub(crate) use files::package_files;
pub use host::HostRoot;
use lists::{NpmList, PipList, package_name};
use versions::Lists;

/// The shortest name of a service that is recognised in a key, in bytes.
const MIN_SERVICE: usize = 4;

/// Reads all requirements of a plugin.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    entry: &EntryReading,
    code: &CodeFacts,
    ledger: &mut Ledger<'_>,
) -> Requires {
    let runtime = entry.entry.as_ref().map(|entry| entry.runtime);
    let text = |name: &str| plugin.texts.get(name).map(String::as_str);
    let script = entry.file.as_deref().and_then(text);
    let own_npm = NpmList::read(text("package.json"), text("package-lock.json"));
    let own_pip = PipList::read(text("requirements.txt").unwrap_or_default());
    let files = plugin.files.iter().map(|file| file.path.as_str());
    let mut imports = read_imports(plugin.texts, &code.files, files);
    imports.add(of_host(plugin, code));
    let mut npm: BTreeSet<String> = own_npm.ranges.keys().cloned().collect();
    npm.extend(imports.npm.keys().cloned());
    let listed = own_pip.0.values().map(|(name, _)| name.clone());
    let mut pip: BTreeSet<String> = listed.collect();
    if pip.is_empty() {
        pip.extend(imports.pip.keys().cloned());
    }
    let mut bin: BTreeSet<String> = entry.bin.iter().cloned().collect();
    bin.extend(code.programs.iter().cloned());
    let manifest = from_manifest(plugin, [&mut npm, &mut pip, &mut bin], ledger);
    npm.extend(plugin.host_root.npm().peers_of(&npm));
    let lists = Lists {
        own_npm: &own_npm,
        own_pip: &own_pip,
        host: plugin.host_root,
        manifest: &manifest,
        imports: &imports,
    };
    Requires {
        // The code says it.
        runtime: None,
        packages: lists.packages(&npm, &pip),
        npm: npm.into_iter().collect(),
        pip: pip.into_iter().collect(),
        bin: bin.into_iter().collect(),
        os: entry.os.clone(),
        skills: skills(plugin, entry, code),
        network: code.network
            || has_client(&code.packages, keys(plugin, code))
            || runtime == Some(Runtime::Native) && entry.file.is_some()
            || runtime == Some(Runtime::Shell) && script.is_some_and(is_client_script),
    }
}

/// Returns the settings and variables that the code reads or the manifest declares.
fn keys<'p>(plugin: &'p Plugin<'_>, code: &'p CodeFacts) -> impl Iterator<Item = &'p str> {
    let declared = plugin.package.config.keys.iter();
    let declared = declared.map(|key| key.key.as_str());
    let read = code.variables.iter().chain(&code.settings);
    declared.chain(read.map(String::as_str))
}

/// Returns the words of a name in lower case: `TAVILY_API_KEY` and `TavilyApiKey` have the same.
fn words(name: &str) -> Vec<String> {
    let mut res = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || was_lower && c.is_uppercase() {
            res.push(String::new());
        }
        if let Some(word) = res.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    res.retain(|word| !word.is_empty());
    res
}

/// Returns true if one of the packages has the name of a service for which there is a key: `@tavily/core`
/// and `TAVILY_API_KEY`.
fn has_client<'k>(packages: &BTreeSet<String>, keys: impl Iterator<Item = &'k str>) -> bool {
    let of_packages: BTreeSet<String> = packages.iter().flat_map(|name| words(name)).collect();
    let mut keys = keys.map(words);
    keys.any(|words| {
        let (Some(service), Some(last)) = (words.first(), words.last()) else {
            return false;
        };
        let is_key = ["key", "keys", "token", "secret"].contains(&last.as_str());
        is_key && service.len() >= MIN_SERVICE && of_packages.contains(service)
    })
}

/// Returns the imports of the modules of the old host that travel with the skill.
fn of_host(plugin: &Plugin<'_>, code: &CodeFacts) -> Imports {
    let texts = plugin.host.texts.iter();
    let carried: BTreeMap<String, String> = texts
        .filter(|(path, _)| code.carried.contains(*path))
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect();
    read_imports(&carried, &code.carried, carried.keys().map(String::as_str))
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

/// Reads `dependencies` of the manifest: `npm`, `python`, `libraries` and `system` as lists, as
/// objects from name to version, or as one name. Words that are not package names (`>=3.7`) stay in
/// place, and so do versions.
///
/// Returns the versions in objects.
fn from_manifest(
    plugin: &Plugin<'_>,
    lists: [&mut BTreeSet<String>; 3],
    ledger: &mut Ledger<'_>,
) -> BTreeMap<String, String> {
    const KEYS: [(&[&str], &str); 3] = [
        (&["npm", "node"], "npm"),
        (&["python", "pip", "libraries"], "pip"),
        (&["system", "bin"], "bin"),
    ];
    let mut ranges = BTreeMap::new();
    let Some(dependencies) = plugin.document().root.get("dependencies") else {
        return ranges;
    };
    for ((keys, to), list) in KEYS.into_iter().zip(lists) {
        for key in keys {
            let Some(node) = dependencies.get(key) else {
                continue;
            };
            for member in node.members() {
                let name = member.key.trim();
                if is_package(name) {
                    list.insert(name.to_owned());
                    let range = member.value.as_str().map(str::trim);
                    ranges.extend(range.map(|range| (name.to_owned(), range.to_owned())));
                }
            }
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
    ranges
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
    use super::has_client;

    /// Checks whether a package is a client of the network because of these keys.
    #[track_caller]
    fn check(package: &str, keys: &[&str], expected: bool) {
        let packages = [package.to_owned()].into();
        assert_eq!(
            has_client(&packages, keys.iter().copied()),
            expected,
            "{package}"
        );
    }

    #[test]
    fn clients_have_the_name_of_their_service() {
        check("@tavily/core", &["TAVILY_API_KEY"], true);
        check("@tavily/core", &["TavilyKey"], true);
        check("replicate", &["DEBUG", "REPLICATE_API_TOKEN"], true);
        check("@tavily/core", &["TAVILY_DEPTH"], false);
        check("sharp", &["API_KEY", "IMAGE_KEY"], false);
        check("uuid", &["KEY"], false);
    }
}
