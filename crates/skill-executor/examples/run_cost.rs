//! Measures the cost of running a skill beyond its program: in one process, in turns, by `cargo
//! xtask bench run`.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement lays out its own skills, starts its own children and prints"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_executor::call::{Call, Host, Options};
use skill_executor::config::Config;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::{Level, Sandbox};
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Registry, standard};

/// The promised maximum.
const MAX_OVERHEAD_MS: f64 = 3.0;
const MAX_MODULE_MS: f64 = 1.0;
const MAX_MEMORY_MB: f64 = 100.0;
/// Calls of each kind.
const ROUNDS: usize = 300;
/// Calls at one time.
const CROWD: usize = 500;

/// Reads a line and answers with it; no child of its own.
const ECHO: &str = "read -r line\nprintf '{\"status\":\"success\",\"result\":%s}' \"$line\"\n";
const MODULE: &str =
    "exports.initialize = async () => {};\nexports.processToolCall = async (args) => args;\n";

fn main() -> Result<(), Box<dyn Error>> {
    skill_sandbox::launcher_main();
    let dir = tempfile::tempdir()?;
    let path = dir.path().canonicalize()?;
    lay_out(
        &path.join("echo"),
        "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main.sh], dir: scripts}\n",
        ("main.sh", ECHO),
    )?;
    lay_out(
        &path.join("module"),
        "type: service\ntransport: module\nentry: {runtime: node, module: main.js, exports: [processToolCall], dir: scripts}\n",
        ("main.js", MODULE),
    )?;
    println!("{:<34} {:>8} {:>8}   promise", "milliseconds", "p50", "p99");
    processes(&path)?;
    modules(&path)?;
    crowd(&path)
}

fn lay_out(dir: &Path, more: &str, (name, text): (&str, &str)) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("scripts"))?;
    std::fs::write(dir.join("scripts").join(name), text)?;
    let head = "schema: 1\nname: probe\nversion: '1'\nenabled: true\nrunnable: true\n";
    let policy = "permissions: {network: none, filesystem: skill, admin: false, approval: none}\nlimits: {timeout_ms: 60000, memory_mb: 512}\n";
    let kind = if more.contains("module") {
        "hybridservice"
    } else {
        "synchronous"
    };
    let name = dir
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let legacy = format!(
        "legacy: {{host: vcp-main, name: {name}, directory: {name}, plugin_type: {kind}}}\n"
    );
    std::fs::write(
        dir.join("METADATA.yml"),
        format!("{head}{more}{policy}{legacy}"),
    )?;
    Ok(())
}

fn host(path: &Path, sandbox: Sandbox) -> Result<Host, Box<dyn Error>> {
    let variable = std::env::var("PATH").unwrap_or_default();
    Ok(Host {
        environment: [("PATH".to_owned(), variable)].into(),
        state: State::open(path).map_err(|failure| failure.message)?,
        allow_shell: false,
        strict: false,
        sandbox,
        zone: Zone::utc(),
        loaders: std::collections::BTreeMap::new(),
        fixed_ms: None,
    })
}

/// A call that must echo its number; the time that it took.
fn call(
    registry: &Registry,
    host: &Host,
    skill: &SkillPackage,
    n: usize,
) -> Result<Duration, Box<dyn Error>> {
    let input = json!({"n": n});
    let call = Call {
        skill,
        command: None,
        input: &input,
        config: &Config::default(),
        options: &Options::default(),
        host,
        others: None,
    };
    let started = Instant::now();
    let envelope = registry.execute(&call);
    let time = started.elapsed();
    match envelope.outcome {
        Ok(success) if success.value["n"] == n => Ok(time),
        Ok(success) => Err(format!("call {n} got {}", success.value).into()),
        Err(failure) => Err(format!("call {n}: {}", failure.message).into()),
    }
}

/// The same program without an executor, in the directory where the executor runs it.
fn plain(dir: &Path) -> Result<Duration, Box<dyn Error>> {
    let started = Instant::now();
    let mut child = Command::new("sh")
        .arg("main.sh")
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    child
        .stdin
        .take()
        .ok_or("no pipe")?
        .write_all(b"{\"n\":0}")?;
    let output = child.wait_with_output()?;
    let value: Value = serde_json::from_slice(&output.stdout)?;
    let time = started.elapsed();
    if value["result"]["n"] == 0 {
        Ok(time)
    } else {
        Err("no echo".into())
    }
}

fn processes(path: &Path) -> Result<(), Box<dyn Error>> {
    let skill = SkillPackage::read(&path.join("echo")).map_err(|failure| failure.message)?;
    let open = host(&path.join("state-open"), Sandbox::off())?;
    let confined = host(
        &path.join("state-confined"),
        Sandbox::at_least(Level::Partial),
    )?;
    let registry = standard();
    let program = skill.dir.join("scripts");
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for n in 0..ROUNDS + 10 {
        let round = [
            plain(&program)?,
            call(&registry, &open, &skill, n)?,
            call(&registry, &confined, &skill, n)?,
        ];
        // The first ones lay out files and warm caches.
        if n >= 10 {
            times
                .iter_mut()
                .zip(round)
                .for_each(|(times, time)| times.push(time));
        }
    }
    let [plain, open, confined] = times.map(percentiles);
    row("std::process", plain, "");
    row("executor, no sandbox", open, "");
    row("executor, sandbox", confined, "");
    let over = |times: (f64, f64)| (times.0 - plain.0, times.1 - plain.1);
    row("  more than std::process, no sandbox", over(open), "");
    let cost = over(confined);
    row(
        "  more than std::process, sandbox",
        cost,
        &promise(cost.0, MAX_OVERHEAD_MS),
    );
    Ok(())
}

fn modules(path: &Path) -> Result<(), Box<dyn Error>> {
    let skill = SkillPackage::read(&path.join("module")).map_err(|failure| failure.message)?;
    let confined = host(
        &path.join("state-module"),
        Sandbox::at_least(Level::Partial),
    )?;
    let registry = standard();
    let first = call(&registry, &confined, &skill, 0)?;
    let mut times = Vec::new();
    for n in 1..=ROUNDS {
        times.push(call(&registry, &confined, &skill, n)?);
    }
    row("module, first call", percentiles(vec![first]), "");
    let warm = percentiles(times);
    row("module, warm call", warm, &promise(warm.0, MAX_MODULE_MS));
    Ok(())
}

/// Many calls at one time: none may be lost, and memory stays in bounds.
fn crowd(path: &Path) -> Result<(), Box<dyn Error>> {
    let skill = SkillPackage::read(&path.join("echo")).map_err(|failure| failure.message)?;
    let confined = host(&path.join("state-crowd"), Sandbox::at_least(Level::Partial))?;
    let registry = standard();
    let before = peak_mb();
    let started = Instant::now();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let start = |n| {
            let (registry, confined, skill) = (&registry, &confined, &skill);
            let work = move || {
                call(registry, confined, skill, n)
                    .map(|_| n)
                    .map_err(|it| it.to_string())
            };
            scope.spawn(work)
        };
        let threads: Vec<_> = (0..CROWD).map(start).collect();
        threads
            .into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect()
    });
    let seconds = started.elapsed().as_secs_f64();
    let mut right = BTreeSet::new();
    for answer in answers {
        match answer.map_err(|_| "a call panicked")? {
            Ok(n) => right.extend([n]),
            Err(why) => println!("lost: {why}"),
        }
    }
    let memory = peak_mb() - before;
    let lost = CROWD - right.len();
    println!(
        "{CROWD} calls at one time: {seconds:.1} s, {lost} lost ({}), {memory:.1} MB more ({})",
        if lost == 0 {
            "kept: none"
        } else {
            "BROKEN: none"
        },
        promise(memory, MAX_MEMORY_MB),
    );
    if lost == 0 {
        Ok(())
    } else {
        Err("answers were lost".into())
    }
}

/// The most memory that this process had so far, in megabytes; 0 where the system does not say.
fn peak_mb() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// Median and 99th percentile, in milliseconds.
fn percentiles(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let at = |n: usize| times[n.min(times.len() - 1)].as_secs_f64() * 1_000.0;
    (at(times.len() / 2), at(times.len() * 99 / 100))
}

fn row(what: &str, (p50, p99): (f64, f64), promise: &str) {
    let line = format!("{what:<34} {p50:>8.2} {p99:>8.2}   {promise}");
    println!("{}", line.trim_end());
}

fn promise(found: f64, limit: f64) -> String {
    let verdict = if found <= limit { "kept" } else { "BROKEN" };
    format!("{verdict}: at most {limit}")
}
