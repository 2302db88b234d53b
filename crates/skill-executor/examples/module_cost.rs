//! Measures a warm call of a module, and checks that many at once all get their answer: `cargo run
//! --release -p skill-executor --example module_cost`. Needs Node.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for people, which lays out its own skill"
)]

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_executor::call::{Call, Host, Options};
use skill_executor::config::{Given, resolve};
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::standard;
use skill_executor::state::State;
use skill_executor::zone::Zone;

const N_CALLS: usize = 5_000;
const N_LARGE: usize = 200;
const N_AT_ONCE: usize = 500;

const METADATA: &str = "schema: 1\nname: own\nversion: '1'\ntype: service\nenabled: true\nrunnable: true\n\
    transport: module\nentry: {runtime: node, module: main.js, dir: scripts}\n";
const SOURCE: &str = "exports.processToolCall = async args => ({ echo: args });";

fn main() {
    let dir = tempfile::tempdir().expect("a directory");
    let skill_dir = dir.path().join("own");
    std::fs::create_dir_all(skill_dir.join("scripts")).expect("a directory");
    std::fs::write(skill_dir.join("METADATA.yml"), METADATA).expect("a file");
    std::fs::write(skill_dir.join("scripts/main.js"), SOURCE).expect("a file");
    let skill =
        SkillPackage::read(&skill_dir).unwrap_or_else(|failure| panic!("{}", failure.message));
    let state = State::open(&dir.path().join("state"));
    let host = Host {
        environment: std::env::vars().collect(),
        state: state.unwrap_or_else(|failure| panic!("{}", failure.message)),
        allow_shell: false,
        strict: false,
        sandbox: Sandbox::off(),
        zone: Zone::utc(),
        loaders: std::collections::BTreeMap::new(),
        fixed_ms: None,
    };
    let config = resolve(&skill.metadata, None, Given::default(), &host.environment);
    let options = Options::default();
    let registry = standard();
    let call = |input: &Value| {
        let call = Call {
            skill: &skill,
            command: None,
            input,
            config: &config,
            options: &options,
            host: &host,
            others: None,
        };
        let envelope = registry.execute(&call);
        assert!(envelope.is_ok(), "{:?}", envelope.outcome);
        envelope
    };
    let small = json!({"city": "Oslo", "days": 3});
    show("first call", &mut measured(1, |_| drop(call(&small))));
    show("warm call", &mut measured(N_CALLS, |_| drop(call(&small))));
    let large = json!({"text": "x".repeat(1 << 20)});
    show(
        "warm call, 1 MiB",
        &mut measured(N_LARGE, |_| drop(call(&large))),
    );
    let begin = Instant::now();
    thread::scope(|scope| {
        for n in 0..N_AT_ONCE {
            let call = &call;
            scope.spawn(move || {
                let answer = call(&json!({"n": n})).to_value();
                assert_eq!(answer["value"]["echo"]["n"], n);
            });
        }
    });
    println!(
        "{N_AT_ONCE} at once, all answered {:8.1} ms",
        begin.elapsed().as_secs_f64() * 1e3
    );
}

fn measured(count: usize, mut run: impl FnMut(usize)) -> Vec<Duration> {
    let timed = |n| {
        let begin = Instant::now();
        run(n);
        begin.elapsed()
    };
    (0..count).map(timed).collect()
}

fn show(what: &str, times: &mut [Duration]) {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    println!("{what:20} p50 {:8.3} ms  p99 {:8.3} ms", at(50), at(99));
}
