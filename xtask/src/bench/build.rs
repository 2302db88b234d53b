//! The cost of building a tool from an empty target directory, in seconds of processor time and in
//! crates, beside a peer from the registry.

use std::process::Stdio;
use std::{fs, path::Path};

use anyhow::{Context, Result, bail, ensure};

use crate::repo::Repo;
use crate::{cpu, shell};

/// The target directory of one build; it is removed after each.
const PLACE: &str = "target/bench-build";

/// One build: arguments of cargo, and what it may cost at most.
struct Build {
    name: &'static str,
    words: &'static [&'static str],
    promise: Option<Promise>,
}

/// The promised maximum.
struct Promise {
    seconds: f64,
    crates: usize,
}

const BUILDS: &[Build] = &[
    Build {
        name: "skills-migrate",
        words: &["build", "--release", "--bin", "skills-migrate"],
        promise: Some(Promise {
            seconds: 180.0,
            crates: 110,
        }),
    },
    Build {
        name: "skills-migrate, debug",
        words: &["build", "--bin", "skills-migrate"],
        promise: None,
    },
    Build {
        name: "skills-validate",
        words: &["build", "--release", "--bin", "skills-validate"],
        promise: Some(Promise {
            seconds: 120.0,
            crates: 110,
        }),
    },
    Build {
        name: "skills-validate, debug",
        words: &["build", "--bin", "skills-validate"],
        promise: None,
    },
    Build {
        name: "skills",
        words: &["build", "--release", "--bin", "skills"],
        promise: None,
    },
    Build {
        name: "agent-skills-cli",
        words: &[
            "install",
            "--root",
            PLACE,
            "agent-skills-cli@0.5.0",
            "--locked",
        ],
        promise: None,
    },
];

/// The cost of one build.
struct Cost {
    seconds: f64,
    crates: usize,
}

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let only = match words[..] {
        [] => None,
        ["--only", name] => Some(name),
        _ => bail!("usage: cargo xtask bench build [--only NAME]"),
    };
    println!("from an empty target directory, `incremental` off");
    println!("{:<22} {:>9} {:>7}   promise", "what", "CPU s", "crates");
    let wanted = |build: &&Build| only.is_none_or(|name| build.name == name);
    for build in BUILDS.iter().filter(wanted) {
        let cost = measure(repo, build)?;
        println!("{}", row(build, &cost));
    }
    Ok(())
}

fn measure(repo: &Repo, build: &Build) -> Result<Cost> {
    let place = repo.path(PLACE);
    remove(&place)?;
    let mut command = shell::cargo(repo);
    command.args(build.words).stdin(Stdio::null());
    command.env("CARGO_TARGET_DIR", &place);
    command
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TERM_COLOR", "never");
    let before = cpu::of_children()?;
    let output = command.output().context("cannot start cargo")?;
    let seconds = cpu::of_children()? - before;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {text}", build.name);
    remove(&place)?;
    Ok(Cost {
        seconds,
        crates: compiled(&text),
    })
}

fn remove(place: &Path) -> Result<()> {
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    Ok(())
}

/// Returns the number of crates that cargo says it compiled; a crate and its build script are one.
fn compiled(text: &str) -> usize {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with("Compiling ")).count()
}

fn row(build: &Build, cost: &Cost) -> String {
    let verdict = build.promise.as_ref().map(|promise| {
        let is_kept = cost.seconds <= promise.seconds && cost.crates <= promise.crates;
        let word = if is_kept { "kept" } else { "BROKEN" };
        let Promise { seconds, crates } = promise;
        format!("{word}: at most {seconds} s, {crates} crates")
    });
    let verdict = verdict.unwrap_or_default();
    let line = format!(
        "{:<22} {:>9.1} {:>7}   {verdict}",
        build.name, cost.seconds, cost.crates
    );
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_counted_once() {
        let text = "   Compiling a v1.0.0\n   Compiling b v2.0.0 (/x)\n    Finished `release`\n";
        assert_eq!(compiled(text), 2);
    }

    #[test]
    fn a_broken_promise_is_loud() {
        let build = &BUILDS[0];
        let row = |seconds, crates| row(build, &Cost { seconds, crates });
        assert!(row(181.0, 3).contains("BROKEN"));
        assert!(row(1.0, 111).contains("BROKEN"));
        assert!(row(180.0, 110).contains("kept"));
    }
}
