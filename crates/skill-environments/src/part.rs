//! An installed npm package and the address from which npm got it.
//!
//! Only what comes from a registry, from the skill itself or from an address that the user allowed
//! may stay, and the name of a package allows its install script only if it is that of the registry.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use skill_loader::fs::resolve;

use crate::needs::{Need, Source};
use crate::variables::redact;
use crate::vendored::tree_digest;

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

    /// Returns whether it is the package of its name in a registry.
    pub(crate) fn is_from(self, registry: &str) -> bool {
        let name = self.name();
        let is_there = |address: &str| {
            [registry, NPM_REGISTRY].iter().any(|registry| {
                let path = address.strip_prefix(registry.trim_end_matches('/'));
                path.is_some_and(|path| path.starts_with(&format!("/{name}/-/")))
            })
        };
        match self.entry["resolved"].as_str() {
            Some(address) => self.entry["link"] != true && is_there(address),
            // `omit-lockfile-registry-resolved` leaves out these addresses, and no others; what is
            // in the archive of another package has none.
            None => self.entry["link"] != true && self.entry["inBundle"] != true,
        }
    }

    /// Returns whether it is in the archive of the package in whose directory it is.
    pub(crate) fn is_bundled(self) -> bool {
        self.entry["inBundle"] == true && self.path.matches("node_modules/").count() > 1
    }

    /// Returns what allows its install script: its name if it is the package of that name in the
    /// registry, otherwise `NAME@ADDRESS#DIGEST`, without passwords. The digest is that of the
    /// installed files. `dir`: the environment.
    pub(crate) fn allowance(self, dir: &Path, registry: &str) -> String {
        let name = self.name();
        if self.is_from(registry) {
            return name.to_owned();
        }
        // In the archive of another package.
        let address = self.address(dir).unwrap_or_else(|| self.path.to_owned());
        let digest = tree_digest(&dir.join(self.path));
        // A package that cannot be read completely has no digest, and no script of it runs.
        let digest = digest.unwrap_or_else(|reason| format!("unknown: {reason}"));
        format!("{name}@{}#{digest}", redact(&address))
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
            Some(path) => needs.values().any(|need| match &need.source {
                Source::Skill(skill) => Path::new(path).starts_with(skill),
                _ => false,
            }),
            None => !address.starts_with("git"),
        };
        let direct = self.path.strip_prefix("node_modules/");
        let asked = direct.and_then(|name| needs.get(name));
        // An address among the requirements was allowed, or it would not be one of them.
        let is_asked = asked.is_some_and(|need| matches!(need.source, Source::Address(_)));
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
            let shown = found.split("#unknown").next();
            assert_eq!(shown, Some(expected), "{entry}");
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

    #[cfg(unix)]
    #[test]
    fn an_allowance_is_about_one_content() {
        let place = tempfile::tempdir().unwrap();
        let dir = resolve(place.path()).unwrap();
        let root = skill_loader::fs::Root::make(&dir).unwrap();
        let entry = json!({"resolved": "git+https://me:pw@host/a#1"});
        let part = Part {
            path: "node_modules/a",
            entry: &entry,
        };
        let words = ["1", "2"].map(|text| {
            root.make_dir(part.path).unwrap();
            root.write_whole(part.path, "a.js", text.as_bytes())
                .unwrap();
            part.allowance(&dir, "")
        });
        assert_ne!(words[0], words[1]);
        assert!(
            words[0].starts_with("a@git+https://***@host/a#1#"),
            "{words:?}"
        );
    }

    #[test]
    fn what_comes_from_elsewhere_is_known() {
        let skill = || "/skill".into();
        let needs = [
            ("own", "file:/skill/scripts/own", Source::Skill(skill())),
            ("asked", "git+https://host/asked", Source::Address(skill())),
            ("plain", "^1", Source::Registry),
        ];
        let needs = needs.map(|(name, range, source)| {
            let need = Need {
                range: range.to_owned(),
                source,
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
