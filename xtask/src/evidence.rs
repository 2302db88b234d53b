//! Evidence for claims of robustness: hostile input, kills, faults, a full disk; and that tests of
//! triggers have the figures of another scorer.
//!
//! The cases of robustness are in `fixtures/hostile`.

use anyhow::{Result, bail};

use crate::repo::Repo;
use crate::{crosscheck, shell};

const SCRIPTS: &str = "xtask/src/evidence";
const FIXTURES: &str = "fixtures/hostile";
const WORK: &str = "target/evidence";

/// The parts, each a script that prints a line per claim and fails if one does not hold.
const PARTS: &[&str] = &["hostile", "crash", "triggers"];

/// Runs all parts, or those that are named first; arguments after `--` go to `crash.py`.
pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let split = args.iter().position(|arg| arg.starts_with("--"));
    let (names, flags) = args.split_at(split.unwrap_or(args.len()));
    if let Some(unknown) = names.iter().find(|name| !PARTS.contains(&name.as_str())) {
        bail!(
            "no part is called `{unknown}`; there are {}",
            PARTS.join(", ")
        );
    }
    let tool = crosscheck::build(repo)?;
    let mut failed = Vec::new();
    for part in PARTS.iter().filter(|part| is_wanted(part, names)) {
        println!("── {part}");
        let mut command = shell::program(repo, "python3");
        command.arg(format!("{SCRIPTS}/{part}.py")).args([
            &tool,
            &repo.path(FIXTURES),
            &repo.path(WORK).join(part),
        ]);
        if *part == "crash" {
            command.args(flags);
        }
        if shell::run(&mut command).is_err() {
            failed.push(*part);
        }
    }
    if !failed.is_empty() {
        bail!("not everything held: {}", failed.join(", "));
    }
    Ok(())
}

fn is_wanted(part: &str, names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| name == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_run_unless_some_are_named() {
        assert!(is_wanted("crash", &[]));
        assert!(is_wanted("crash", &["crash".to_owned()]));
        assert!(!is_wanted("hostile", &["crash".to_owned()]));
    }
}
