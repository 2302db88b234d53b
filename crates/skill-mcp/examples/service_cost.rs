//! Measures the cost of a call of an API or of an MCP server beyond a plain client: in one process, in
//! turns, by `cargo xtask bench run`.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement lays out its own skills, starts its own servers and prints"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _, service::RunningService};
use serde_json::{Value, json};
use skill_executor::call::{Call, Host, Options};
use skill_executor::config::Config;
use skill_executor::mcp::introspect;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::{Level, Sandbox};
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Registry, standard};

/// The promised maximum.
const MAX_OVERHEAD_MS: f64 = 1.0;
/// Calls of each kind.
const ROUNDS: usize = 300;
/// Calls before those that are measured.
const WARM_UP: usize = 10;

/// An MCP server that answers a call with its arguments.
const SERVER: &str = r#"
const tool = { name: "echo", inputSchema: { type: "object" } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: structuredContent }) => ({ content: [], structuredContent }),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
});
"#;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    skill_sandbox::launcher_main();
    let dir = tempfile::tempdir()?;
    let path = dir.path().canonicalize()?;
    println!("{:<34} {:>8} {:>8}   promise", "milliseconds", "p50", "p99");
    requests(&path)?;
    tools(&path)
}

/// Lays out a skill.
fn skill(dir: &Path, more: &str) -> Outcome<SkillPackage> {
    std::fs::create_dir_all(dir.join("scripts"))?;
    let head = "schema: 1\nname: probe\nversion: '1'\nenabled: true\nrunnable: true\n";
    std::fs::write(dir.join("METADATA.yml"), format!("{head}{more}"))?;
    Ok(SkillPackage::read(dir).map_err(|failure| failure.message)?)
}

fn host(path: &Path) -> Outcome<Host> {
    let variable = std::env::var("PATH").unwrap_or_default();
    Ok(Host {
        environment: [("PATH".to_owned(), variable)].into(),
        state: State::open(path).map_err(|failure| failure.message)?,
        allow_shell: false,
        strict: false,
        sandbox: Sandbox::at_least(Level::Partial),
        zone: Zone::utc(),
        loaders: BTreeMap::new(),
        fixed_ms: None,
    })
}

/// Passes a call to `work`.
fn with_call<T>(
    (skill, host): (&SkillPackage, &Host),
    command: &str,
    input: &Value,
    work: impl FnOnce(&Call<'_>) -> T,
) -> T {
    work(&Call {
        skill,
        command: Some(command),
        input,
        config: &Config::default(),
        options: &Options::default(),
        host,
        others: None,
    })
}

/// A call that must echo its number; the time that it took.
fn call(
    registry: &Registry,
    at: (&SkillPackage, &Host),
    command: &str,
    n: usize,
) -> Outcome<Duration> {
    let input = json!({"n": n});
    let started = Instant::now();
    let envelope = with_call(at, command, &input, |call| registry.execute(call));
    let time = started.elapsed();
    match envelope.outcome {
        Ok(success) if success.value["n"] == n => Ok(time),
        Ok(success) => Err(format!("call {n} got {}", success.value).into()),
        Err(failure) => Err(format!("call {n}: {}", failure.message).into()),
    }
}

/// Answers every request of a connection with the number in its address.
fn serve(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut stream = stream;
    while let Some(line) = lines.next() {
        let line = line?;
        let n = line
            .split("n=")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let body = format!("{{\"n\":{}}}", n.unwrap_or("null"));
        while lines
            .next()
            .transpose()?
            .is_some_and(|line| !line.is_empty())
        {}
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(answer.as_bytes())?;
    }
    Ok(())
}

fn requests(path: &Path) -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection ends when its client leaves.
            std::thread::spawn(move || serve(&stream));
        }
    });
    let more = format!(
        "type: distributed\ntransport: http\nentry: {{runtime: native, endpoint: 'http://{address}', dir: .}}\n\
         commands:\n- id: echo\n  http: {{method: GET, path: /echo, parameters: [{{name: n, in: query}}]}}\n\
         permissions: {{network: allowlist, network_allowlist: ['{address}'], filesystem: none, admin: false, approval: none}}\n"
    );
    let skill = skill(&path.join("api"), &more)?;
    let host = host(&path.join("state-api"))?;
    let registry = standard();
    let agent = ureq::Agent::new_with_defaults();
    let plain = |n: usize| -> Outcome<Duration> {
        let started = Instant::now();
        let mut answer = agent.get(format!("http://{address}/echo?n={n}")).call()?;
        let value: Value = serde_json::from_str(&answer.body_mut().read_to_string()?)?;
        let time = started.elapsed();
        if value["n"] == n {
            Ok(time)
        } else {
            Err("no echo".into())
        }
    };
    let mut times = [Vec::new(), Vec::new()];
    for n in 0..ROUNDS + WARM_UP {
        let round = [plain(n)?, call(&registry, (&skill, &host), "echo", n)?];
        keep(&mut times, round, n);
    }
    compare(times, ["ureq", "executor, API"]);
    Ok(())
}

fn tools(path: &Path) -> Outcome<()> {
    let file = path.join("mcp/scripts/main.js");
    let more = "type: distributed\ntransport: mcp\nentry: {runtime: node, dir: scripts, mcp: {command: node, args: [main.js]TOOLS}}\nCOMMANDS\
        permissions: {network: none, filesystem: skill, admin: false, approval: none}\nlimits: {timeout_ms: 60000, memory_mb: 512}\n";
    let dir = path.join("mcp");
    let unknown = skill(&dir, &more.replace("TOOLS", "").replace("COMMANDS", ""))?;
    std::fs::write(&file, SERVER)?;
    let host = host(&path.join("state-mcp"))?;
    let asked = with_call((&unknown, &host), "echo", &Value::Null, introspect);
    let asked = asked.map_err(|failure| failure.message)?;
    let digests = json!(asked.digests());
    let more = more
        .replace("TOOLS", &format!(", tools: {digests}"))
        .replace("COMMANDS", "commands: [{id: echo}]\n");
    let skill = skill(&dir, &more)?;
    let registry = standard();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let client: RunningService<RoleClient, ()> = runtime.block_on(async {
        let mut command = tokio::process::Command::new("node");
        command.arg(&file);
        let client = ().serve(TokioChildProcess::new(command)?).await?;
        Outcome::Ok(client)
    })?;
    let plain = |n: usize| -> Outcome<Duration> {
        let mut params = CallToolRequestParams::new("echo");
        params.arguments = json!({"n": n}).as_object().cloned();
        let started = Instant::now();
        let answer = runtime.block_on(client.call_tool(params))?;
        let time = started.elapsed();
        let value = serde_json::to_value(&answer)?;
        if value.pointer("/structuredContent/n") == Some(&json!(n)) {
            Ok(time)
        } else {
            Err(format!("no echo: {value}").into())
        }
    };
    let mut times = [Vec::new(), Vec::new()];
    for n in 0..ROUNDS + WARM_UP {
        let round = [plain(n)?, call(&registry, (&skill, &host), "echo", n)?];
        keep(&mut times, round, n);
    }
    compare(times, ["client of the SDK", "executor, MCP, warm"]);
    registry.release();
    runtime.block_on(client.cancel())?;
    Ok(())
}

/// Keeps the times of a round. The first ones lay out files and warm caches.
fn keep(times: &mut [Vec<Duration>; 2], round: [Duration; 2], n: usize) {
    if n >= WARM_UP {
        times
            .iter_mut()
            .zip(round)
            .for_each(|(times, time)| times.push(time));
    }
}

fn compare(times: [Vec<Duration>; 2], names: [&str; 2]) {
    let [plain, ours] = times.map(percentiles);
    row(names[0], plain, "");
    row(names[1], ours, "");
    let over = (ours.0 - plain.0, ours.1 - plain.1);
    let verdict = if over.0 <= MAX_OVERHEAD_MS {
        "kept"
    } else {
        "BROKEN"
    };
    let what = format!("  more than {}", names[0]);
    row(
        &what,
        over,
        &format!("{verdict}: at most {MAX_OVERHEAD_MS}"),
    );
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
