//! The cost of starting and ending a tool, as a multiple of starting `true`, and the size of the
//! tools.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::measure::{median, spawn};
use crate::crosscheck;
use crate::repo::Repo;

/// The promised maximum in milliseconds.
const MAX_START: f64 = 5.0;
const N_ROUNDS: usize = 51;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let directory = match args {
        [] => crosscheck::build(repo)?.with_file_name(""),
        [flag, directory] if flag == "--tools" => directory.into(),
        _ => bail!("usage: cargo xtask bench start [--tools DIRECTORY]"),
    };
    println!("`--version`, {N_ROUNDS} rounds in turn, page cache warm");
    println!(
        "{:<16} {:>9} {:>9} {:>8} {:>7}   promise",
        "what", "median ms", "least ms", "÷ true", "MB"
    );
    let tools = repo.binaries()?;
    let mut times = vec![Vec::new(); tools.len() + 1];
    for _ in 0..N_ROUNDS {
        times[0].push(spawn(&["true".into()], &[0])?);
        for (tool, times) in tools.iter().zip(&mut times[1..]) {
            times.push(spawn(
                &[directory.join(tool).into(), "--version".into()],
                &[0],
            )?);
        }
    }
    let floor = milliseconds(&times[0]);
    println!("{:<16} {:>9.2} {:>9.2}", "true", floor.0, floor.1);
    for (tool, times) in tools.iter().zip(&times[1..]) {
        let time = milliseconds(times);
        println!("{}", row(tool, time, floor, size(&directory.join(tool))?));
    }
    Ok(())
}

/// Returns the median and the minimum.
fn milliseconds(times: &[super::Measure]) -> (f64, f64) {
    let least = times.iter().map(|time| time.seconds);
    let least = least.fold(f64::INFINITY, f64::min);
    (median(times).seconds * 1e3, least * 1e3)
}

fn row(tool: &str, time: (f64, f64), floor: (f64, f64), size: f64) -> String {
    let verdict = if time.0 <= MAX_START {
        "kept"
    } else {
        "BROKEN"
    };
    format!(
        "{tool:<16} {:>9.2} {:>9.2} {:>8.2} {size:>7.1}   {verdict}: at most {MAX_START} ms",
        time.0,
        time.1,
        time.0 / floor.0
    )
}

/// Returns the size in megabytes.
fn size(file: &Path) -> Result<f64> {
    let bytes = u32::try_from(fs::metadata(file)?.len())?;
    Ok(f64::from(bytes) / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_start_is_loud() {
        let row = |time| row("t", (time, time), (1.0, 1.0), 1.0);
        assert!(row(5.1).ends_with("BROKEN: at most 5 ms"));
        assert!(row(4.9).ends_with("kept: at most 5 ms"));
    }
}
