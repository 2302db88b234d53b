//! What running a skill costs beyond its program: over spawning the same child with
//! `std::process`, over a call into a module that is loaded, with many calls at one time, and for a
//! connection to a host of an allow-list.
//!
//! Calls are measured by one process, in turns, so that differences are those of the same minute;
//! connections by a test of the sandbox, from inside.

use anyhow::{Result, bail};

use crate::repo::Repo;
use crate::shell;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask bench run");
    }
    shell::run(shell::cargo(repo).args([
        "run",
        "--release",
        "--quiet",
        "-p",
        "skill-executor",
        "--example",
        "run_cost",
    ]))?;
    shell::run(
        shell::cargo(repo)
            .env("SKILL_SANDBOX_ROUNDS", CONNECTIONS)
            .args([
                "test",
                "--release",
                "--quiet",
                "-p",
                "skill-sandbox",
                "--test",
                "confined",
                "--",
                "--nocapture",
                "a_connection_directly_and_through_the_relay",
            ]),
    )
}

/// How many connections are measured, each way.
const CONNECTIONS: &str = "1000";
