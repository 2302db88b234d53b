//! `[workspace.metadata] layers`: a crate may depend only on crates in rows above its own.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::Value;

use crate::repo::{Repo, items};

const TABLE: &str = "[workspace.metadata] layers in Cargo.toml";

/// A crate of `crates/` and the workspace crates in its `[dependencies]`.
#[derive(Debug)]
struct Package {
    name: String,
    dependencies: Vec<String>,
}

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let metadata = repo.metadata()?;
    Ok(problems(&rows(&metadata), &packages(&metadata)))
}

fn rows(metadata: &Value) -> BTreeMap<String, usize> {
    let numbered = items(&metadata["metadata"]["layers"]).enumerate();
    numbered
        .flat_map(|(row, crates)| items(crates).map(move |name| (row, name)))
        .filter_map(|(row, name)| Some((name.as_str()?.to_owned(), row)))
        .collect()
}

fn packages(metadata: &Value) -> Vec<Package> {
    items(&metadata["packages"])
        .filter(|package| {
            let manifest = package["manifest_path"].as_str().unwrap_or_default();
            manifest.replace('\\', "/").contains("/crates/")
        })
        .map(|package| Package {
            name: text(&package["name"]),
            dependencies: inner(package),
        })
        .collect()
}

/// Returns the normal dependencies in the workspace: the ones with a path.
fn inner(package: &Value) -> Vec<String> {
    items(&package["dependencies"])
        .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
        .map(|dependency| text(&dependency["name"]))
        .collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn problems(rows: &BTreeMap<String, usize>, packages: &[Package]) -> Vec<String> {
    let mut acc = Vec::new();
    for package in packages {
        match rows.get(&package.name) {
            Some(row) => wrong_arrows(rows, package, *row, &mut acc),
            None => acc.push(format!("`{}` is missing from {TABLE}", package.name)),
        }
    }
    let known = |name: &String| packages.iter().any(|package| package.name == *name);
    let gone = rows.keys().filter(|name| !known(name));
    acc.extend(gone.map(|name| format!("{TABLE} lists `{name}`, which is not a crate")));
    acc
}

fn wrong_arrows(
    rows: &BTreeMap<String, usize>,
    package: &Package,
    row: usize,
    acc: &mut Vec<String>,
) {
    for dependency in &package.dependencies {
        let Some(&below) = rows.get(dependency) else {
            continue;
        };
        if below >= row {
            let direction = if below == row { "sideways" } else { "up" };
            acc.push(format!(
                "`{}` depends on `{dependency}`: an arrow {direction}; a crate may use only rows \
                 above its own, see {TABLE}",
                package.name,
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(dependencies: &[(&str, &[&str])], expected: &[&str]) {
        let metadata = json!({"metadata": {"layers": [["model"], ["loader", "rules"], ["tool"]]}});
        let packages: Vec<Package> = dependencies
            .iter()
            .map(|(name, used)| Package {
                name: (*name).to_owned(),
                dependencies: used.iter().map(|&name| name.to_owned()).collect(),
            })
            .collect();
        assert_eq!(problems(&rows(&metadata), &packages), expected);
    }

    #[test]
    fn arrows_down_are_fine() {
        check(
            &[
                ("model", &[]),
                ("loader", &["model"]),
                ("rules", &["model"]),
                ("tool", &["rules", "model"]),
            ],
            &[],
        );
    }

    #[test]
    fn an_arrow_up_or_sideways_is_named() {
        check(
            &[
                ("model", &["tool"]),
                ("loader", &["rules"]),
                ("rules", &[]),
                ("tool", &[]),
            ],
            &[
                "`model` depends on `tool`: an arrow up; a crate may use only rows above its own, \
                 see [workspace.metadata] layers in Cargo.toml",
                "`loader` depends on `rules`: an arrow sideways; a crate may use only rows above \
                 its own, see [workspace.metadata] layers in Cargo.toml",
            ],
        );
    }

    #[test]
    fn every_crate_is_listed_once_and_exists() {
        check(
            &[
                ("model", &[]),
                ("loader", &[]),
                ("tool", &[]),
                ("extra", &["model"]),
            ],
            &[
                "`extra` is missing from [workspace.metadata] layers in Cargo.toml",
                "[workspace.metadata] layers in Cargo.toml lists `rules`, which is not a crate",
            ],
        );
    }

    #[test]
    fn only_normal_workspace_dependencies_count() {
        let package = json!({"dependencies": [
            {"name": "a", "kind": null, "path": "/w/crates/a"},
            {"name": "b", "kind": "dev", "path": "/w/crates/b"},
            {"name": "serde", "kind": null},
        ]});
        assert_eq!(inner(&package), ["a"]);
    }
}
