//! Requirements that a package manager may see.
//!
//! A skill chooses the names and versions of its packages, and package managers run outside of the
//! sandbox with the environment of the user. Names that are options, lines of their own, paths and
//! addresses therefore never reach them, unless the user allows exactly that one.

use std::path::Path;

use crate::needs::{Ecosystem, Need, Source};
use crate::range::is_npm_versions;
use crate::variables::redact;

/// Longest name that npm's registry has
/// ([package.json](https://docs.npmjs.com/cli/configuring-npm/package-json#name)).
const MAX_NAME: usize = 214;

/// Checks a requirement. Returns why it is not installed, for a report.
///
/// `allowed` has what the user allows: for an address, `NAME@ADDRESS`. `file` is the METADATA.yml
/// with the requirement.
pub(crate) fn refusal(
    ecosystem: Ecosystem,
    name: &str,
    need: &Need,
    allowed: &[String],
    file: &Path,
) -> Option<String> {
    let (is_name, is_range) = match ecosystem {
        Ecosystem::Npm => (
            is_npm_name(name),
            matches!(need.source, Source::Skill(_)) || is_npm_range(&need.range),
        ),
        Ecosystem::Pip => (is_pip_name(name), is_pip_range(&need.range)),
    };
    let file = file.display();
    if !is_name {
        return Some(format!(
            "{name:?} cannot be the name of a package; correct it in requires of {file}"
        ));
    }
    if is_range {
        return None;
    }
    let range = redact(&need.range);
    let address = address(&need.range);
    if address.is_none_or(|address| !is_plain(address)) {
        return Some(format!(
            "{range:?} is not a range of versions; correct it in requires.packages of {file}"
        ));
    }
    let whole = exact(name, &range);
    if allowed.iter().any(|one| redact(one) == whole) {
        return None;
    }
    Some(format!(
        "it is not from the registry but from {range}, which could be any file or run any code; if you trust it: --allow-scripts '{whole}'"
    ))
}

/// Returns what allows a requirement with an address: `NAME@ADDRESS`, without passwords.
fn exact(name: &str, range: &str) -> String {
    format!("{name}@{}", address(range).unwrap_or(range))
}

/// Returns the address in a range: what has a scheme, a path or the name of a repository.
fn address(range: &str) -> Option<&str> {
    let text = range.trim_start_matches('@').trim();
    text.contains([':', '/']).then_some(text)
}

/// An address is one word, and its first character does not make it an option.
fn is_plain(address: &str) -> bool {
    let is_word = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'`\\;#$".contains(c);
    address.starts_with(|c: char| c.is_ascii_alphanumeric()) && address.chars().all(is_word)
}

/// Returns whether npm's registry could have a package of this name: `name` or `@scope/name`.
fn is_npm_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
    };
    let parts_fit = match name.strip_prefix('@') {
        Some(scoped) => scoped
            .split_once('/')
            .is_some_and(|(scope, name)| is_part(scope) && is_part(name)),
        None => is_part(name),
    };
    // npm takes such a name for a file (`isFilename` of npm-package-arg).
    let lower = name.to_ascii_lowercase();
    let is_file = [".tgz", ".tar", ".tar.gz"]
        .iter()
        .any(|end| lower.ends_with(end));
    parts_fit && !is_file && name.len() <= MAX_NAME && name != "node_modules"
}

/// Returns whether this is a range of versions, a tag, or another package of the registry
/// (`npm:name@range`).
fn is_npm_range(range: &str) -> bool {
    if let Some(other) = range.strip_prefix("npm:") {
        let at = other.rfind('@').filter(|at| *at > 0);
        let (name, range) = at.map_or((other, ""), |at| (&other[..at], &other[at + 1..]));
        return is_npm_name(name) && is_npm_range(range) && !range.contains(':');
    }
    is_npm_versions(range)
}

/// Returns whether a Python index could have a project of this name
/// ([PEP 508](https://peps.python.org/pep-0508/#names)).
pub(crate) fn is_pip_name(name: &str) -> bool {
    let is_end = |c: char| c.is_ascii_alphanumeric();
    name.starts_with(is_end)
        && name.ends_with(is_end)
        && name.chars().all(|c| is_end(c) || "-._".contains(c))
}

/// Returns whether this is what follows a name in a requirement of an index: extras, versions and a
/// condition (`[socks]>=2.0,<3; python_version < '3.12'`). pip reads options after a requirement
/// and expands `${NAME}`, so neither can be in it.
fn is_pip_range(range: &str) -> bool {
    let (versions, condition) = range.split_once(';').unwrap_or((range, ""));
    let starts = |c: char| "[<>=!~( ".contains(c);
    let is_version = |c: char| c.is_ascii_alphanumeric() || "[](),.<>=!~*+-_ ".contains(c);
    let is_condition = |c: char| c.is_ascii_alphanumeric() || "()'\".,<>=!~+-_ ".contains(c);
    (versions.is_empty() || versions.starts_with(starts))
        && versions.chars().all(is_version)
        && condition.chars().all(is_condition)
        && !range.contains(" -")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ecosystem: Ecosystem, name: &str, range: &str, expected: Option<&str>) {
        let need = Need {
            range: range.to_owned(),
            ..Need::default()
        };
        let found = refusal(
            ecosystem,
            name,
            &need,
            &[],
            Path::new("/skill/METADATA.yml"),
        );
        match (&found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) if found.contains(expected) => {}
            _ => panic!("{name} {range}: {found:?}, expected {expected:?}"),
        }
    }

    const NAME: Option<&str> = Some("cannot be the name");
    const RANGE: Option<&str> = Some("not a range");
    const ADDRESS: Option<&str> = Some("not from the registry");

    #[test]
    fn packages_of_the_registry_pass() {
        for (name, range) in [
            ("axios", "^1.6.0"),
            ("@scope/pkg.js", ">=1.2 <3 || 4.x"),
            ("JSONStream", "latest"),
            ("a", "1.0.0-rc.1+build"),
            ("wrap", "npm:@scope/other@^2"),
        ] {
            check(Ecosystem::Npm, name, range, None);
        }
        for (name, range) in [
            ("requests", ""),
            ("requests", "[socks]>=2.0,<3"),
            ("zope.interface", "==5.0.post1"),
            ("numpy", " >= 1.0; python_version < '3.12'"),
            ("a", "~=1.4.2"),
        ] {
            check(Ecosystem::Pip, name, range, None);
        }
    }

    #[test]
    fn options_lines_paths_and_addresses_do_not() {
        for (name, range, expected) in [
            ("--registry=http://x", "", NAME),
            ("../../etc", "", NAME),
            ("@scope/../x", "", NAME),
            ("node_modules", "", NAME),
            ("x.tgz", "", NAME),
            ("X.Tar.GZ", "", NAME),
            ("@scope/x.tar", "", NAME),
            ("", "", NAME),
            ("a", "--prefix=/", RANGE),
            ("a", "1\n2", RANGE),
            ("a", "file:/home/user", ADDRESS),
            ("a", "file:../../secret", ADDRESS),
            ("a", "git+ssh://host/x", ADDRESS),
            ("a", "user/repository", ADDRESS),
            ("a", "https://host/x.tgz", ADDRESS),
            ("a", "npm:other@file:/etc", ADDRESS),
            ("a", "link:/etc", ADDRESS),
            ("a", "~/.ssh", RANGE),
            ("a", "^^ foo | bar", RANGE),
            (
                "a",
                "^^ foo | bar",
                Some("requires.packages of /skill/METADATA.yml"),
            ),
            ("a", "..", RANGE),
            ("a", "evil.tgz", RANGE),
            ("a", "https://me:pw@host/x", Some("'a@https://***@host/x'")),
        ] {
            check(Ecosystem::Npm, name, range, expected);
        }
        for (name, range, expected) in [
            ("-r", "/etc/passwd", NAME),
            ("a\n--index-url", "", NAME),
            ("--editable", "", NAME),
            ("a", "==1\n-r /etc/passwd", RANGE),
            ("a", "==1 --global-option=x", RANGE),
            ("a", ">=${SECRET}", RANGE),
            ("a", "\\\n-e .", RANGE),
            ("a", "@ git+https://host/x", ADDRESS),
            ("a", "@ file:///etc", ADDRESS),
            ("a", "@ https://host/x.tar.gz", ADDRESS),
            ("a", "@ https://host/x --config-settings=a=b", RANGE),
            ("a", "; python_version > '3' -r x", RANGE),
        ] {
            check(Ecosystem::Pip, name, range, expected);
        }
    }

    #[test]
    fn the_user_allows_exactly_one_address() {
        let need = |range: &str| Need {
            range: range.to_owned(),
            ..Need::default()
        };
        let allowed = ["a@git+https://host/x", "a@https://***@host/z", "b"].map(str::to_owned);
        let check = |name: &str, range: &str, is_refused: bool| {
            let file = Path::new("/skill/METADATA.yml");
            let found = refusal(Ecosystem::Pip, name, &need(range), &allowed, file);
            assert_eq!(found.is_some(), is_refused, "{name} {range}");
        };
        check("a", "@ git+https://host/x", false);
        check("a", "@ git+https://host/y", true);
        check("a", "@ https://me:pw@host/z", false);
        check("b", "@ git+https://host/x", true);
    }
}
