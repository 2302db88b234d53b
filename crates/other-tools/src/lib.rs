//! Starts other tools of this project.
//!
//! `skills-migrate` and `skills-validate` are built in a minute because the code that runs programs
//! and the code for other machines are in tools of their own. The program `skills` contains all tools
//! and starts itself.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use skill_language::{FLAG, Language};

/// The name of the program that contains all tools.
pub const ALL: &str = "skills";
/// The prefix of the names of tools.
pub const PREFIX: &str = "skills-";

/// A tool was not started.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The path of this program is unknown.
    #[error("cannot find the directory of the tools")]
    NoDirectory(#[source] io::Error),
    /// The tool is not beside this one.
    #[error("{tool} is not in {directory}, and this command needs it; add it with: {advice}")]
    Missing {
        /// The name of the tool.
        tool: String,
        /// The directory of this tool.
        directory: String,
        /// The command that adds it.
        advice: String,
    },
    /// The system did not start it.
    #[error("cannot start {tool}")]
    Start {
        /// The name of the tool.
        tool: String,
        /// The answer of the system.
        source: io::Error,
    },
}

impl ToolError {
    fn start(tool: &str, source: io::Error) -> Self {
        let tool = tool.to_owned();
        Self::Start { tool, source }
    }
}

/// Runs a tool to its end and returns its output.
///
/// # Errors
///
/// The tool is not installed, or cannot be started.
pub fn output<A: AsRef<OsStr>>(
    tool: &str,
    language: Language,
    args: &[A],
) -> Result<Output, ToolError> {
    let mut command = command(tool, language)?;
    let output = command.args(args).output();
    output.map_err(|error| ToolError::start(tool, error))
}

/// Runs a tool in place of this one: with its streams, and with its exit status.
///
/// # Errors
///
/// The tool is not installed, or cannot be started. Otherwise this does not return.
pub fn replace<A: AsRef<OsStr>>(
    tool: &str,
    language: Language,
    args: impl IntoIterator<Item = A>,
) -> Result<std::convert::Infallible, ToolError> {
    let mut command = command(tool, language)?;
    Err(ToolError::start(tool, replaced(command.args(args))))
}

#[cfg(unix)]
fn replaced(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
#[expect(
    clippy::exit,
    reason = "there is no other way to end as the other tool did"
)]
fn replaced(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tools of this project are started here, programs of skills by skill-sandbox"
)]
fn command(tool: &str, language: Language) -> Result<Command, ToolError> {
    let own = std::env::current_exe().map_err(ToolError::NoDirectory)?;
    let short = tool.strip_prefix(PREFIX).unwrap_or(tool);
    if own.file_stem().is_some_and(|name| name == ALL) {
        let mut res = Command::new(own);
        res.args([short, FLAG, language.word()]);
        return Ok(res);
    }
    let path = sibling_of(&own, tool);
    if !path.is_file() {
        let dir = own.parent().unwrap_or(Path::new("."));
        return Err(ToolError::Missing {
            tool: tool.to_owned(),
            directory: dir.display().to_string(),
            advice: advice(dir, tool),
        });
    }
    let mut res = Command::new(path);
    res.args([FLAG, language.word()]);
    Ok(res)
}

/// Returns the command that adds a tool to a directory: of builds, or of installed programs.
fn advice(dir: &Path, tool: &str) -> String {
    match dir.file_name().and_then(OsStr::to_str) {
        Some("debug") => format!("cargo build --bin {tool}"),
        Some("release") => format!("cargo build --release --bin {tool}"),
        _ => format!("cargo install --locked --path crates/{tool}"),
    }
}

fn sibling_of(own: &Path, tool: &str) -> PathBuf {
    own.with_file_name(format!("{tool}{}", std::env::consts::EXE_SUFFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dir: &str, expected: &str) {
        assert_eq!(advice(Path::new(dir), "skills-parity"), expected);
    }

    #[test]
    fn the_advice_adds_the_tool_to_the_directory() {
        check("/x/target/debug", "cargo build --bin skills-parity");
        check(
            "/x/target/release",
            "cargo build --release --bin skills-parity",
        );
        let install = "cargo install --locked --path crates/skills-parity";
        check("/home/x/.cargo/bin", install);
        check("/", install);
    }
}
