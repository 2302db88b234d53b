//! The licenses, bans and sources of `deny.toml`, checked even if cargo-deny is not installed.

use anyhow::{Context, Result};

use crate::packages::{self, Package};
use crate::repo::Repo;
use crate::spdx;

/// The one registry.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// The platform that `deny.toml` names.
const TARGET: &str = "x86_64-unknown-linux-gnu";

struct Policy {
    licenses: Vec<String>,
    bans: Vec<String>,
}

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let policy = policy(&repo.read("deny.toml")?)?;
    let packages = packages::resolve(repo, TARGET)?;
    let problems = packages.values().flat_map(|one| problems(one, &policy));
    Ok(problems.collect())
}

fn problems(package: &Package, policy: &Policy) -> Vec<String> {
    let Package {
        name,
        version,
        license,
        source,
        ..
    } = package;
    let mut res = Vec::new();
    if !spdx::is_allowed(license, &policy.licenses) {
        res.push(format!(
            "{name} {version} has the licence `{license}`, which deny.toml does not allow"
        ));
    }
    if policy.bans.contains(name) {
        res.push(format!("{name} {version} is banned by deny.toml"));
    }
    if !source.is_empty() && source != REGISTRY {
        res.push(format!(
            "{name} {version} comes from {source}, not crates.io"
        ));
    }
    res
}

/// Returns the two relevant lists of `deny.toml`. cargo-deny checks the rest of the file.
fn policy(text: &str) -> Result<Policy> {
    let allow = table(text, "[licenses]").and_then(|part| list(part, "allow"));
    let deny = table(text, "[bans]").and_then(|part| list(part, "\ndeny"));
    let bans = deny.context("deny.toml has no list of bans")?;
    let bans = bans.lines().filter_map(|line| line.split_once("crate = "));
    Ok(Policy {
        licenses: quoted(allow.context("deny.toml allows no licence")?),
        bans: bans
            .filter_map(|(_, rest)| quoted(rest).into_iter().next())
            .collect(),
    })
}

fn table<'a>(text: &'a str, head: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(head)?;
    rest.split("\n[").next()
}

fn list<'a>(part: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = part.split_once(&format!("{key} = ["))?;
    rest.split(']').next()
}

fn quoted(text: &str) -> Vec<String> {
    text.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = "[licenses]\nallow = [\"MIT\", \"ISC\"]\n\n[bans]\nwildcards = \"deny\"\n\
                        deny = [\n    { crate = \"bad\", reason = \"old\" },\n]\n\n[sources]\n";

    #[test]
    fn reads_the_lists() {
        let policy = policy(DENY).unwrap();
        assert_eq!(policy.licenses, ["MIT", "ISC"]);
        assert_eq!(policy.bans, ["bad"]);
        assert!(super::policy("[licenses]\n").is_err());
    }

    #[test]
    fn the_lists_of_this_repository_are_found() {
        let policy = policy(&Repo::here().unwrap().read("deny.toml").unwrap()).unwrap();
        assert!(policy.licenses.contains(&"MIT".to_owned()));
        assert!(policy.bans.contains(&"openssl-sys".to_owned()));
    }

    #[test]
    fn names_what_is_not_allowed() {
        let policy = policy(DENY).unwrap();
        let check = |name: &str, license: &str, source: &str| {
            let package = Package {
                name: name.to_owned(),
                version: "1.0.0".to_owned(),
                license: license.to_owned(),
                source: source.to_owned(),
                ..Package::default()
            };
            problems(&package, &policy).join("; ")
        };
        assert_eq!(check("good", "GPL-3.0 OR MIT", REGISTRY), "");
        assert_eq!(check("ours", "MIT", ""), "");
        assert_eq!(check("bad", "MIT", ""), "bad 1.0.0 is banned by deny.toml");
        assert_eq!(
            check("free", "", REGISTRY),
            "free 1.0.0 has the licence ``, which deny.toml does not allow"
        );
        assert_eq!(
            check("far", "ISC", "git+https://example.org/far"),
            "far 1.0.0 comes from git+https://example.org/far, not crates.io"
        );
    }
}
