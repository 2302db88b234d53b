//! Many calls while nodes are killed and started again and the server is restarted: none is lost,
//! none has its effect twice.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_nats::testing::TestServer;

use crate::skills::{Process, call, caller, request};

/// The variable with the number of calls: `SKILLS_CALLS=10000` is the full test (`cargo xtask bench nats`).
const CALLS: &str = "SKILLS_CALLS";
/// Calls under way at a time.
const N_AT_A_TIME: usize = 24;
const NODES: [&str; 3] = ["one", "two", "three"];

fn n_calls() -> usize {
    let asked = env::var(CALLS).ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(600)
}

/// The events of nodes and server, with the share of calls that are done before, in twelfths.
const EVENTS: [(usize, Event); 6] = [
    (1, Event::Kill(0)),
    (3, Event::Kill(1)),
    (5, Event::RestartServer),
    (7, Event::Kill(2)),
    (8, Event::Kill(0)),
    (10, Event::RestartServer),
];

#[derive(Clone, Copy)]
enum Event {
    /// A node is killed, and started again under its name.
    Kill(usize),
    RestartServer,
}

struct Outcome {
    answers: Vec<(Value, Duration)>,
    killed: BTreeSet<u32>,
}

async fn storm(skill: &'static str, dir: &Path) -> Option<Outcome> {
    let mut server = TestServer::start()?;
    fs::create_dir(dir.join("keys")).unwrap();
    let mut nodes = NODES.map(|name| Process::start(&server, name, dir));
    let caller = Arc::new(caller(&server).await);
    let n_done = Arc::new(AtomicUsize::new(0));
    let next = Arc::new(AtomicUsize::new(0));
    let n = n_calls();
    let lanes: Vec<_> = (0..N_AT_A_TIME)
        .map(|_| {
            let (caller, n_done, next) = (caller.clone(), n_done.clone(), next.clone());
            tokio::spawn(async move {
                let mut answers = Vec::new();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= n {
                        return answers;
                    }
                    let mut wanted = request(skill, Value::Null);
                    wanted.id = Some(format!("call-{at}"));
                    let start = Instant::now();
                    let answer = call(&caller, &wanted).await;
                    answers.push((
                        json!({ "id": wanted.id, "answer": answer }),
                        start.elapsed(),
                    ));
                    n_done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let mut killed = BTreeSet::new();
    for (share, event) in EVENTS {
        while n_done.load(Ordering::Relaxed) < n * share / 12 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        match event {
            Event::Kill(at) => {
                killed.insert(nodes[at].kill());
                nodes[at] = Process::start(&server, NODES[at], dir);
            }
            Event::RestartServer => server.restart(),
        }
    }
    let mut answers = Vec::new();
    for lane in lanes {
        answers.extend(lane.await.unwrap());
    }
    Some(Outcome { answers, killed })
}

/// The processes that started each key, in order.
fn starts(dir: &Path) -> BTreeMap<String, Vec<u32>> {
    let text = fs::read_to_string(dir.join("starts")).unwrap();
    let mut res: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for line in text.lines() {
        let (key, process) = line.split_once(' ').unwrap();
        let processes = res.entry(key.to_owned()).or_default();
        processes.push(process.parse().unwrap());
    }
    res
}

fn report(what: &str, outcome: &Outcome, more: &str) {
    let mut times: Vec<Duration> = outcome.answers.iter().map(|(_, time)| *time).collect();
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    eprintln!(
        "{what}: {} calls, {} nodes killed, server restarted twice: {more}; p50 {:.1?}, p99 {:.1?}, p99.9 {:.1?}, longest {:.1?}",
        times.len(),
        outcome.killed.len(),
        at(500),
        at(990),
        at(999),
        at(1000),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_idempotent_calls_none_is_lost_and_none_has_its_effect_twice() {
    let dir = tempfile::tempdir().unwrap();
    let Some(outcome) = storm("tally", dir.path()).await else {
        return;
    };
    let n = n_calls();
    assert_eq!(outcome.answers.len(), n);
    for (answer, _) in &outcome.answers {
        assert_eq!(answer["answer"]["value"], answer["id"], "{answer}");
    }
    let keys = fs::read_dir(dir.path().join("keys")).unwrap().count();
    assert_eq!(keys, n);
    let starts = starts(dir.path());
    let again: Vec<_> = starts.values().filter(|by| by.len() > 1).collect();
    // Only what a killed node had begun was begun again.
    for by in &again {
        let (_, before) = by.split_last().unwrap();
        assert!(
            before
                .iter()
                .all(|process| outcome.killed.contains(process)),
            "{by:?}"
        );
    }
    let more = format!(
        "0 lost, {keys} effects, {} begun again after their node was killed",
        again.len()
    );
    report("idempotent", &outcome, &more);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_other_calls_none_is_begun_twice_and_each_loss_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let Some(outcome) = storm("tally-once", dir.path()).await else {
        return;
    };
    let n = n_calls();
    assert_eq!(outcome.answers.len(), n);
    let mut n_lost = 0;
    for (answer, _) in &outcome.answers {
        let is_good = answer["answer"]["value"] == answer["id"];
        let reason = &answer["answer"]["error"]["details"]["reason"];
        assert!(is_good || reason == "node-lost", "{answer}");
        n_lost += usize::from(!is_good);
    }
    let starts = starts(dir.path());
    assert!(starts.values().all(|by| by.len() == 1));
    // What is said to be lost was in the hands of a node that was killed.
    assert!(n_lost <= outcome.killed.len() * N_AT_A_TIME, "{n_lost}");
    let more = format!("0 begun twice, {n_lost} said to be lost with their node");
    report("not idempotent", &outcome, &more);
}
