//! Starting other programs.

use std::env;
use std::ffi::OsStr;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::repo::Repo;

/// Returns the cargo that started this program, at the root of the workspace.
pub(crate) fn cargo(repo: &Repo) -> Command {
    let mut res = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    res.current_dir(repo.root());
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(describes_xtask) {
            res.env_remove(name);
        }
    }
    // A machine of CI compiles a commit once. What would speed up the next compilation takes
    // gigabytes there, and has filled a disk.
    if env::var_os("CI").is_some() {
        res.env("CARGO_INCREMENTAL", "0");
    }
    res
}

/// Returns whether `cargo run` sets a variable to describe this program. Build scripts depend on
/// some of them, and would cause rebuilds by the next direct cargo call.
fn describes_xtask(name: &str) -> bool {
    let names = [
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PRIMARY_PACKAGE",
    ];
    name.starts_with("CARGO_PKG_") || names.contains(&name)
}

pub(crate) fn program(repo: &Repo, name: impl AsRef<OsStr>) -> Command {
    let mut res = Command::new(name);
    res.current_dir(repo.root());
    res
}

/// Runs it with inherited output; a failure is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", shown(command));
    }
    Ok(())
}

/// Runs it without a terminal and returns its standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    let stdout = stdout_of(command, output)?;
    String::from_utf8(stdout).with_context(|| format!("{} prints no UTF-8", shown(command)))
}

/// Runs it with `input` as standard input and returns its standard output.
pub(crate) fn filter(command: &mut Command, input: &[u8]) -> Result<Vec<u8>> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    let mut stdin = child.stdin.take().expect("it was requested");
    // A program that ends early closes the pipe; its status is what counts.
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output()
    });
    stdout_of(command, output?)
}

fn stdout_of(command: &Command, output: Output) -> Result<Vec<u8>> {
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{} ended with {}\n{}",
            shown(command),
            output.status,
            stderr.trim()
        );
    }
    Ok(output.stdout)
}

/// Returns whether it starts and succeeds; its output is ignored.
pub(crate) fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn shown(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command() {
        let err = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
        assert_eq!(err.to_string(), "`sh -c exit 3` ended with exit status: 3");
    }

    #[test]
    fn a_filter_gets_its_input() {
        let input = vec![b'a'; 1 << 20];
        assert_eq!(filter(&mut Command::new("cat"), &input).unwrap(), input);
        let err = filter(
            Command::new("sh").args(["-c", "echo no >&2; exit 3"]),
            &input,
        );
        let err = err.unwrap_err().to_string();
        assert!(err.ends_with("ended with exit status: 3\nno"), "{err}");
    }

    #[test]
    fn a_missing_program_does_not_work() {
        assert!(!works(&mut Command::new("no-such-program-anywhere")));
    }

    #[test]
    fn cargo_is_not_told_of_xtask() {
        for (name, expected) in [
            ("CARGO_PKG_NAME", true),
            ("CARGO_MANIFEST_DIR", true),
            ("CARGO_HOME", false),
            ("CARGO_TARGET_DIR", false),
        ] {
            assert_eq!(describes_xtask(name), expected, "{name}");
        }
    }
}
