//! The same clock and the same random numbers for all runs of a case, and a record of connections
//! that failed.
//!
//! Programs load two small files before their own code: Node.js by `NODE_OPTIONS`, Python by
//! `PYTHONPATH`. Other programs have the clock of [`crate::program_clock`]. No other tool does this.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skill_loader::fs::{ReadError, Root};

/// The file for Node.js.
const NODE: &str = include_str!("steady/steady.js");
/// The file for Python, under the name that the interpreter looks for.
const PYTHON: &str = include_str!("steady/sitecustomize.py");
/// The name of the record, in the directory for temporary files of the program.
const RECORD: &str = ".skills-verify-failed-connections";
/// The longest record that is read, in bytes.
const MAX_RECORD: u64 = 1 << 20;
/// The files in the state directory of one run.
#[derive(Debug)]
pub(crate) struct Steady {
    /// The directory with the files.
    pub(crate) dir: PathBuf,
}

impl Steady {
    /// The directory of both files, beneath the state directory of a run.
    pub(crate) const DIR: &str = "steady";

    /// Returns the files of the run whose state is in `state`.
    pub(crate) fn new(state: &Path) -> Self {
        Self {
            dir: state.join(Self::DIR),
        }
    }

    /// Returns the variables by which programs load the files.
    pub(crate) fn loaders(&self) -> BTreeMap<String, String> {
        let node = self.dir.join("steady.js").display().to_string();
        let node = node.replace('\\', "\\\\").replace('"', "\\\"");
        BTreeMap::from([
            ("NODE_OPTIONS".to_owned(), format!("--require \"{node}\"")),
            ("PYTHONPATH".to_owned(), self.dir.display().to_string()),
            // The order of sets.
            ("PYTHONHASHSEED".to_owned(), "0".to_owned()),
            // Compiled modules beside installed packages, to which links lead.
            ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned()),
        ])
    }

    /// Writes the files. `start_ms` is the time at which each process starts, and `tmp` a directory in
    /// which the program may write.
    pub(crate) fn write(state: &Root, start_ms: i64, tmp: &Path) -> Result<(), ReadError> {
        let record = Value::String(tmp.join(RECORD).display().to_string()).to_string();
        let filled = |text: &str| {
            let text = text.replace("__START__", &start_ms.to_string());
            text.replace("__RECORD__", &record).into_bytes()
        };
        state.write_whole(Self::DIR, "steady.js", &filled(NODE))?;
        state.write_whole(Self::DIR, "sitecustomize.py", &filled(PYTHON))
    }
}

/// Returns a text without the milliseconds of the times of a run. The clock of the run counts them by
/// its questions, and concurrent work asks in any order.
pub(crate) fn without_millis(text: &str, start_ms: i64) -> String {
    let bytes = text.as_bytes();
    let mut res = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let before = &bytes[..at];
        let is_start = !before.last().is_some_and(u8::is_ascii_digit);
        let fraction = [b'.', b'-', b','].contains(&bytes[at]) && ends_with_time(before);
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let n_digits = digits.count();
        if is_start && n_digits == 13 && is_of_run(&text[at..at + 13], start_ms) {
            res.extend_from_slice(&bytes[at..at + 10]);
            res.extend_from_slice(b"000");
            at += 13;
        } else if fraction && is_millis(&bytes[at + 1..]) {
            res.extend_from_slice(&[bytes[at], b'0', b'0', b'0']);
            at += 4;
        } else {
            let size = if is_start { n_digits.max(1) } else { 1 };
            res.extend_from_slice(&bytes[at..at + size]);
            at += size;
        }
    }
    String::from_utf8(res).unwrap_or_else(|_| text.to_owned())
}

/// Returns a text in which times of the first seconds of a run are its start: a program that loads
/// slowly sees a later second. `passed` is the duration of the run in seconds.
pub(crate) fn without_seconds(text: &str, start_ms: i64, passed: i64) -> String {
    let bytes = text.as_bytes();
    let mut res = bytes.to_vec();
    let start = start_ms / 1_000;
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (minute, second) = (start / 60 % 60, start % 60);
    for at in 0..bytes.len().saturating_sub(7) {
        let is_whole = (at == 0 || !is_digit(at - 1)) && !is_digit(at + 8);
        let is_time = is_whole && ends_with_time(&bytes[..at + 8]);
        let two = |at: usize| i64::from(bytes[at] - b'0') * 10 + i64::from(bytes[at + 1] - b'0');
        let is_first = |since: i64| (1..=passed).contains(&since.rem_euclid(3_600));
        if is_time && is_first(two(at + 3) * 60 + two(at + 6) - start % 3_600) {
            res[at + 3..at + 5].copy_from_slice(format!("{minute:02}").as_bytes());
            res[at + 6..at + 8].copy_from_slice(format!("{second:02}").as_bytes());
        }
    }
    String::from_utf8(res).unwrap_or_else(|_| text.to_owned())
}

/// Returns true if a text of digits is a time of the run: at most an hour after its start.
fn is_of_run(digits: &str, start_ms: i64) -> bool {
    digits.parse().is_ok_and(|ms| is_time_of_run(ms, start_ms))
}

/// Returns true if a number of milliseconds is a time of the run.
pub(crate) fn is_time_of_run(ms: i64, start_ms: i64) -> bool {
    (start_ms..start_ms + 3_600_000).contains(&ms)
}

/// Returns true if a text ends with hours, minutes and seconds.
fn ends_with_time(text: &[u8]) -> bool {
    let Some(tail) = text.len().checked_sub(8).map(|start| &text[start..]) else {
        return false;
    };
    let is_digit = |n: usize| tail[n].is_ascii_digit();
    let joins = |n: usize| [b':', b'-', b'_'].contains(&tail[n]);
    [0, 1, 3, 4, 6, 7].into_iter().all(is_digit) && joins(2) && joins(5)
}

/// Returns true if a text begins with exactly three digits.
fn is_millis(text: &[u8]) -> bool {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count() == 3
}

/// Returns the first place that a program could not connect to, and removes the record. `tmp` is
/// beneath the state directory.
pub(crate) fn take_failed(state: &Root, tmp: &str) -> Option<String> {
    let path = format!("{tmp}/{RECORD}");
    let bytes = state.read(&path, MAX_RECORD).ok()?;
    // A record that stays is a change of files, which is seen.
    let _ = state.remove(&path);
    let text = String::from_utf8_lossy(&bytes);
    text.lines().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{without_millis, without_seconds};

    #[test]
    fn milliseconds_of_the_run_do_not_count() {
        let start = 1_795_424_833_000;
        for (text, expected) in [
            ("at 2026-11-23T09:07:13.001Z", "at 2026-11-23T09:07:13.000Z"),
            ("09-07-13-002.md", "09-07-13-000.md"),
            (
                "2026-11-23 09:07:13,002 INFO",
                "2026-11-23 09:07:13,000 INFO",
            ),
            ("1795424833001-日记", "1795424833000-日记"),
            (
                "1700000000001 17954248330011 12.345",
                "1700000000001 17954248330011 12.345",
            ),
            ("09:07:13.5 09:07:13.1234", "09:07:13.5 09:07:13.1234"),
        ] {
            assert_eq!(without_millis(text, start), expected);
        }
    }

    #[test]
    fn the_first_seconds_of_a_run_are_its_start() {
        let start = 1_795_424_833_000;
        for (text, expected) in [
            ("at 2026-11-23T09:07:15.000Z", "at 2026-11-23T09:07:13.000Z"),
            ("17-07-14.md", "17-07-13.md"),
            ("09:07:17", "09:07:17"),
            ("09:07:12", "09:07:12"),
            ("2026-07-14 107:07:14", "2026-07-14 107:07:14"),
            ("日记09_07_14", "日记09_07_13"),
        ] {
            assert_eq!(without_seconds(text, start, 3), expected);
        }
    }
}
