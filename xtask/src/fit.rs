//! Fitting the coefficients of the search to labelled requests: see
//! `crates/skill-search/examples/fit`.

use anyhow::{Result, bail, ensure};

use crate::repo::Repo;
use crate::shell;

/// The labelled requests.
const ROUTING: &str = "../shared/eval/routing";
/// Copies of public repositories, for requests that were written for this project.
const FETCHED: &str = "../.mirror";
/// The directory of the output.
const DATA: &str = "crates/skill-search/data";

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask fit");
    }
    ensure!(repo.path(ROUTING).is_dir(), "{ROUTING} is not there");
    // The background is compiled in before the coefficients are fitted with it.
    example(repo, &[ROUTING, FETCHED, DATA, "--background"])?;
    example(repo, &[ROUTING, FETCHED, DATA])
}

fn example(repo: &Repo, args: &[&str]) -> Result<()> {
    let build = [
        "run",
        "--release",
        "--quiet",
        "-p",
        "skill-search",
        "--example",
        "fit",
        "--",
    ];
    shell::run(shell::cargo(repo).args(build).args(args))
}
