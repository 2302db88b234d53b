//! The files that package managers read, for a skill whose plugin has none.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use skill_model::{PackageNeed, Requires};

use crate::{entry::SCRIPTS, plan::GeneratedFile, plugin::Plugin};

/// Returns `scripts/package.json` and `scripts/requirements.txt`, if there are packages and the
/// plugin has no such file.
pub(crate) fn package_files(plugin: &Plugin<'_>, requires: &Requires) -> Vec<GeneratedFile> {
    let is_free = |name: &str| {
        let left = plugin.left_out.iter();
        let mut paths = left.map(|left| left.path.as_str());
        !plugin.has_file(name) && !paths.any(|path| path == name)
    };
    let mut res = Vec::new();
    if !requires.npm.is_empty() && is_free("package.json") {
        res.push(GeneratedFile {
            path: format!("{SCRIPTS}/package.json"),
            text: package_json(requires, plugin.host_root.npm().is_module),
        });
    }
    if !requires.pip.is_empty() && is_free("requirements.txt") {
        res.push(GeneratedFile {
            path: format!("{SCRIPTS}/requirements.txt"),
            text: requirements(requires),
        });
    }
    res
}

/// Returns a `package.json` with nothing but dependencies, which changes nothing about how Node.js
/// reads the plugin's files. A `type` is written only if the host's own `package.json`, which
/// governed these files before, makes modules of them.
fn package_json(requires: &Requires, is_module: bool) -> String {
    let (mut needed, mut optional) = (Map::new(), Map::new());
    for name in &requires.npm {
        let need = requires.packages.npm.get(name);
        let range = need.and_then(|need| need.range.as_deref()).unwrap_or("*");
        let is_optional = need.is_some_and(|need| need.optional);
        let list = if is_optional {
            &mut optional
        } else {
            &mut needed
        };
        list.insert(name.clone(), range.into());
    }
    let mut res = Map::from_iter([("private".to_owned(), json!(true))]);
    if is_module {
        res.insert("type".to_owned(), json!("module"));
    }
    for (key, list) in [("dependencies", needed), ("optionalDependencies", optional)] {
        if !list.is_empty() {
            res.insert(key.to_owned(), Value::Object(list));
        }
    }
    let mut res = serde_json::to_string_pretty(&res).expect("a map of texts is JSON");
    res.push('\n');
    res
}

/// Returns the lines of a `requirements.txt`; optional packages are comments.
fn requirements(requires: &Requires) -> String {
    let mut res = String::new();
    for name in &requires.pip {
        let need = requires.packages.pip.get(name);
        let range = need.and_then(|need: &PackageNeed| need.range.as_deref());
        let range = range.unwrap_or_default();
        let space = if range.starts_with('@') { " " } else { "" };
        let mark = if need.is_some_and(|need| need.optional) {
            "# optional: "
        } else {
            ""
        };
        let _ = writeln!(res, "{mark}{name}{space}{range}");
    }
    res
}
