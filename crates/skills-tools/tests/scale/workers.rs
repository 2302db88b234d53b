//! Workers on a queue, one of them killed.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use skill_nats::testing::TestServer;

use crate::collection::{assert_same, lay_out, run, tool};

/// The variable with the number of directories: `SKILLS_SCALE=5000` is the full test (`cargo xtask bench shards`).
const SCALE: &str = "SKILLS_SCALE";

/// One worker is killed when it has written this share of all plugins.
const KILLED_AFTER: usize = 6;

fn size() -> usize {
    let asked = env::var(SCALE).ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(300)
}

fn start(dir: &Path, args: &[&str]) -> Child {
    let log = fs::File::create(dir.join(format!("{}.log", args[2].rsplit('/').next().unwrap())));
    tool()
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.unwrap())
        .spawn()
        .unwrap()
}

/// Waits until the worker has written that many skills.
fn await_skills(out: &Path, n: usize, worker: &mut Child) {
    let start = Instant::now();
    while n_skills(out) < n {
        assert!(worker.try_wait().unwrap().is_none(), "the worker ended");
        assert!(start.elapsed() < Duration::from_mins(1), "no progress");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn n_skills(out: &Path) -> usize {
    fs::read_dir(out).map_or(0, Iterator::count)
}

#[test]
fn three_workers_and_one_killed_give_what_one_run_gives() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let n = size();
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    lay_out(&dir.path().join("in"), n);
    let time = Instant::now();
    run(&[&path("in"), "--out", &path("single"), "-q"], 0);
    let single = time.elapsed();
    let url = server.url();
    let time = Instant::now();
    let input = path("in");
    let enqueue = [&input, "--enqueue", &url, "--ack-wait", "2"];
    let mut coordinator = start(dir.path(), &enqueue);
    let outs = ["a", "b", "c"].map(|name| path(&format!("out-{name}")));
    let work = |out: &str| {
        start(
            dir.path(),
            &[&input, "--out", out, "--worker", &url, "-j", "2"],
        )
    };
    // The one that is killed begins alone: were all quick, it might never reach its share.
    let [killed, others @ ..] = &outs;
    let mut doomed = work(killed);
    await_skills(Path::new(killed), n / KILLED_AFTER, &mut doomed);
    let others = others.each_ref().map(|out| work(out));
    doomed.kill().unwrap();
    assert!(!doomed.wait().unwrap().success(), "the killed worker");
    for (at, mut worker) in others.into_iter().enumerate() {
        assert!(worker.wait().unwrap().success(), "worker {at}");
    }
    assert!(coordinator.wait().unwrap().success());
    let shared = time.elapsed();
    let time = Instant::now();
    let mut merge = vec!["merge-shards"];
    merge.extend(outs.iter().map(String::as_str));
    let out = path("out");
    merge.extend(["--out", &out]);
    let output = run(&merge, 0);
    eprintln!(
        "{n} directories: one run {single:.1?}, three workers with one killed {shared:.1?}, merging {:.1?}; {}",
        time.elapsed(),
        String::from_utf8_lossy(&output.stdout).trim()
    );
    assert_same(&dir.path().join("single"), &dir.path().join("out"));
}

#[test]
fn a_worker_over_another_collection_is_refused() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    lay_out(&dir.path().join("in"), 12);
    lay_out(&dir.path().join("other"), 13);
    let url = server.url();
    let mut coordinator = start(dir.path(), &[&path("in"), "--enqueue", &url]);
    let output = run(
        &[&path("other"), "--out", &path("out"), "--worker", &url],
        2,
    );
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("another collection"), "{text}");
    run(&[&path("in"), "--out", &path("out"), "--worker", &url], 0);
    assert!(coordinator.wait().unwrap().success());
}
