//! The files that differ from a git revision.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use thiserror::Error;

/// The reason why the changed files are unknown.
#[derive(Debug, Error)]
pub enum ChangedError {
    /// The revision would be an option of git.
    #[error("`{0}` is not a revision, expected a name such as HEAD~1 or main")]
    Revision(String),
    /// Git cannot be started.
    #[error("cannot run git; install it, or check all skills")]
    NoGit(#[source] std::io::Error),
    /// Git reports an error.
    #[error("git {command}: {message}")]
    Git {
        /// The command of git.
        command: String,
        /// The message of git.
        message: String,
    },
}

/// Returns the files below a directory that differ from `revision` or are not tracked, relative to
/// the directory. The path of a `SKILL.md` means its directory.
///
/// # Errors
///
/// The revision does not exist, or git cannot be run there.
pub fn changed_files(path: &Path, revision: &str) -> Result<BTreeSet<String>, ChangedError> {
    if revision.starts_with('-') {
        return Err(ChangedError::Revision(revision.to_owned()));
    }
    let directory = if path.file_name().is_some_and(|name| name == "SKILL.md") {
        path.parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    } else {
        path
    };
    let diff = ["diff", "--name-only", "--relative", "-z", revision];
    let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
    let mut files = git(directory, &diff)?;
    files.extend(git(directory, &untracked)?);
    Ok(files)
}

fn git(directory: &Path, args: &[&str]) -> Result<BTreeSet<String>, ChangedError> {
    let settings = [
        "core.fsmonitor=false",
        "diff.external=",
        "core.quotePath=false",
    ];
    #[expect(clippy::disallowed_methods, reason = "git is only started here")]
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .args(args)
        .args(["--", "."])
        .output()
        .map_err(ChangedError::NoGit)?;
    if !output.status.success() {
        return Err(ChangedError::Git {
            command: args[0].to_owned(),
            message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        });
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect())
}
