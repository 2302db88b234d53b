//! The number of reads that a server of skills answers, their latency, and its memory: over HTTP
//! with many sessions, and over standard input and output. Loopback only, and bounded.

mod agent;
mod client;
mod hostile;
mod http;
pub(super) mod stdio;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::WorkDir;
use super::validate::lay_out;
use crate::crosscheck;
use crate::repo::Repo;

/// The promised maximum.
const MAX_P99: Duration = Duration::from_millis(20);
const MAX_MEMORY_1000: f64 = 150.0;
const MIN_STDIO: f64 = 4_000.0;
const MIN_STDIO_64: f64 = 10_000.0;
const MAX_START: Duration = Duration::from_millis(20);
const MAX_START_MEMORY: f64 = 30.0;

/// Maximum growth of memory between the first and the last quarter of a soak test, in percent.
const MAX_GROWTH: f64 = 10.0;
/// Maximum growth in the second half, after every cache has been filled.
const MAX_LATE_GROWTH: f64 = 5.0;
/// Rounds of 10,000 reads by 200 sessions in a quarter of a soak test, and of a long one.
const SOAK_ROUNDS: usize = 5;
const LONG_ROUNDS: usize = 25;
/// Maximum memory while hostile clients are active.
const MAX_HOSTILE: f64 = 250.0;
/// Parts of the measurement. All except the long soak run if none is named.
const PARTS: [&str; 6] = ["start", "stdio", "http", "hostile", "soak", "long-soak"];

/// Number of skills of the server.
const N_SKILLS: usize = 1_000;
/// Minimum size of each body in bytes, as in the reference measurement.
const BODY: usize = 6_000;

pub(super) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let (tool, parts) = match words[..] {
        ["--tool", path, ref parts @ ..] => (PathBuf::from(path), parts.to_vec()),
        _ => (
            crosscheck::build(repo)?.with_file_name("skills-serve"),
            words,
        ),
    };
    let all = parts.is_empty();
    if let Some(stranger) = parts.iter().find(|part| !PARTS.contains(part)) {
        let parts = PARTS.map(|part| format!("[{part}]")).join(" ");
        bail!("usage: cargo xtask bench serve [--tool PATH] {parts}, not `{stranger}`");
    }
    let work = WorkDir::new()?;
    let skills = work.path("skills");
    for n in 0..N_SKILLS {
        lay_out(&skills, n)?;
        let file = skills.join(format!("skill-{n}/SKILL.md"));
        let mut text = fs::read_to_string(&file)?;
        let more =
            "Look at the result, compare it with what was asked for, and say what differs.\n";
        text.push_str(&more.repeat(BODY.saturating_sub(text.len()).div_ceil(more.len())));
        fs::write(&file, text)?;
    }
    println!("{N_SKILLS} skills of {BODY} bytes, page cache warm");
    if all || parts.contains(&"start") {
        start(&tool, &skills)?;
    }
    if all || parts.contains(&"stdio") {
        over_stdio(&tool, &skills)?;
    }
    if all || parts.contains(&"http") {
        over_http(&tool, &skills)?;
    }
    if all || parts.contains(&"hostile") {
        under_attack(&tool, &skills)?;
    }
    if all || parts.contains(&"soak") {
        soak(&tool, &skills, SOAK_ROUNDS)?;
    }
    if parts.contains(&"long-soak") {
        soak(&tool, &skills, LONG_ROUNDS)?;
    }
    Ok(())
}

/// Measures from the start of the process to the answer to `initialize`.
fn start(tool: &Path, skills: &Path) -> Result<()> {
    let mut times = Vec::new();
    let mut memory: f64 = 0.0;
    for _ in 0..15 {
        let begin = Instant::now();
        let agent = stdio::Agent::start(tool, skills)?;
        times.push(begin.elapsed());
        memory = memory.max(megabytes(agent.pid(), "VmHWM")?);
        agent.end()?;
    }
    times.sort_unstable();
    let median = times[times.len() / 2];
    row(
        "start, median of 15",
        &shown(median),
        median <= MAX_START,
        &shown(MAX_START),
    );
    row(
        "memory then",
        &mb(memory),
        memory <= MAX_START_MEMORY,
        &mb(MAX_START_MEMORY),
    );
    Ok(())
}

fn over_stdio(tool: &Path, skills: &Path) -> Result<()> {
    for (window, n, min) in [(1, 20_000_u32, MIN_STDIO), (64, 50_000, MIN_STDIO_64)] {
        let mut agent = stdio::Agent::start(tool, skills)?;
        let before = megabytes(agent.pid(), "VmRSS")?;
        let begin = Instant::now();
        let mut times = agent.reads(n, window)?;
        let rate = f64::from(n) / begin.elapsed().as_secs_f64();
        times.sort_unstable();
        let what = format!("stdio, {window} in flight");
        row(
            &what,
            &format!("{rate:.0} reads/s"),
            rate >= min,
            &format!("{min:.0} reads/s"),
        );
        let after = megabytes(agent.pid(), "VmRSS")?;
        println!(
            "{:<30} p50 {}, p99 {}; {} → {}",
            "",
            at(&times, 50),
            at(&times, 99),
            mb(before),
            mb(after)
        );
        agent.end()?;
    }
    Ok(())
}

fn over_http(tool: &Path, skills: &Path) -> Result<()> {
    let server = Server::start(tool, skills)?;
    let before = [server.pid(), std::process::id()].map(cpu);
    let load = http::load(server.port, 200, 250)?;
    let after = [server.pid(), std::process::id()].map(cpu);
    let what = format!("200 sessions, {} reads", load.times.len());
    row(
        &what,
        &format!("p99 {}", at(&load.times, 99)),
        load.p99() <= MAX_P99,
        &shown(MAX_P99),
    );
    println!(
        "{:<30} {:.0} reads/s, p50 {}, max {}",
        "",
        load.rate(),
        at(&load.times, 50),
        shown(load.max()),
    );
    if let ([Some(a), Some(b)], [Some(c), Some(d)]) = (before, after) {
        let [server, agents] = [c - a, d - b].map(|time| time * 1e6 / 50_000.0);
        println!(
            "{:<30} processor for a read: server {server:.0} µs, agents {agents:.0} µs",
            ""
        );
    }
    check_reads(&load)?;
    let paced = http::paced(server.port, 200, 40)?;
    row(
        "the same, one read each 0.5 s",
        &format!("p99 {}", at(&paced.times, 99)),
        paced.p99() <= MAX_P99,
        &shown(MAX_P99),
    );
    check_reads(&paced)?;
    drop(server);
    let server = Server::start(tool, skills)?;
    let held = http::load(server.port, 1_000, 4)?;
    let memory = megabytes(server.pid(), "VmHWM")?;
    row(
        "1,000 sessions at once",
        &mb(memory),
        memory <= MAX_MEMORY_1000,
        &mb(MAX_MEMORY_1000),
    );
    check_reads(&held)
}

/// Measures the memory after each quarter of many reads, by sessions that come and go.
fn soak(tool: &Path, skills: &Path, n_rounds: usize) -> Result<()> {
    let server = Server::start(tool, skills)?;
    http::load(server.port, 200, 10)?;
    let mut memory = Vec::new();
    for _ in 0..4 {
        for _ in 0..n_rounds {
            let load = http::load(server.port, 200, 50)?;
            ensure!(load.n_errors == 0 && load.n_lost == 0, "reads failed");
        }
        memory.push(megabytes(server.pid(), "VmRSS")?);
    }
    let shown: Vec<String> = memory.iter().map(|part| mb(*part)).collect();
    let n = 4 * n_rounds;
    let title = format!("{} k reads, {} sessions", n * 10, n * 200);
    for (title, grown, most) in [
        (&title[..], memory[3] - memory[0], MAX_GROWTH),
        ("its second half", memory[3] - memory[1], MAX_LATE_GROWTH),
    ] {
        row(title, &format!("{grown:+.1} MB"), grown <= most, &mb(most));
    }
    println!(
        "{:<30} memory at 25, 50, 75, 100 %: {}; the last is {:.2} of the second",
        "",
        shown.join(", "),
        memory[3] / memory[1]
    );
    Ok(())
}

/// Measures memory while hostile clients are active, and the latency for other clients.
fn under_attack(tool: &Path, skills: &Path) -> Result<()> {
    let server = Server::start(tool, skills)?;
    let agent = agent::Agent::connect(server.port)?;
    let before = megabytes(server.pid(), "VmHWM")?;
    let crowd = hostile::crowd(server.port)?;
    let memory = megabytes(server.pid(), "VmHWM")?;
    row(
        "hostile clients, memory",
        &mb(memory),
        memory <= MAX_HOSTILE,
        &mb(MAX_HOSTILE),
    );
    let times = agent.reads_alone(100)?;
    println!(
        "{:<30} {} connections, {} sessions; {} before; an agent's p50 {}, p99 {}",
        "",
        crowd.n_held(),
        crowd.n_sessions,
        mb(before),
        at(&times, 50),
        at(&times, 99)
    );
    Ok(())
}

/// Reports failed and lost reads.
fn check_reads(load: &http::Load) -> Result<()> {
    let (n_errors, n_lost) = (load.n_errors, load.n_lost);
    println!("{:<30} {n_errors} errors, {n_lost} lost", "");
    ensure!(n_errors == 0 && n_lost == 0, "reads failed");
    Ok(())
}

/// A server process that is ended on drop.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(tool: &Path, skills: &Path) -> Result<Self> {
        let mut child = Command::new(tool)
            .arg(skills)
            .args(["--http", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", tool.display()))?;
        let stderr = child.stderr.take().context("no standard error")?;
        let line = client::first_line(stderr)?;
        let port = line
            .rsplit(':')
            .next()
            .and_then(|rest| rest.strip_suffix("/mcp")?.parse().ok());
        match port {
            Some(port) => Ok(Self { child, port }),
            None => {
                let _ = child.kill();
                bail!("the server said `{line}`")
            }
        }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the CPU seconds of a process, from `/proc/PID/stat` in hundredths.
fn cpu(pid: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the process may contain blanks.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

/// Returns a field of `/proc/PID/status`, in MB.
pub(super) fn megabytes(pid: u32, field: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let number = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    Ok(number.context("no memory is reported")? / 1024.0)
}

fn row(what: &str, found: &str, is_kept: bool, promise: &str) {
    let verdict = if is_kept { "kept" } else { "BROKEN" };
    println!("{what:<30} {found:<18} {verdict}: {promise}");
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn mb(megabytes: f64) -> String {
    format!("{megabytes:.1} MB")
}

/// Formats a percentile of sorted times.
fn at(times: &[Duration], percent: usize) -> String {
    percentile(times, percent).map_or_else(|| "none".to_owned(), shown)
}

fn percentile(times: &[Duration], percent: usize) -> Option<Duration> {
    let last = times.len().checked_sub(1)?;
    Some(times[(times.len() * percent / 100).min(last)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_what_was_measured() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Some(Duration::from_millis(101)));
        assert_eq!(percentile(&times, 99), Some(Duration::from_millis(199)));
        assert_eq!(percentile(&times[..1], 99), Some(Duration::from_millis(1)));
        assert_eq!(percentile(&[], 99), None);
    }
}
