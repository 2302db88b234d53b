//! The programs that install packages.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use skill_sandbox::{Outcome, Program, Spec, find_program, run};

use crate::error::Error;
use crate::variables::{harmless, redact};

/// The time limit of one command. Building a package from source takes minutes.
const TIMEOUT: Duration = Duration::from_hours(1);
/// Characters of a reason.
const MAX_REASON: usize = 500;

/// The variables that a command gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variables {
    /// Those of the user.
    All,
    /// Those without secrets, for commands that run code of packages.
    Harmless,
}

/// The environment of the user, for package managers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tools<'e> {
    pub(crate) environment: &'e BTreeMap<String, String>,
}

impl Tools<'_> {
    /// Returns the first of these programs that the user has.
    pub(crate) fn first<'n>(self, names: &[&'n str]) -> Option<&'n str> {
        let has = |name: &&&str| self.find(name).is_some();
        names.iter().find(has).copied()
    }

    /// Returns the place of a program that the user has.
    pub(crate) fn find(self, name: &str) -> Option<PathBuf> {
        let path = self.environment.get("PATH").map(OsStr::new);
        find_program(OsStr::new(name), path, Path::new("/"))
    }

    /// Runs a command to its end.
    pub(crate) fn run(
        self,
        words: &[&str],
        cwd: &Path,
        variables: Variables,
    ) -> Result<Outcome, Error> {
        let argv = words.iter().map(OsString::from).collect();
        let mut spec = Spec::new(Program::Argv(argv), cwd);
        spec.limits.timeout = Some(TIMEOUT);
        spec.ends_with_caller = true;
        let passed = match variables {
            Variables::All => self.environment.clone(),
            Variables::Harmless => harmless(self.environment),
        };
        let passed = passed.into_iter();
        spec.env = passed
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        // What a virtual environment or another installation set would lead elsewhere.
        for name in [
            "PYTHONHOME",
            "PYTHONPATH",
            "VIRTUAL_ENV",
            "NODE_PATH",
            "NODE_OPTIONS",
        ] {
            spec.env.remove(OsStr::new(name));
        }
        Ok(run(&spec)?)
    }

    /// Runs a command that must succeed, and returns its output.
    pub(crate) fn check(self, words: &[&str], cwd: &Path) -> Result<String, Error> {
        let outcome = self.run(words, cwd, Variables::All)?;
        if outcome.exit.success() {
            return Ok(String::from_utf8_lossy(&outcome.stdout).trim().to_owned());
        }
        Err(Error::Failed {
            command: words[..words.len().min(3)].join(" "),
            reason: reason(&outcome),
        })
    }
}

/// Returns the lines of an outcome that say why it failed, without passwords.
pub(crate) fn reason(outcome: &Outcome) -> String {
    if outcome.timed_out {
        return format!("it took longer than {} minutes", TIMEOUT.as_secs() / 60);
    }
    let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let is_noise = |line: &str| {
        line.is_empty()
            || line.contains("A complete log of this run")
            || line.starts_with("[notice]")
            || line.contains("WARNING: ")
    };
    let lines = text.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("npm error").unwrap_or(line).trim()
    });
    let lines: Vec<&str> = lines.filter(|line| !is_noise(line)).collect();
    let end = redact(&lines[lines.len().saturating_sub(6)..].join("; "));
    end.chars().take(MAX_REASON).collect()
}
