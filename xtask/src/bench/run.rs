//! The cost of running a skill in addition to its program: compared with spawning the same child
//! with `std::process`, with a call into a loaded module, with many concurrent calls, with a request by
//! `ureq`, with a tool of an MCP server by the client of the SDK, and for a connection to a host of an
//! allow-list.
//!
//! One process measures the calls in turns, so that differences belong to the same minute; a test
//! of the sandbox measures connections from inside.

use anyhow::{Result, bail};

use crate::repo::Repo;
use crate::shell;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask bench run");
    }
    for (package, example) in [
        ("skill-executor", "run_cost"),
        ("skill-mcp", "service_cost"),
    ] {
        let words = ["run", "--release", "--quiet", "-p", package];
        shell::run(shell::cargo(repo).args(words).args(["--example", example]))?;
    }
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

/// Number of measured connections, each way.
const CONNECTIONS: &str = "1000";
