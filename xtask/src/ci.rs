//! All checks, one after another; the first that fails ends the run and is named.

mod needs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use skill_testing::{find, skip};

use crate::repo::Repo;
use crate::{agents, clients, codegen, nats_server, portability, shell, tidy};

type Step = (&'static str, fn(&Repo) -> Result<()>);

const STEPS: &[Step] = &[
    ("fmt", fmt),
    ("tidy", |repo| tidy::run(repo, &[])),
    ("clippy", clippy),
    ("portability", |repo| portability::run(repo, &[])),
    ("clients", |repo| clients::run(repo, &[])),
    ("browser", browser),
    ("nats-server", |repo| nats_server::run(repo, &[])),
    ("test", test),
    ("agents", |repo| agents::run(repo, &["--few".to_owned()])),
    ("doctest", doctest),
    ("snapshots", snapshots),
    ("doc", doc),
    ("codegen", |repo| {
        codegen::run(repo, &["--check".to_owned()])
    }),
];

/// `insta` writes the path of every snapshot that a test looked at into this file.
const SNAPSHOTS_SEEN: &str = "target/snapshots-seen.txt";

pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    let start = Instant::now();
    let result = steps(repo);
    needs::report(repo);
    result?;
    println!(
        "all {} steps passed in {:.1} s",
        STEPS.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

fn steps(repo: &Repo) -> Result<()> {
    needs::begin(repo)?;
    for (name, step) in STEPS {
        println!("── {name}");
        let start = Instant::now();
        step(repo).with_context(|| format!("step `{name}` failed"))?;
        println!("   {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn fmt(repo: &Repo) -> Result<()> {
    shell::run(shell::cargo(repo).args(["fmt", "--all", "--check"]))
}

fn clippy(repo: &Repo) -> Result<()> {
    shell::run(shell::cargo(repo).args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ]))
}

/// The report is looked at in a browser. Where there is none, and none can be had, the tests that
/// need it say that they were skipped.
fn browser(repo: &Repo) -> Result<()> {
    if find::BROWSERS.iter().any(|path| Path::new(path).exists()) {
        return Ok(());
    }
    let install = "apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
                   apt-get install -y -qq --no-install-recommends chromium";
    let is_root = shell::capture(shell::program(repo, "id").arg("-u"))? == "0\n";
    if !is_root || !shell::works(shell::program(repo, "sh").args(["-c", install])) {
        println!(
            "   skipped: Chromium is not here and cannot be installed (as root: apt-get install chromium)"
        );
    }
    Ok(())
}

fn test(repo: &Repo) -> Result<()> {
    let seen = repo.path(SNAPSHOTS_SEEN);
    fs::create_dir_all(repo.path("target"))?;
    fs::write(&seen, "")?;
    let required = needs::required(repo)?;
    println!("   required: {required}");
    let mut command = shell::cargo(repo);
    if shell::works(shell::cargo(repo).args(["nextest", "--version"])) {
        command.args(["nextest", "run", "--workspace"]);
    } else {
        println!("   cargo-nextest is not installed; cargo test it is");
        command.args(["test", "--workspace", "--quiet"]);
    }
    shell::run(
        command
            .env("INSTA_SNAPSHOT_REFERENCES_FILE", &seen)
            .env("INSTA_UPDATE", "no")
            .env(skip::REQUIRE, required)
            .env(skip::RECORD, needs::begin(repo)?),
    )
}

/// Runs the examples in documentation comments, which nextest does not run.
fn doctest(repo: &Repo) -> Result<()> {
    shell::run(shell::cargo(repo).args(["test", "--workspace", "--doc", "--quiet"]))
}

fn snapshots(repo: &Repo) -> Result<()> {
    let seen = repo.read(SNAPSHOTS_SEEN)?;
    let root = repo.root().canonicalize()?;
    let seen = seen.lines().filter_map(|line| fs::canonicalize(line).ok());
    let seen: BTreeSet<_> = seen
        .filter_map(|path| {
            Some(
                path.strip_prefix(&root)
                    .ok()?
                    .to_string_lossy()
                    .into_owned(),
            )
        })
        .collect();
    let all = repo.files(".", ".snap")?;
    let orphans = unreferenced(&all, &seen);
    ensure!(
        orphans.is_empty(),
        "no test looks at these snapshots: {}",
        orphans.join(", ")
    );
    Ok(())
}

fn unreferenced<'a>(all: &'a [String], seen: &BTreeSet<String>) -> Vec<&'a str> {
    let plain = all.iter().map(|path| path.trim_start_matches("./"));
    plain.filter(|path| !seen.contains(*path)).collect()
}

fn doc(repo: &Repo) -> Result<()> {
    let mut command = shell::cargo(repo);
    command.args(["doc", "--workspace", "--no-deps", "--quiet"]);
    shell::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_snapshots_that_no_test_looked_at() {
        let all = ["./tests/a.snap".to_owned(), "tests/b.snap".to_owned()];
        let seen = BTreeSet::from(["tests/a.snap".to_owned()]);
        assert_eq!(unreferenced(&all, &seen), ["tests/b.snap"]);
    }
}
