//! Migrates a synthetic plugin, for tests.

use std::collections::BTreeMap;

use plugin_model::{HostModules, SourceFile, Sources};
use serde_json::Value;
use skill_model::SkillName;

use crate::{Calls, HostRoot, Migration, Options, Source, Templates, migrate};

/// Migrates a plugin with this manifest and these files. Returns the plan, and the leaves of the
/// manifest as JSON Pointers.
pub(crate) fn migrate_plugin(
    directory: &str,
    manifest: &Value,
    files: &[(&str, &str)],
) -> (Migration, Vec<String>) {
    let text = manifest.to_string();
    let texts: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    let files: Vec<SourceFile> = texts
        .iter()
        .map(|(path, text)| SourceFile {
            path: path.clone(),
            bytes: text.len() as u64,
            executable: false,
            sha256: "0".repeat(64),
        })
        .collect();
    let host = HostModules::default();
    let none = std::collections::BTreeSet::new();
    let (package, _) = plugin_manifest::read_package(Sources {
        manifest_file: plugin_manifest::MANIFEST_FILE,
        manifest: text.as_bytes(),
        files: &files,
        texts: &texts,
        left_out: &[],
        host: &host,
        read_by_others: &none,
    });
    let package = package.expect("name, type and entry point are there");
    let source = Source {
        directory,
        package: &package,
        unit: &package.units[0],
        neighbours: &BTreeMap::new(),
        host: &HostRoot::default(),
        calls: Calls {
            units: &BTreeMap::new(),
            own: &BTreeMap::new(),
            all: &BTreeMap::new(),
        },
        mentions: &crate::Mentions::default(),
        polish: None,
    };
    let name = SkillName::new(directory.to_lowercase()).expect("a name");
    let templates = Templates::new(&[]).expect("the built-in templates");
    let migration =
        migrate(&source, &name, Vec::new(), &templates, Options::default()).expect("rendered");
    (migration, package.documents[0].root.leaves())
}
