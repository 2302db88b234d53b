//! Environments of npm made of another one: the packages that a skill requires, with all that they
//! depend on, as hard links. No registry is asked.
//!
//! The paths of the packages stay what they were, so that each finds the versions that npm chose for
//! it. The hidden lock (`node_modules/.package-lock.json`) says what depends on what.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};
use skill_loader::fs::{Root, WalkLimits, link_tree};

use crate::error::Error;
use crate::needs::{Need, Source};
use crate::part::Part;
use crate::record::Record;
use crate::registries::Registries;

/// The lock that npm leaves in `node_modules`.
pub(crate) const HIDDEN_LOCK: &str = ".package-lock.json";
/// Largest lock that is read, in bytes.
const MAX_LOCK: u64 = 64 << 20;

/// The packages of an installed environment, by path (`node_modules/a/node_modules/b`).
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct InstalledTree {
    packages: BTreeMap<String, Value>,
}

impl InstalledTree {
    /// Reads the hidden lock of the environment in `dir`; empty if it has none.
    pub(crate) fn read(dir: &Path) -> Self {
        let text = Root::open_real(&dir.join("node_modules"))
            .ok()
            .and_then(|root| root.read(HIDDEN_LOCK, MAX_LOCK).ok());
        let lock: Option<Value> = text.and_then(|text| serde_json::from_slice(&text).ok());
        Self::new(&lock.unwrap_or_default())
    }

    fn new(lock: &Value) -> Self {
        let packages = lock["packages"].as_object().into_iter().flat_map(Map::iter);
        let packages = packages.filter(|(path, _)| is_inside(path));
        Self {
            packages: packages
                .map(|(path, entry)| (path.clone(), entry.clone()))
                .collect(),
        }
    }

    /// Returns all packages.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.packages
            .iter()
            .map(|(path, entry)| Part { path, entry })
    }

    /// Returns all packages with an install script.
    pub(crate) fn with_scripts(&self) -> Vec<Part<'_>> {
        let has_script = |part: &Part<'_>| part.entry["hasInstallScript"] == true;
        self.parts().filter(has_script).collect()
    }

    /// Returns whether every needed package is here in a version that was asked for, and whether it
    /// and everything that it loads is the package of its name in the registry. `record` is the
    /// environment's own: ranges are not computed with, only compared.
    pub(crate) fn serves(
        &self,
        record: &Record,
        needs: &BTreeMap<String, Need>,
        registries: &Registries,
    ) -> bool {
        let mut all = needs.iter();
        all.all(|(name, need)| self.has(record, name, need))
            && self.is_plain(&self.closure(needs.keys()), registries)
    }

    /// Returns whether a package is at the top in a version that was asked for.
    fn has(&self, record: &Record, name: &str, need: &Need) -> bool {
        let Some(part) = self.part(&format!("node_modules/{name}")) else {
            return false;
        };
        let is_asked = record.ranges.get(name) == Some(&need.range);
        let version = part.entry["version"].as_str();
        need.source == Source::Registry
            && part.name() == asked_name(name, &need.range)
            && (is_asked || need.range.is_empty() || version == Some(&need.range))
    }

    /// Returns whether the packages at these paths are those of their names in the registry, and
    /// whether each finds those that it asks for: another one can have an alias for its directory.
    fn is_plain(&self, paths: &BTreeSet<String>, registries: &Registries) -> bool {
        let mut parts = paths.iter().filter_map(|path| self.part(path));
        parts.all(|part| {
            let is_plain = part.is_bundled() || part.is_from(registries.of(part.name()));
            let mut asked = dependencies(part.entry);
            is_plain
                && asked.all(|(name, range)| {
                    let found = self.resolve(part.path, name);
                    let found = found.as_deref().and_then(|path| self.part(path));
                    found.is_none_or(|found| found.name() == asked_name(name, range))
                })
        })
    }

    fn part(&self, path: &str) -> Option<Part<'_>> {
        let (path, entry) = self.packages.get_key_value(path)?;
        Some(Part { path, entry })
    }

    /// Returns the paths of the packages and of everything that they load. Packages that only
    /// development or other platforms need are not installed, and so not found.
    pub(crate) fn closure<'n>(&self, names: impl Iterator<Item = &'n String>) -> BTreeSet<String> {
        let mut res = BTreeSet::new();
        let mut waiting: Vec<String> = names.map(|name| format!("node_modules/{name}")).collect();
        while let Some(path) = waiting.pop() {
            let Some(entry) = self.packages.get(&path) else {
                continue;
            };
            if !res.insert(path.clone()) {
                continue;
            }
            for (name, _) in dependencies(entry) {
                waiting.extend(self.resolve(&path, name));
            }
        }
        res
    }

    /// Returns whether one of the packages at these paths depends on `name`.
    pub(crate) fn depends(&self, paths: &BTreeSet<String>, name: &str) -> bool {
        let mut entries = paths.iter().filter_map(|path| self.packages.get(path));
        entries.any(|entry| dependencies(entry).any(|(known, _)| known == name))
    }

    /// Returns the path at which Node.js finds `name` from the package at `from`.
    fn resolve(&self, from: &str, name: &str) -> Option<String> {
        let mut dir = from;
        loop {
            let path = if dir.is_empty() {
                format!("node_modules/{name}")
            } else {
                format!("{dir}/node_modules/{name}")
            };
            if self.packages.contains_key(&path) {
                return Some(path);
            }
            if dir.is_empty() {
                return None;
            }
            // The parent package: what is before the last `node_modules`.
            dir = dir.rfind("node_modules/").map_or("", |at| &dir[..at]);
            dir = dir.trim_end_matches('/');
        }
    }

    /// Makes the environment `to` with these packages of the environment `from`.
    pub(crate) fn link(
        &self,
        paths: &BTreeSet<String>,
        from: &Path,
        to: &Root,
    ) -> Result<(), Error> {
        let target = to.path();
        for path in paths {
            let source = from.join(path);
            let nested = source.join("node_modules");
            link_tree(&source, &target.join(path), &|dir| dir == nested)?;
        }
        link_programs(paths, from, to);
        self.write_lock(paths, to)
    }

    /// Writes the hidden lock of an environment with these packages.
    pub(crate) fn write_lock(&self, paths: &BTreeSet<String>, to: &Root) -> Result<(), Error> {
        let packages: Map<String, Value> = paths
            .iter()
            .filter_map(|path| Some((path.clone(), self.packages.get(path)?.clone())))
            .collect();
        let lock = json!({"lockfileVersion": 3, "requires": true, "packages": packages});
        let text = lock.to_string();
        Ok(to.write_whole("node_modules", HIDDEN_LOCK, text.as_bytes())?)
    }
}

/// Makes the links in `node_modules/.bin` whose packages are there. They are rarely used, so what
/// cannot be made is left out.
fn link_programs(paths: &BTreeSet<String>, from: &Path, to: &Root) {
    let Ok(root) = Root::open_real(from) else {
        return;
    };
    let Ok(listing) = root.walk("node_modules/.bin", &WalkLimits::default(), &|_| true) else {
        return;
    };
    for entry in listing.entries {
        let Ok(link) = root.entry_target(&entry) else {
            continue;
        };
        let Some(inside) = link.strip_prefix("../") else {
            continue;
        };
        let is_there = paths
            .iter()
            .filter_map(|path| path.strip_prefix("node_modules/"))
            .any(|path| {
                inside
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
            });
        if is_there {
            let _ = to.link(&entry.path, &link);
        }
    }
}

/// Returns the packages that a package loads, with their ranges. Optional peers are left out:
/// whoever uses them requires them.
fn dependencies(entry: &Value) -> impl Iterator<Item = (&str, &str)> {
    const KEYS: [&str; 3] = ["dependencies", "optionalDependencies", "peerDependencies"];
    let all = KEYS.into_iter().flat_map(move |key| {
        let list = entry[key].as_object().into_iter().flat_map(Map::iter);
        let is_needed = move |name: &str| {
            key != "peerDependencies" || entry["peerDependenciesMeta"][name]["optional"] != true
        };
        list.filter(move |(name, _)| is_needed(name))
    });
    all.map(|(name, range)| (name.as_str(), range.as_str().unwrap_or_default()))
}

/// Returns the own name of the package that a range asks for: another one for an alias.
fn asked_name<'n>(name: &'n str, range: &'n str) -> &'n str {
    let Some(other) = range.strip_prefix("npm:") else {
        return name;
    };
    let at = other.rfind('@').filter(|at| *at > 0);
    at.map_or(other, |at| &other[..at])
}

/// Returns whether this is the path of an installed package, beneath the environment.
fn is_inside(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("node_modules") && parts.all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> InstalledTree {
        InstalledTree::new(&json!({"packages": {
            "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1", "c": "1"}},
            "node_modules/a/node_modules/c": {"version": "1.0.0", "dependencies": {"d": "1"}},
            "node_modules/b": {"version": "1.0.0", "peerDependencies": {"e": "*", "f": "*"},
                "peerDependenciesMeta": {"f": {"optional": true}}},
            "node_modules/c": {"version": "2.0.0", "hasInstallScript": true},
            "node_modules/d": {"version": "1.0.0", "optionalDependencies": {"other-platform": "1"}},
            "node_modules/e": {"version": "1.0.0"},
            "node_modules/f": {"version": "1.0.0"},
            "node_modules/@s/p": {"version": "3.0.0", "dependencies": {"c": "2"}},
        }}))
    }

    #[test]
    fn a_package_comes_with_all_that_it_loads() {
        let check = |name: &str, expected: &[&str]| {
            let found = tree().closure([name.to_owned()].iter());
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!(found, expected, "{name}");
        };
        check(
            "a",
            &[
                "node_modules/a",
                "node_modules/a/node_modules/c",
                "node_modules/b",
                "node_modules/d",
                "node_modules/e",
            ],
        );
        check("@s/p", &["node_modules/@s/p", "node_modules/c"]);
        check("none", &[]);
    }

    #[test]
    fn serves_equal_ranges_and_exact_versions() {
        let record = Record {
            ranges: [("a".to_owned(), "^1.0".to_owned())].into(),
            ..Record::default()
        };
        let check = |name: &str, range: &str, expected: bool| {
            let need = Need {
                range: range.to_owned(),
                ..Need::default()
            };
            let needs = [(name.to_owned(), need)].into();
            let found = tree().serves(&record, &needs, &Registries::default());
            assert_eq!(found, expected, "{name} {range}");
        };
        check("a", "^1.0", true);
        check("a", "1.0.0", true);
        check("a", "", true);
        check("a", "~1.0", false);
        check("c", "2.0.0", true);
        check("c", "1.0.0", false);
        check("missing", "", false);
    }

    /// Each tree has a package `a` of version 1.0.0, which another skill needs.
    #[test]
    fn only_the_package_of_the_registry_serves_others() {
        let registry = ("registry".to_owned(), "https://r.example/".to_owned());
        let registries = Registries([registry].into());
        let check = |lock: Value, range: &str, expected: bool| {
            let tree = InstalledTree::new(&json!({"packages": lock}));
            let record = Record {
                ranges: [("a".to_owned(), "^1".to_owned())].into(),
                ..Record::default()
            };
            let need = Need {
                range: range.to_owned(),
                ..Need::default()
            };
            let needs = [("a".to_owned(), need)].into();
            let found = tree.serves(&record, &needs, &registries);
            assert_eq!(found, expected, "{range} {lock}");
        };
        let from =
            |resolved: &str| json!({"node_modules/a": {"version": "1.0.0", "resolved": resolved}});
        for range in ["", "^1", "1.0.0"] {
            check(from("https://r.example/a/-/a-1.0.0.tgz"), range, true);
            check(
                from("https://registry.npmjs.org/a/-/a-1.0.0.tgz"),
                range,
                true,
            );
            check(from("https://r.example/evil/-/a-1.0.0.tgz"), range, false);
            check(from("https://host/a-1.0.0.tgz"), range, false);
            check(from("file:../skill/vendor/a"), range, false);
            check(from("git+https://host/a#1"), range, false);
            check(
                json!({"node_modules/a": {"version": "1.0.0", "name": "evil"}}),
                range,
                false,
            );
            check(
                json!({"node_modules/a": {"version": "1.0.0", "link": true}}),
                range,
                false,
            );
        }
        let alias = json!({
            "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1"}},
            "node_modules/b": {"version": "1.0.0", "name": "evil"},
        });
        check(alias, "^1", false);
        let asked = json!({
            "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "npm:other@1"}},
            "node_modules/b": {"version": "1.0.0", "name": "other"},
            "node_modules/a/node_modules/c": {"version": "1.0.0", "inBundle": true},
        });
        check(asked, "^1", true);
        let vendored = json!({
            "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1"}},
            "node_modules/b": {"version": "1.0.0", "resolved": "file:../b"},
        });
        check(vendored, "^1", false);
    }

    #[test]
    fn a_path_that_leads_out_is_not_a_package() {
        let lock = json!({"packages": {"": {}, "node_modules/../../x": {}, "../y": {}, "node_modules/a": {}}});
        let tree = InstalledTree::new(&lock);
        let found: Vec<&str> = tree.parts().map(|part| part.path).collect();
        assert_eq!(found, ["node_modules/a"]);
    }

    #[test]
    fn install_scripts_are_listed() {
        let tree = tree();
        let found: Vec<&str> = tree.with_scripts().iter().map(|part| part.path).collect();
        assert_eq!(found, ["node_modules/c"]);
    }
}
