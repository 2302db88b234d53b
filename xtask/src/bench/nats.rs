//! The cost and the robustness of skills on other machines: the tests of `skill-nats` and the
//! shared migration in full size, in a release build, with their figures.

use anyhow::{Result, bail};

use crate::repo::Repo;
use crate::{nats_server, shell};

/// Calls in each load test and in the measurement.
const CALLS: &str = "10000";
/// Directories of the shared migration.
const DIRECTORIES: &str = "5000";

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let (calls, directories) = match words[..] {
        [] => (CALLS, DIRECTORIES),
        ["--calls", calls, "--directories", directories] => (calls, directories),
        _ => bail!("usage: cargo xtask bench nats [--calls N --directories N]"),
    };
    if nats_server::get(repo)?.is_none() {
        bail!("there is no nats-server: cargo xtask nats-server");
    }
    for filter in ["overhead", "storm"] {
        shell::run(test(repo, "skill-nats", "nodes", filter).env("SKILLS_CALLS", calls))?;
    }
    shell::run(test(repo, "skills-tools", "scale", "workers").env("SKILLS_SCALE", directories))
}

fn test(repo: &Repo, package: &str, target: &str, filter: &str) -> std::process::Command {
    let mut res = shell::cargo(repo);
    res.args([
        "test",
        "--release",
        "--quiet",
        "-p",
        package,
        "--test",
        target,
        "--",
    ]);
    res.args([filter, "--nocapture", "--test-threads", "1"]);
    // The figures are diagnostics of the tests; here they are the result.
    res.stderr(std::io::stdout());
    res
}
