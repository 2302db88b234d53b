//! The overhead of a call through a server over the same local call. The figures are printed, not
//! checked: `cargo xtask bench nats` runs this in a release build.

use std::collections::BTreeSet;
use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_nats::catalog;
use skill_nats::node::{Node, Offer};
use skill_nats::testing::TestServer;

use crate::skills::{
    TestSkills, call, caller, connect, default_files, node, offers, request, settings,
};

const CALLS: &str = "SKILLS_CALLS";
const N_NODES: usize = 10;

fn shown(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    let [half, most, longest] = [at(500), at(990), at(1000)];
    eprintln!(
        "{what}: {} calls, p50 {half:.2?}, p99 {most:.2?}, longest {longest:.2?}",
        times.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn overhead_of_a_call() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let asked = env::var(CALLS).ok().and_then(|text| text.parse().ok());
    let n: usize = asked.unwrap_or(200);
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let caller = Arc::new(caller(&server).await);
    let input = json!({"text": "x".repeat(500)});
    let mut times = Vec::new();
    for at in 0..n {
        let wanted = request("echo", input.clone());
        let start = Instant::now();
        let answer = call(&caller, &wanted).await;
        times.push(start.elapsed());
        assert_eq!(answer["value"]["input"], input, "{at}");
    }
    shown("one at a time", times);
    let lanes: Vec<_> = (0..16)
        .map(|_| {
            let (caller, input) = (caller.clone(), input.clone());
            tokio::spawn(async move { lane(&caller, &input, n / 16).await })
        })
        .collect();
    let start = Instant::now();
    let mut times = Vec::new();
    for lane in lanes {
        times.extend(lane.await.unwrap());
    }
    let rate = times.len() as u128 * 1000 / start.elapsed().as_millis().max(1);
    shown(&format!("16 at a time, {rate} a second"), times);
}

async fn lane(caller: &skill_nats::call::Caller, input: &Value, n: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..n {
        let wanted = request("echo", input.clone());
        let start = Instant::now();
        let answer = call(caller, &wanted).await;
        times.push(start.elapsed());
        assert_eq!(answer["value"]["input"], *input);
    }
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn overhead_of_a_large_catalog() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let asked = env::var(CALLS).ok().and_then(|text| text.parse().ok());
    let n: usize = asked.unwrap_or(200);
    let dir = tempfile::tempdir().unwrap();
    let mut nodes = Vec::new();
    let start = Instant::now();
    for at in 0..N_NODES {
        let connection = connect(&server, "node").await;
        let files = default_files();
        let mut all = offers(&files);
        let pattern = all.remove(0);
        let offers = (0..n / N_NODES).map(|skill| Offer {
            skill: format!("skill-{at}-{skill}"),
            description: "Says in a few words what it does and when to use it. ".repeat(4),
            ..pattern.clone()
        });
        let runner = Arc::new(TestSkills {
            dir: dir.path().to_owned(),
            files,
        });
        let name = format!("node-{at}");
        let node = Node::start(&connection, settings(&name), offers.collect(), runner).await;
        nodes.push(node.unwrap());
    }
    let published = start.elapsed();
    let connection = connect(&server, "reader").await;
    let start = Instant::now();
    let union = catalog::read(&connection, &BTreeSet::new(), &[])
        .await
        .unwrap();
    assert_eq!(union.skills.len(), n / N_NODES * N_NODES);
    let read = start.elapsed();
    let start = Instant::now();
    let found = catalog::find(&connection, "skill-3-7", &[]).await.unwrap();
    assert!(found.is_some());
    eprintln!(
        "{} skills of {N_NODES} nodes: published in {published:.2?}, all read in {read:.2?}, one found in {:.2?}",
        union.skills.len(),
        start.elapsed()
    );
}
