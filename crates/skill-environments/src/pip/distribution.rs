//! An installed Python package, as its `*.dist-info` describes it
//! ([the format](https://packaging.python.org/en/latest/specifications/recording-installed-packages/)).

use data_encoding::HEXLOWER;
use skill_model::{base64, pip_key};

/// A file of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OwnFile {
    /// The path in the environment.
    pub(super) path: String,
    /// The digest, 64 hex digits, if the list has one.
    pub(super) digest: Option<String>,
}

/// An installed package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Distribution {
    pub(super) version: String,
    /// The directory `*.dist-info` in the environment.
    pub(super) info: String,
    pub(super) files: Vec<OwnFile>,
    dependencies: Vec<Dependency>,
}

/// A package that another one depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Dependency {
    /// The name, as in [`pip_key`].
    key: String,
    /// The extras that it asks for.
    extras: Vec<String>,
    /// The extras of the other one, one of which must be asked for; empty if it always depends on it.
    of_extras: Vec<String>,
}

impl Distribution {
    /// Reads the texts of `METADATA` and `RECORD`; returns the name, as in [`pip_key`], and the package.
    /// `None` if a file of it would be outside of the environment.
    pub(super) fn read(
        info: &str,
        packages: &str,
        metadata: &str,
        record: &str,
    ) -> Option<(String, Self)> {
        // The header ends with an empty line.
        let header: Vec<&str> = metadata
            .lines()
            .take_while(|line| !line.is_empty())
            .collect();
        let field = |name: &str| {
            let mut values = header.iter().filter_map(|line| line.strip_prefix(name));
            values.next().map(|value| value.trim().to_owned())
        };
        let lines = record.lines().filter(|line| !line.is_empty());
        let files: Option<Vec<OwnFile>> = lines.map(|line| own_file(line, packages)).collect();
        let dependencies = header
            .iter()
            .filter_map(|line| line.strip_prefix("Requires-Dist:"));
        let res = Self {
            version: field("Version:")?,
            info: info.to_owned(),
            files: files?,
            dependencies: dependencies.map(dependency).collect(),
        };
        Some((pip_key(&field("Name:")?), res))
    }

    /// Returns the packages that this one loads with some extras, each with the extras that it is asked
    /// for. Conditions about the machine are not evaluated: what the package manager left out because of
    /// them is not installed.
    pub(super) fn loads(&self, extras: &[String]) -> impl Iterator<Item = (&str, &[String])> {
        let is_asked = |one: &&Dependency| {
            one.of_extras.is_empty() || one.of_extras.iter().any(|extra| extras.contains(extra))
        };
        let asked = self.dependencies.iter().filter(is_asked);
        let asked: Vec<&Dependency> = asked.collect();
        asked
            .into_iter()
            .map(|one| (one.key.as_str(), one.extras.as_slice()))
    }
}

/// Returns the extras in what follows the name in a requirement (`[socks]>=2.0`).
pub(super) fn extras(range: &str) -> Vec<String> {
    let Some(inside) = range.trim_start().strip_prefix('[') else {
        return Vec::new();
    };
    let names = inside.split(']').next().unwrap_or_default().split(',');
    names.map(|name| pip_key(name.trim())).collect()
}

/// Reads `name[extras] (versions); condition`.
fn dependency(text: &str) -> Dependency {
    let (what, condition) = text.split_once(';').unwrap_or((text, ""));
    let what = what.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let end = what.find(|c| !is_name(c)).unwrap_or(what.len());
    let mut of_extras = Vec::new();
    for (at, _) in condition.match_indices("extra") {
        let rest = condition[at + "extra".len()..].trim_start();
        let quoted = rest.strip_prefix("==").map(str::trim_start);
        let name = quoted.and_then(|rest| rest.split(['"', '\'']).nth(1));
        of_extras.extend(name.map(pip_key));
    }
    Dependency {
        key: pip_key(&what[..end]),
        extras: extras(&what[end..]),
        of_extras,
    }
}

/// Reads a line of a `RECORD`: path, digest and size, separated by commas. `packages` is the directory
/// that the path is relative to.
fn own_file(line: &str, packages: &str) -> Option<OwnFile> {
    let (path, rest) = match line.strip_prefix('"') {
        Some(quoted) => {
            let end = quoted.replace("\"\"", "\u{1}\u{1}").find('"')?;
            (quoted[..end].replace("\"\"", "\""), &quoted[end + 1..])
        }
        None => {
            let end = line.find(',').unwrap_or(line.len());
            (line[..end].to_owned(), &line[end..])
        }
    };
    let digest = rest.split(',').nth(1).unwrap_or_default();
    Some(OwnFile {
        path: inside(packages, &path)?,
        digest: digest.strip_prefix("sha256=").and_then(hex),
    })
}

/// Returns a path in the environment; `None` if it leads out of it.
fn inside(packages: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains(['\\', '\0']) {
        return None;
    }
    let mut parts: Vec<&str> = packages.split('/').collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Returns the hex digits of a digest in base64.
fn hex(text: &str) -> Option<String> {
    let bytes = base64::decode(text.as_bytes()).filter(|bytes| bytes.len() == 32)?;
    Some(HEXLOWER.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGES: &str = "lib/python3.11/site-packages";

    #[test]
    fn a_package_lists_its_files() {
        let check = |line: &str, expected: Option<(&str, bool)>| {
            let found = own_file(line, PACKAGES);
            let found = found.map(|file| (file.path, file.digest.is_some()));
            let expected = expected.map(|(path, has)| (path.to_owned(), has));
            assert_eq!(found, expected, "{line}");
        };
        let digest = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
        check(
            &format!("a/b.py,{digest},0"),
            Some(("lib/python3.11/site-packages/a/b.py", true)),
        );
        check(
            "a-1.dist-info/RECORD,,",
            Some(("lib/python3.11/site-packages/a-1.dist-info/RECORD", false)),
        );
        check(
            "\"a,\"\"b.py\",md5=x,1",
            Some(("lib/python3.11/site-packages/a,\"b.py", false)),
        );
        check(
            &format!("../../../bin/tool,{digest},9"),
            Some(("bin/tool", true)),
        );
        check("../../../../x,,", None);
        check("/etc/passwd,,", None);
        check("..\\x,,", None);
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(
            hex("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU").as_deref(),
            Some(empty)
        );
        assert_eq!(hex("abc"), None);
    }

    #[test]
    fn a_package_names_what_it_loads() {
        let metadata = "Metadata-Version: 2.1\nName: Some_One\nVersion: 1.0\n\
            Requires-Dist: urllib3<3,>=1.21.1\n\
            Requires-Dist: Other.One[fast,tiny] (>=2) ; python_version < '3.9'\n\
            Requires-Dist: PySocks!=1.5.7; extra == \"socks\"\n\
            Requires-Dist: tests ; platform_system == 'Linux' and extra == 'test'\n\nRequires-Dist: no\n";
        let (key, found) = Distribution::read("i", PACKAGES, metadata, "").unwrap();
        assert_eq!(key, pip_key("some-one"));
        let loads = |asked: &[&str]| -> Vec<String> {
            let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
            let found = found.loads(&asked);
            found
                .map(|(key, extras)| format!("{key} {extras:?}"))
                .collect()
        };
        assert_eq!(loads(&[]), ["urllib3 []", "other-one [\"fast\", \"tiny\"]"]);
        assert_eq!(loads(&["socks"]).last().unwrap(), "pysocks []");
        assert_eq!(extras("[Socks, x_y]>=2"), ["socks", "x-y"]);
        assert_eq!(extras(">=2"), [""; 0]);
    }
}
