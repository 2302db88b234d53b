//! An installed npm package and the address from which npm got it.
//!
//! Only what comes from a registry, from the skill itself or from an address that the user allowed
//! may stay, and the name of a package allows its install script only if it is that of the registry.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use skill_loader::fs::resolve;

use crate::needs::Need;

/// The registry whose addresses npm writes for every mirror of it.
const NPM_REGISTRY: &str = "https://registry.npmjs.org/";

/// An installed package: its entry in npm's lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'t> {
    /// Its path in the environment (`node_modules/a/node_modules/b`).
    pub(crate) path: &'t str,
    pub(crate) entry: &'t Value,
}

impl<'t> Part<'t> {
    /// Returns the name by which code loads it: that of its directory.
    pub(crate) fn module(self) -> &'t str {
        const DIR: &str = "node_modules/";
        let path = self.path;
        path.rfind(DIR).map_or(path, |at| &path[at + DIR.len()..])
    }

    /// Returns its own name, which is another one for an alias.
    pub(crate) fn name(self) -> &'t str {
        self.entry["name"].as_str().unwrap_or(self.module())
    }

    /// Returns whether an allowance is about this name, from any address.
    pub(crate) fn is(self, allowance: &str) -> bool {
        let rest = allowance.strip_prefix(self.name());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
    }

    /// Returns what allows its install script: its name if it is the package of that name in the
    /// registry, otherwise `NAME@ADDRESS`. `dir`: the environment.
    pub(crate) fn allowance(self, dir: &Path, registry: &str) -> String {
        let name = self.name();
        let is_there = |address: &str| {
            [registry, NPM_REGISTRY].iter().any(|registry| {
                let path = address.strip_prefix(registry.trim_end_matches('/'));
                path.is_some_and(|path| path.starts_with(&format!("/{name}/-/")))
            })
        };
        match self.address(dir) {
            Some(address) if is_there(&address) => name.to_owned(),
            Some(address) => format!("{name}@{address}"),
            // In the archive of another package.
            None if self.entry["inBundle"] == true => format!("{name}@{}", self.path),
            // `omit-lockfile-registry-resolved` leaves out these addresses, and no others.
            None => name.to_owned(),
        }
    }

    /// Returns the address; the path of a file is absolute.
    fn address(self, dir: &Path) -> Option<String> {
        let resolved = self.entry["resolved"].as_str()?;
        let path = match resolved.strip_prefix("file:") {
            None if self.entry["link"] != true => return Some(resolved.to_owned()),
            path => path.unwrap_or(resolved),
        };
        let whole = resolve(&dir.join(path)).unwrap_or_else(|_| dir.join(path));
        Some(format!("file:{}", whole.display()))
    }

    /// Returns the address if it is neither of a registry nor in the skill nor allowed.
    pub(crate) fn foreign_address(
        self,
        dir: &Path,
        needs: &BTreeMap<String, Need>,
    ) -> Option<String> {
        let address = self.address(dir)?;
        let is_allowed = match address.strip_prefix("file:") {
            Some(path) => {
                let owners = needs.values().filter_map(|need| need.owner.as_ref());
                let mut owners = owners;
                owners.any(|owner| Path::new(path).starts_with(owner))
            }
            None => !address.starts_with("git"),
        };
        let direct = self.path.strip_prefix("node_modules/");
        let asked = direct.and_then(|name| needs.get(name));
        // An address among the requirements was allowed, or it would not be one of them.
        let is_asked = asked.is_some_and(|need| need.owner.is_none() && need.range.contains('/'));
        (!is_allowed && !is_asked).then_some(address)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_allows_only_the_package_of_the_registry() {
        let check = |entry: Value, expected: &str| {
            let part = Part {
                path: "node_modules/a",
                entry: &entry,
            };
            let found = part.allowance(Path::new("/e"), "https://mirror.example/npm/");
            assert_eq!(found, expected, "{entry}");
        };
        check(
            json!({"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz"}),
            "a",
        );
        check(
            json!({"resolved": "https://mirror.example/npm/a/-/a-1.0.0.tgz"}),
            "a",
        );
        check(
            json!({"name": "@s/b", "resolved": "https://registry.npmjs.org/@s/b/-/b-1.tgz"}),
            "@s/b",
        );
        check(
            json!({"resolved": "https://registry.npmjs.org/b/-/b-1.0.0.tgz"}),
            "a@https://registry.npmjs.org/b/-/b-1.0.0.tgz",
        );
        check(
            json!({"resolved": "https://evil.example/a/-/a-1.0.0.tgz"}),
            "a@https://evil.example/a/-/a-1.0.0.tgz",
        );
        check(json!({"resolved": "file:../x/a"}), "a@file:/x/a");
        check(json!({"resolved": "../x/a", "link": true}), "a@file:/x/a");
        check(json!({"inBundle": true}), "a@node_modules/a");
        check(json!({"version": "1.0.0"}), "a");
    }

    #[test]
    fn what_comes_from_elsewhere_is_known() {
        let needs = [
            ("own", "file:/skill/scripts/own", Some("/skill")),
            ("asked", "git+https://host/asked", None),
            ("plain", "^1", None),
        ];
        let needs = needs.map(|(name, range, owner)| {
            let need = Need {
                range: range.to_owned(),
                owner: owner.map(Into::into),
                is_optional: false,
            };
            (name.to_owned(), need)
        });
        let needs = BTreeMap::from(needs);
        let check = |path: &str, resolved: &str, is_foreign: bool| {
            let entry = json!({"resolved": resolved});
            let part = Part {
                path,
                entry: &entry,
            };
            let found = part.foreign_address(Path::new("/e"), &needs);
            assert_eq!(found.is_some(), is_foreign, "{path} {resolved}");
        };
        check("node_modules/own", "file:../skill/scripts/own", false);
        check("node_modules/near", "file:../skill/scripts/near", false);
        check("node_modules/asked", "git+https://host/asked#1", false);
        check("node_modules/plain", "https://registry/plain.tgz", false);
        check("node_modules/plain", "git+https://host/plain#1", true);
        check("node_modules/secret", "file:../home/user/secret", true);
        check("node_modules/a/node_modules/asked", "git+ssh://h/x", true);
    }
}
