//! Elapsed time and peak memory of one program.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// GNU time; without it, memory is not measured.
const TIME: &str = "/usr/bin/time";

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measure {
    pub(super) seconds: f64,
    pub(super) megabytes: f64,
}

/// Runs `words`; an exit status outside `fine` is an error.
pub(super) fn measure(memory_file: &Path, words: &[OsString], fine: &[i32]) -> Result<Measure> {
    let with_time = Path::new(TIME).exists();
    let mut command = command(words, with_time.then_some(memory_file));
    let seconds = timed(&mut command, &words[0], fine)?;
    let megabytes = if with_time {
        kilobytes(&fs::read_to_string(memory_file)?) / 1024.0
    } else {
        0.0
    };
    Ok(Measure { seconds, megabytes })
}

/// Does the same without memory, and so without a wrapper program.
pub(super) fn spawn(words: &[OsString], fine: &[i32]) -> Result<Measure> {
    let mut command = command(words, None);
    let seconds = timed(&mut command, &words[0], fine)?;
    Ok(Measure {
        seconds,
        megabytes: 0.0,
    })
}

fn timed(command: &mut Command, name: &OsString, fine: &[i32]) -> Result<f64> {
    let start = Instant::now();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("cannot start {}", name.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    let is_fine = status.code().is_some_and(|code| fine.contains(&code));
    ensure!(is_fine, "{} ended with {status}", name.display());
    Ok(seconds)
}

fn command(words: &[OsString], memory_file: Option<&Path>) -> Command {
    let Some(file) = memory_file else {
        let mut res = Command::new(&words[0]);
        res.args(&words[1..]);
        return res;
    };
    let mut res = Command::new(TIME);
    res.args(["-f", "%M", "-o"]).arg(file).args(words);
    res
}

/// Parses the last line; a line about a non-zero exit status may precede it.
fn kilobytes(text: &str) -> f64 {
    text.lines()
        .last()
        .and_then(|line| line.trim().parse().ok())
        .unwrap_or(0.0)
}

/// Returns the median by time, with the largest memory of all.
pub(super) fn median(measures: &[Measure]) -> Measure {
    let mut sorted = measures.to_vec();
    sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let seconds = sorted
        .get(sorted.len() / 2)
        .map_or(0.0, |measure| measure.seconds);
    let megabytes = sorted
        .iter()
        .map(|measure| measure.megabytes)
        .fold(0.0, f64::max);
    Measure { seconds, megabytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_middle_time_and_the_largest_memory() {
        let all = [(3.0, 5.0), (1.0, 9.0), (2.0, 1.0)];
        let all = all.map(|(seconds, megabytes)| Measure { seconds, megabytes });
        assert_eq!(
            median(&all),
            Measure {
                seconds: 2.0,
                megabytes: 9.0
            }
        );
        assert_eq!(median(&[]), Measure::default());
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "whole numbers")]
    fn reads_the_last_line_of_time() {
        assert_eq!(
            kilobytes("Command exited with non-zero status 1\n2048\n"),
            2048.0
        );
    }
}
