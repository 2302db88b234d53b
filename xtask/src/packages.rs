//! The packages that the tools are built from: the result of `cargo metadata` without packages that
//! only tests need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::repo::{Repo, items};
use crate::shell;

/// The package whose binaries are released.
const ROOT: &str = "skills-tools";

/// One package of the graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression; empty where the package names none.
    pub(crate) license: String,
    pub(crate) description: String,
    pub(crate) repository: String,
    /// Separated by commas.
    pub(crate) authors: String,
    /// The directory of its sources on this machine.
    pub(crate) directory: PathBuf,
    /// A registry or a repository; empty for our own crates.
    pub(crate) source: String,
    /// SHA-256 of the packed crate, from `Cargo.lock`; empty for our own crates.
    pub(crate) checksum: String,
    /// Keys of the packages it is built from, sorted.
    pub(crate) dependencies: Vec<String>,
}

/// Packages by `name@version`.
pub(crate) type Packages = BTreeMap<String, Package>;

/// Returns the packages of the tools for `target`: dependencies that are linked, or run while
/// building.
pub(crate) fn resolve(repo: &Repo, target: &str) -> Result<Packages> {
    let text = shell::capture(shell::cargo(repo).args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ]))?;
    let metadata =
        serde_json::from_str(&text).context("cargo metadata printed something that is not JSON")?;
    let res = from_metadata(&metadata, &checksums(&repo.read("Cargo.lock")?))?;
    ensure!(!res.is_empty(), "{ROOT} is not a package of the workspace");
    Ok(res)
}

/// The key of the root in `packages`.
pub(crate) fn root(packages: &Packages) -> Option<&str> {
    let keys = packages.iter();
    keys.filter(|(_, package)| package.name == ROOT)
        .map(|(key, _)| key.as_str())
        .next()
}

fn from_metadata(metadata: &Value, checksums: &BTreeMap<String, String>) -> Result<Packages> {
    let described: BTreeMap<&str, &Value> = items(&metadata["packages"])
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let edges: BTreeMap<&str, BTreeSet<&str>> = items(&metadata["resolve"]["nodes"])
        .filter_map(|node| Some((node["id"].as_str()?, built_from(node))))
        .collect();
    let roots = described.iter();
    let roots = roots.filter(|(_, package)| package["name"] == ROOT);
    let mut open: Vec<&str> = roots.map(|(id, _)| *id).collect();
    let mut res = Packages::new();
    while let Some(id) = open.pop() {
        let package = described
            .get(id)
            .with_context(|| format!("cargo metadata does not describe {id}"))?;
        let inner = edges.get(id).into_iter().flatten();
        let mut one = read(package, checksums);
        one.dependencies = inner
            .clone()
            .filter_map(|id| described.get(id))
            .map(|package| key(package))
            .collect();
        one.dependencies.sort();
        if res.insert(key(package), one).is_none() {
            open.extend(inner);
        }
    }
    Ok(res)
}

/// The dependencies of a node that are not for its tests alone.
fn built_from(node: &Value) -> BTreeSet<&str> {
    let is_built = |dependency: &&Value| {
        items(&dependency["dep_kinds"]).any(|kind| kind["kind"].as_str() != Some("dev"))
    };
    let dependencies = items(&node["deps"]).filter(is_built);
    dependencies
        .filter_map(|dependency| dependency["pkg"].as_str())
        .collect()
}

fn read(package: &Value, checksums: &BTreeMap<String, String>) -> Package {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    let checksum = checksums.get(&key(package)).cloned();
    let authors: Vec<&str> = items(&package["authors"])
        .filter_map(Value::as_str)
        .collect();
    let manifest = package["manifest_path"].as_str().map(Path::new);
    let directory = manifest.and_then(Path::parent);
    Package {
        name: text("name"),
        version: text("version"),
        license: text("license"),
        description: text("description").trim().to_owned(),
        repository: text("repository"),
        authors: authors.join(", "),
        directory: directory.map(Path::to_owned).unwrap_or_default(),
        source: text("source"),
        checksum: checksum.unwrap_or_default(),
        dependencies: Vec::new(),
    }
}

fn key(package: &Value) -> String {
    let text = |field: &str| package[field].as_str().unwrap_or_default();
    format!("{}@{}", text("name"), text("version"))
}

/// The checksums of `Cargo.lock`, by `name@version`.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let field = |block: &str, name: &str| {
        let lines = block.lines();
        let mut values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        values
            .next()
            .map(|value| value.trim_matches('"').to_owned())
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks
        .filter_map(|block| {
            let key = format!("{}@{}", field(block, "name")?, field(block, "version")?);
            Some((key, field(block, "checksum")?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_only_tests_need_is_no_part_of_a_release() {
        let package = |name: &str| json!({"id": name, "name": name, "version": "1.0.0"});
        let edge = |to: &str, kind: Value| json!({"pkg": to, "dep_kinds": [{"kind": kind}]});
        let described = ["skills-tools", "linked", "builds", "tests", "xtask"].map(package);
        let metadata = json!({
            "packages": described,
            "resolve": {"nodes": [
                {"id": "skills-tools", "deps": [
                    edge("linked", Value::Null),
                    edge("builds", json!("build")),
                    edge("tests", json!("dev")),
                ]},
                {"id": "linked", "deps": [edge("builds", Value::Null)]},
                {"id": "xtask", "deps": [edge("linked", Value::Null)]},
            ]},
        });
        let sums = BTreeMap::from([("linked@1.0.0".to_owned(), "ab".to_owned())]);
        let res = from_metadata(&metadata, &sums).unwrap();
        let keys: Vec<&str> = res.keys().map(String::as_str).collect();
        assert_eq!(keys, ["builds@1.0.0", "linked@1.0.0", "skills-tools@1.0.0"]);
        assert_eq!(res["linked@1.0.0"].checksum, "ab");
        assert_eq!(
            res["skills-tools@1.0.0"].dependencies,
            ["builds@1.0.0", "linked@1.0.0"]
        );
        assert_eq!(root(&res), Some("skills-tools@1.0.0"));
    }

    #[test]
    fn reads_the_checksums_of_a_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0\"\nchecksum = \"0f\"\n\
                    \n[[package]]\nname = \"ours\"\nversion = \"0.1\"\n";
        let expected = BTreeMap::from([("a@1.0".to_owned(), "0f".to_owned())]);
        assert_eq!(checksums(lock), expected);
    }
}
