//! `docs/benchmarks.md`: the output of the last run of all benchmarks, with the machine and its
//! load.

use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::time::Instant;
use std::{env, thread};

use anyhow::{Context, Result, ensure};

use super::{BENCHMARKS, Benchmark};
use crate::repo::Repo;
use crate::shell;

const FILE: &str = "docs/benchmarks.md";

const HEAD: &str = "# Benchmarks

<!-- written by `cargo xtask bench --write`; do not edit -->

The cost of the tools as a multiple of the lowest cost of the same work, on the same machine in the \
same minute: `cp -r`, `cat`, the start of a program that does nothing.

Ratios are easier to compare between machines than seconds, but not exactly: other load slows \
programs with many threads more than `cat`. Each table therefore has its load average. If it is \
above the number of cores, other programs were running, and the figures are upper bounds at best. \
*kept* and *BROKEN* compare with the promises of this project for an idle machine.

Peers are measured if `cargo xtask peers` has installed them.
";

/// Runs all benchmarks like `all` and records their output.
pub(super) fn write(repo: &Repo, is_quick: bool) -> Result<()> {
    let mut text = format!("{HEAD}\n{}", machine(repo)?);
    let mut failed = Vec::new();
    for one in BENCHMARKS {
        let (section, is_fine) = section(repo, one, is_quick)?;
        print!("{section}");
        text.push_str(&section);
        if !is_fine {
            failed.push(one.name);
        }
    }
    fs::write(repo.path(FILE), text).with_context(|| format!("cannot write {FILE}"))?;
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// Runs one benchmark and rewrites its section, with the commit it was measured at.
pub(super) fn write_one(repo: &Repo, one: &Benchmark) -> Result<()> {
    let (section, is_fine) = section(repo, one, false)?;
    let alone = format!(" Run alone, at commit {}.\n\n```text", commit(repo)?);
    let section = section.replacen("\n\n```text", &alone, 1);
    print!("{section}");
    let old = fs::read_to_string(repo.path(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let text = replaced(&old, one.name, &section).with_context(|| {
        format!(
            "{FILE} has no section `{}`: cargo xtask bench --write",
            one.name
        )
    })?;
    fs::write(repo.path(FILE), text).with_context(|| format!("cannot write {FILE}"))?;
    ensure!(is_fine, "failed: {}", one.name);
    Ok(())
}

/// Returns the document with the section of that name replaced.
fn replaced(old: &str, name: &str, section: &str) -> Option<String> {
    let start = old.find(&format!("\n## {name}\n"))?;
    let end = old[start + 1..].find("\n## ");
    let end = end.map_or(old.len(), |at| start + 1 + at);
    Some(format!("{}{section}{}", &old[..start], &old[end..]))
}

fn section(repo: &Repo, one: &Benchmark, is_quick: bool) -> Result<(String, bool)> {
    let before = load();
    let start = Instant::now();
    let mut command = shell::program(repo, env::current_exe()?);
    command.arg("bench").arg(one.name);
    let output = command
        .args(one.options(is_quick))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let took = start.elapsed().as_secs();
    let command = one.command(is_quick);
    let mut res = format!(
        "\n## {}\n\nMeasures {}. Load {before} before, {} after; {took} s in all.\n\n",
        one.name,
        one.about,
        load(),
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    let printed = printed.lines().map(|line| format!("{}\n", line.trim_end()));
    let printed: String = printed.collect();
    let _ = write!(res, "```text\n$ {command}\n{printed}```\n");
    Ok((res, output.status.success()))
}

/// Returns the load average of the last minute.
pub(super) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.unwrap_or("unknown").to_owned()
}

fn machine(repo: &Repo) -> Result<String> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpu = field(&read("/proc/cpuinfo"), "model name");
    let memory = field(&read("/proc/meminfo"), "MemTotal");
    let kernel = read("/proc/sys/kernel/osrelease");
    let n_cores = thread::available_parallelism()?;
    let commit = commit(repo)?;
    Ok(format!(
        "Machine: {n_cores} cores ({cpu}), {memory} of memory, Linux {}. Commit {commit}.\n",
        kernel.trim(),
    ))
}

fn commit(repo: &Repo) -> Result<String> {
    let mut git = shell::program(repo, "git");
    let commit = shell::capture(git.args(["describe", "--always", "--dirty"]))?;
    Ok(commit.trim().to_owned())
}

/// Returns the value of the first entry of that name in a `/proc` file.
fn field(text: &str, name: &str) -> String {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(key, _)| key.trim() == name);
    let value = values.next().map(|(_, value)| value.trim());
    value.unwrap_or("unknown").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_section_is_replaced() {
        let old = "# All\n\n## a\n\n1\n\n## ab\n\n2\n";
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(replaced(old, name, "\n## NEW\n").as_deref(), expected);
        };
        check("a", Some("# All\n\n## NEW\n\n## ab\n\n2\n"));
        check("ab", Some("# All\n\n## a\n\n1\n\n## NEW\n"));
        check("b", None);
    }

    #[test]
    fn reads_fields_of_proc() {
        let text = "processor\t: 0\nmodel name\t: Some CPU: fast\nmodel name\t: Other\n";
        assert_eq!(field(text, "model name"), "Some CPU: fast");
        assert_eq!(field(text, "bogomips"), "unknown");
    }
}
