//! Checks of the tools for other systems, without these systems.
//!
//! A target is checked by `cargo check` if its standard library is installed, otherwise in the root
//! that `../shared/portability/portability.sh` has made. A target for which there is neither is
//! named; it does not fail the task. With `--wine`, a tool for Windows is also run.

mod stand_in;
mod wine;

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Result, bail};

use crate::repo::Repo;
use crate::shell;

/// The targets that the tools compile for, besides the one of this machine.
const TARGETS: &[&str] = &[
    "x86_64-pc-windows-gnu",
    "aarch64-apple-darwin",
    "x86_64-unknown-linux-musl",
];
/// The packages that compile for all of them: every tool, because one contains all.
const PACKAGES: &[&str] = &["skills-tools"];
const SCRIPT: &str = "../shared/portability/portability.sh";
/// The directory of the script's root, if the environment does not name another.
const ROOT: &str = "/var/cache/portability/root";
const ROOT_VARIABLE: &str = "PORTABILITY_ROOT";

/// The way to check a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// `cargo check --target` of this machine.
    Cargo,
    /// The script with its root.
    Script,
    /// There is none.
    None,
}

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let (flags, named): (Vec<&str>, Vec<&str>) = args
        .iter()
        .map(String::as_str)
        .partition(|arg| arg.starts_with('-'));
    if let Some(flag) = flags.iter().find(|flag| **flag != "--wine") {
        bail!("unknown option {flag}; expected --wine or names of targets");
    }
    let targets = if named.is_empty() {
        TARGETS.to_vec()
    } else {
        named
    };
    let installed = installed(repo);
    let has_root = repo.path(SCRIPT).is_file() && root().join("usr/bin/apt-get").is_file();
    let mut failed = Vec::new();
    for target in targets {
        let checked = match way(target, &installed, has_root) {
            Way::Cargo => {
                let mut check = shell::cargo(repo);
                stand_in::use_for(repo, target, &mut check)?;
                shell::run(check.args(cargo_arguments(target)))
            }
            Way::Script => shell::run(&mut script(repo, target)),
            Way::None => {
                println!("   not checked: {target}: {}", how(target));
                continue;
            }
        };
        match checked {
            Ok(()) => println!("   checked: {target}: {}", PACKAGES.join(", ")),
            Err(error) => failed.push(format!("{target}: {error:#}")),
        }
    }
    if !failed.is_empty() {
        bail!("not portable: {}", failed.join("; "));
    }
    if flags.is_empty() {
        Ok(())
    } else {
        wine::run(repo, &installed)
    }
}

fn way(target: &str, installed: &[String], has_root: bool) -> Way {
    if installed.iter().any(|one| one == target) {
        Way::Cargo
    } else if has_root {
        Way::Script
    } else {
        Way::None
    }
}

/// Returns what a reader needs to have `target` checked.
fn how(target: &str) -> String {
    format!(
        "its standard library is not installed (`rustup target add {target}`), and {} has no root of {SCRIPT} (set {ROOT_VARIABLE})",
        root().display()
    )
}

fn root() -> PathBuf {
    env::var_os(ROOT_VARIABLE).map_or_else(|| Path::new(ROOT).to_owned(), PathBuf::from)
}

/// Returns the targets whose standard library is installed.
fn installed(repo: &Repo) -> Vec<String> {
    let mut rustc = shell::program(repo, "rustc");
    let Ok(sysroot) = shell::capture(rustc.args(["--print", "sysroot"])) else {
        return Vec::new();
    };
    let targets = Path::new(sysroot.trim()).join("lib/rustlib");
    let entries = fs::read_dir(targets).into_iter().flatten().flatten();
    let with_library = entries.filter(|entry| entry.path().join("lib").is_dir());
    with_library
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

fn cargo_arguments(target: &str) -> Vec<&str> {
    let packages = PACKAGES.iter().flat_map(|package| ["-p", package]);
    let start = ["check", "--quiet", "--locked", "--target", target];
    start.into_iter().chain(packages).collect()
}

fn script(repo: &Repo, target: &str) -> std::process::Command {
    let mut res = shell::program(repo, repo.path(SCRIPT));
    res.arg(repo.root()).arg("--root").arg(root());
    res.args(["--targets", target, "--packages", &PACKAGES.join(" ")]);
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefers_what_is_installed() {
        let installed = ["x86_64-unknown-linux-musl".to_owned()];
        for (target, has_root, expected) in [
            ("x86_64-unknown-linux-musl", true, Way::Cargo),
            ("aarch64-apple-darwin", true, Way::Script),
            ("aarch64-apple-darwin", false, Way::None),
        ] {
            assert_eq!(way(target, &installed, has_root), expected, "{target}");
        }
    }
}
