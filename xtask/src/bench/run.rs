//! What running a skill costs beyond its program: over spawning the same child with
//! `std::process`, over a call into a module that is loaded, and with many calls at one time.
//!
//! Everything is measured by one process, in turns, so that differences are those of the same minute.

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
    ]))
}
