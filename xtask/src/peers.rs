//! Third-party tools for the same work, for comparison in `cargo xtask bench peers`: installed
//! below `target`, never anywhere else.

use std::path::PathBuf;

use anyhow::Result;

use crate::repo::Repo;
use crate::{crosscheck, shell};

/// From crates.io, into `target/peers`.
const CRATES: [&str; 2] = ["skref@1.2.0", "agent-skills-cli@0.5.0"];
const PLACE: &str = "target/peers";

pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    for one in CRATES {
        let mut command = shell::cargo(repo);
        command.args(["install", "--quiet", "--locked", "--root", PLACE, one]);
        match shell::run(&mut command) {
            Ok(()) => println!("   {one}: installed in {PLACE}"),
            Err(err) => println!("   {one}: not installed: {err:#}"),
        }
    }
    match crosscheck::reference(repo)? {
        Ok(python) => println!("   skills-ref: installed beside {}", python.display()),
        Err(reason) => println!("   skills-ref: not installed: {reason}"),
    }
    Ok(())
}

/// Returns the path of an installed peer's program.
pub(crate) fn program(repo: &Repo, name: &str) -> PathBuf {
    match name {
        // The program of the package skills-ref has another name.
        "skills-ref" => repo.path("target/crosscheck/venv/bin/agentskills"),
        _ => repo.path(PLACE).join("bin").join(name),
    }
}
