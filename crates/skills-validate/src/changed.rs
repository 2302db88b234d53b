//! `--changed-since`: what git says has changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

/// Files below a directory that differ from a revision, or are not tracked, relative to it.
pub(super) fn files(path: &Path, revision: &str) -> anyhow::Result<BTreeSet<String>> {
    if revision.starts_with('-') {
        bail!("`{revision}` is not a revision");
    }
    let directory = if path.file_name().is_some_and(|name| name == "SKILL.md") {
        path.parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    } else {
        path
    };
    let mut files = git(
        directory,
        &[
            "diff",
            "--name-only",
            "--relative",
            "-z",
            revision,
            "--",
            ".",
        ],
    )?;
    files.extend(git(
        directory,
        &[
            "ls-files",
            "--others",
            "--exclude-standard",
            "-z",
            "--",
            ".",
        ],
    )?);
    Ok(files)
}

fn git(directory: &Path, args: &[&str]) -> anyhow::Result<BTreeSet<String>> {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks git")]
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "diff.external=",
            "-c",
            "core.quotePath=false",
        ])
        .args(args)
        .output()
        .context("cannot run git")?;
    if !output.status.success() {
        bail!(
            "git {}: {}",
            args[0],
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect())
}
