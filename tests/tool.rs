//! `skills-migrate` in process: arguments in, exit status and output out.

use std::fs;
use std::path::Path;

use clap::Parser as _;
use serde_json::Value;
use skill_testing::Buffer;
use skills_cli::{ExitStatus, output::Streams};
use skills_migrate as migrate;
use skills_validate as validate;
use tempfile::TempDir;

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `skills-migrate` with these arguments.
pub(crate) fn migrate(args: &[&str]) -> Run {
    let words = ["skills-migrate"].iter().chain(args);
    let args = migrate::Args::try_parse_from(words).unwrap();
    capture(|streams| migrate::run(args, streams))
}

/// Runs `skills-validate` with these arguments.
pub(crate) fn validate(args: &[&str]) -> Run {
    let words = ["skills-validate"].iter().chain(args);
    let args = validate::Args::try_parse_from(words).unwrap();
    capture(|streams| validate::run(args, streams))
}

fn capture(run: impl FnOnce(&mut Streams) -> anyhow::Result<ExitStatus>) -> Run {
    let [stdout, stderr] = [Buffer::default(), Buffer::default()];
    let mut streams = Streams::in_memory(stdout.clone(), stderr.clone());
    let status = match run(&mut streams) {
        Ok(status) => status.code(),
        Err(err) => {
            streams.failure(&err).unwrap();
            2
        }
    };
    drop(streams);
    Run {
        status,
        stdout: stdout.text(),
        stderr: stderr.text(),
    }
}

/// Migrates `input` to `out` and returns the full report.
pub(crate) fn report(input: &Path, out: &Path, more: &[&str]) -> Value {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("report.json");
    let [input, out, report] = [input, out, &file].map(|path| path.to_str().unwrap());
    let run = migrate(&[&[input, "--out", out, "--report", report, "--quiet"], more].concat());
    let text = fs::read_to_string(&file).unwrap_or_else(|err| panic!("{err}: {run:?}"));
    serde_json::from_str(&text).unwrap()
}
