//! Processor time.

use std::fs;

use anyhow::{Context, Result};

/// Ticks of `/proc/self/stat` in a second (`getconf CLK_TCK` on every Linux).
const TICKS: f64 = 100.0;

/// Returns the processor time of all ended children of this process, in seconds.
pub(crate) fn of_children() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    ticks(&text)
        .map(|ticks| ticks / TICKS)
        .context("/proc/self/stat has another form")
}

/// Reads `cutime` and `cstime` (`proc_pid_stat(5)`), the 14th and 15th field after the name.
fn ticks(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_children() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 1 2 3 4 10 20 300 45 20 0 1 0 9 8 7";
        assert_eq!(ticks(stat), Some(345.0));
    }
}
