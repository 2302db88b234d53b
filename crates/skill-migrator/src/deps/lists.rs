//! Package lists: `package.json`, `package-lock.json` and `requirements.txt`, of a plugin or of the
//! old host.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use skill_model::pip_key;

use crate::code::is_npm_name;

/// Packages that build or load native libraries; what depends on them is native.
const BUILD_TOOLS: [&str; 9] = [
    "@mapbox/node-pre-gyp",
    "bindings",
    "nan",
    "node-addon-api",
    "node-gyp",
    "node-gyp-build",
    "node-gyp-build-optional-packages",
    "node-pre-gyp",
    "prebuild-install",
];

/// The packages of one npm project.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct NpmList {
    /// Direct dependencies: range, and whether it is optional.
    pub(super) ranges: BTreeMap<String, (String, bool)>,
    /// The packages at the top of `node_modules`, also those that are only there because npm
    /// hoisted them.
    pub(super) locked: BTreeMap<String, Locked>,
    /// True for `"type": "module"`.
    pub(super) is_module: bool,
}

/// A package of a lock file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Locked {
    /// The exact version, or `npm:NAME@VERSION` for an alias.
    pub(super) version: String,
    pub(super) install_script: bool,
    pub(super) native: bool,
    /// The packages that it loads if they are there.
    pub(super) optional_peers: Vec<String>,
}

impl NpmList {
    /// Reads the texts; what is not JSON of the known form counts as empty.
    pub(super) fn read(package: Option<&str>, lock: Option<&str>) -> Self {
        let mut res = Self::default();
        if let Some(package) = package.and_then(object) {
            for (key, is_optional) in [("dependencies", false), ("optionalDependencies", true)] {
                for (name, range) in package[key].as_object().into_iter().flatten() {
                    if let (true, Some(range)) = (is_npm_name(name), range.as_str()) {
                        let entry = (range.to_owned(), is_optional);
                        res.ranges.insert(name.clone(), entry);
                    }
                }
            }
            res.is_module = package["type"] == "module";
        }
        if let Some(lock) = lock.and_then(object) {
            res.add_lock(&lock);
        }
        res
    }

    /// Returns the packages of this list that others load if they are there: optional peers, which no
    /// package manager installs unless the project names them, as this one does.
    pub(super) fn peers_of(&self, names: &BTreeSet<String>) -> Vec<String> {
        let locked = names.iter().filter_map(|name| self.locked.get(name));
        let peers = locked.flat_map(|locked| &locked.optional_peers);
        peers
            .filter(|peer| self.ranges.contains_key(*peer))
            .cloned()
            .collect()
    }

    /// Reads a lock of npm: `packages` since version 2, `dependencies` before.
    fn add_lock(&mut self, lock: &Value) {
        let old = lock["dependencies"].as_object();
        let old = old.filter(|_| !lock["packages"].is_object());
        for (name, entry) in old.into_iter().flatten() {
            self.add_locked(name, entry);
        }
        for (path, entry) in lock["packages"].as_object().into_iter().flatten() {
            let name = path.strip_prefix("node_modules/");
            if let Some(name) = name.filter(|name| !name.contains("/node_modules/")) {
                self.add_locked(name, entry);
            }
        }
    }

    fn add_locked(&mut self, name: &str, entry: &Value) {
        let Some(version) = entry["version"].as_str().filter(|_| is_npm_name(name)) else {
            return;
        };
        let version = match entry["name"].as_str() {
            Some(real) if real != name => format!("npm:{real}@{version}"),
            _ => version.to_owned(),
        };
        let install_script = entry["hasInstallScript"] == true || entry["requires_build"] == true;
        let locked = Locked {
            version,
            install_script,
            native: is_native(entry),
            optional_peers: optional_peers(entry),
        };
        self.locked.insert(name.to_owned(), locked);
    }
}

fn optional_peers(entry: &Value) -> Vec<String> {
    let peers = entry["peerDependenciesMeta"].as_object();
    let peers = peers.into_iter().flatten();
    let optional = peers.filter(|(name, meta)| meta["optional"] == true && is_npm_name(name));
    optional.map(|(name, _)| name.clone()).collect()
}

/// Returns true for an entry of a lock that builds a native library, or has one for each platform.
fn is_native(entry: &Value) -> bool {
    let names = |key: &str| entry[key].as_object().into_iter().flat_map(Map::keys);
    let is_platform = |name: &String| {
        let parts: Vec<&str> = name.split(['-', '/', '.']).collect();
        let has = |words: &[&str]| parts.iter().any(|part| words.contains(part));
        has(&["linux", "darwin", "win32"]) && has(&["x64", "arm64", "ia32", "arm"])
    };
    names("dependencies").any(|name| BUILD_TOOLS.contains(&name.as_str()))
        || names("optionalDependencies").any(is_platform)
}

/// Parses an object; `None` for anything else.
fn object(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{FEFF}')).ok()?;
    value.is_object().then_some(value)
}

/// The lines of a `requirements.txt`: by the form of the name that identifies it, the name as
/// written and what follows it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct PipList(pub(super) BTreeMap<String, (String, String)>);

impl PipList {
    pub(super) fn read(text: &str) -> Self {
        let mut res = BTreeMap::new();
        for line in text.trim_start_matches('\u{FEFF}').lines() {
            let line = without_comment(line).trim();
            let name = package_name(line);
            if !name.is_empty() {
                let rest = line[name.len()..].trim();
                // Options of pip (`--hash=…`) belong to its own command line.
                let rest = rest.split(" --").next().unwrap_or_default();
                let rest = rest.trim_end_matches('\\').trim().to_owned();
                res.entry(pip_key(name)).or_insert((name.to_owned(), rest));
            }
        }
        Self(res)
    }

    /// Returns what follows the name of a package; `None` if it is not in the list, or any version
    /// fits.
    pub(super) fn range(&self, name: &str) -> Option<&str> {
        let (_, range) = self.0.get(&pip_key(name))?;
        Some(range.as_str()).filter(|range| !range.is_empty())
    }
}

/// A comment starts at the beginning of a line or after white space: `#` is part of a URL.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if c == '#' && before.is_whitespace() {
            return &line[..at];
        }
        before = c;
    }
    line
}

/// Returns the name at the start of `name[extra]>=1.0; marker`; empty for options and URLs.
pub(super) fn package_name(requirement: &str) -> &str {
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

    #[test]
    fn requirements_keep_what_follows_the_name() {
        let list = PipList::read(
            "\u{FEFF}# all\nrequests==2.31.0  # http\nPython_Dotenv\nuvicorn[standard]>=0.1 ; python_version > '3'\nx @ https://h/x.whl#sha256=1\ny==1 --hash=sha256:0 \\\n",
        );
        let check = |name: &str, range: Option<&str>| assert_eq!(list.range(name), range, "{name}");
        check("Requests", Some("==2.31.0"));
        check("python-dotenv", None);
        check("uvicorn", Some("[standard]>=0.1 ; python_version > '3'"));
        check("x", Some("@ https://h/x.whl#sha256=1"));
        check("y", Some("==1"));
        assert_eq!(list.0["python-dotenv"].0, "Python_Dotenv");
    }

    #[test]
    fn a_package_comes_with_the_peers_that_its_project_has() {
        let package = r#"{"dependencies": {"browser": "^2", "extra": "^3", "other": "1"}}"#;
        let lock = r#"{"packages": {"node_modules/extra": {"version": "3.0.0",
            "peerDependenciesMeta": {"browser": {"optional": true}, "other": {"optional": false},
            "@types/browser": {"optional": true}}}, "node_modules/browser": {"version": "2.0.0"}}}"#;
        let list = NpmList::read(Some(package), Some(lock));
        let check = |name: &str, expected: &[&str]| {
            assert_eq!(list.peers_of(&[name.to_owned()].into()), expected, "{name}");
        };
        check("extra", &["browser"]);
        check("browser", &[]);
        check("unknown", &[]);
    }

    #[test]
    fn locks_of_all_versions() {
        let new = r#"{"packages": {"": {}, "node_modules/glob": {"version": "7.2.3"},
            "node_modules/a/node_modules/glob": {"version": "10.0.0"},
            "node_modules/@s/n": {"version": "1.0.0", "hasInstallScript": true, "dependencies": {"bindings": "1"}},
            "node_modules/img": {"version": "2.0.0", "optionalDependencies": {"@img/lib-linux-x64": "2.0.0"}},
            "node_modules/alias": {"version": "3.0.0", "name": "real"}, "node_modules/link": {"link": true}}}"#;
        let list = NpmList::read(None, Some(new));
        let shown = list.locked.iter().map(|(name, locked)| {
            let flag = |is: bool, mark| if is { mark } else { "" };
            let (script, native) = (flag(locked.install_script, "!"), flag(locked.native, "*"));
            format!("{name} {}{script}{native}", locked.version)
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "@s/n 1.0.0!*",
                "alias npm:real@3.0.0",
                "glob 7.2.3",
                "img 2.0.0*"
            ]
        );
        let old = r#"{"lockfileVersion": 1, "dependencies": {"glob": {"version": "7.0.0"}}}"#;
        let list = NpmList::read(Some("[]"), Some(old));
        assert_eq!(list.locked["glob"].version, "7.0.0");
    }
}
