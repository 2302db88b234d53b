//! What nodes offer, and the files of it.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use skill_nats::catalog::{self, fetch, mirror};
use skill_nats::node::Node;
use skill_nats::testing::TestServer;

use crate::skills::{
    GRACE, NAMES, Process, TestSkills, connect, default_files, node, offers, settings,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_union_has_every_living_node() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let one = node(&server, "one", dir.path()).await;
    let mut two = Process::start(&server, "two", dir.path());
    let connection = connect(&server, "reader").await;
    let none = BTreeSet::new();
    let read = async || catalog::read(&connection, &none, &[]).await.unwrap();
    let nodes = async || {
        let union = read().await;
        union.skills.get("echo").map(|skill| skill.nodes.clone())
    };
    while nodes().await.is_none_or(|nodes| nodes.len() < 2) {
        tokio::task::yield_now().await;
    }
    let union = read().await;
    let found: BTreeSet<&str> = union.skills.keys().map(String::as_str).collect();
    assert_eq!(found, BTreeSet::from(NAMES));
    assert_eq!(
        union.skills["echo"].metadata["allowed-tools"],
        serde_json::Value::Null
    );
    // One goes without a word, the other properly.
    two.kill();
    while nodes().await != Some(vec!["one".to_owned()]) {
        tokio::time::sleep(GRACE / 40).await;
    }
    one.stop(GRACE).await;
    assert_eq!(nodes().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_is_fetched_verified_and_kept() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let connection = connect(&server, "reader").await;
    let skill = catalog::find(&connection, "echo", &[])
        .await
        .unwrap()
        .unwrap();
    let cache = dir.path().join("cache");
    let kept = fetch(&connection, &skill, &cache).await.unwrap();
    for (path, bytes) in default_files() {
        assert_eq!(fs::read(kept.join("echo").join(path)).unwrap(), bytes);
    }
    // Kept: the node is not asked again.
    let mut gone = skill.clone();
    gone.nodes.clear();
    assert_eq!(fetch(&connection, &gone, &cache).await.unwrap(), kept);
    // Not kept any more when somebody changed it.
    fs::write(kept.join("echo/SKILL.md"), "changed").unwrap();
    fetch(&connection, &gone, &cache).await.unwrap_err();
    fetch(&connection, &skill, &cache).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_gives_other_bytes_than_it_lists_is_found_out() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let connection = connect(&server, "liar").await;
    let mut files = default_files();
    let offers = offers(&files);
    files[0].1 = b"---\nname: evil\n---\n".to_vec();
    let runner = TestSkills {
        dir: dir.path().to_owned(),
        files,
    };
    let node = Node::start(&connection, settings("liar"), offers, Arc::new(runner));
    let _node = node.await.unwrap();
    let skill = catalog::find(&connection, "echo", &[])
        .await
        .unwrap()
        .unwrap();
    let cache = dir.path().join("cache");
    let error = fetch(&connection, &skill, &cache).await.unwrap_err();
    assert!(error.to_string().contains("another digest"), "{error}");
    assert!(!cache.is_dir());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_follows_the_nodes_and_never_hides_what_is_local() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let node = node(&server, "one", dir.path()).await;
    let connection = connect(&server, "reader").await;
    let out = dir.path().join("mirror");
    let local = BTreeSet::from(["big".to_owned()]);
    let run = async || mirror(&connection, &out, &local, &[]).await.unwrap();
    let done = run().await;
    assert_eq!(done.written, ["echo", "slow", "tally", "tally-once"]);
    assert!(
        done.shadowed
            .iter()
            .all(|skill| skill.by_local && skill.name == "big")
    );
    let text = fs::read_to_string(out.join("echo/SKILL.md")).unwrap();
    assert!(text.contains("nodes: \"one\""), "{text}");
    assert!(
        text.contains("! `rm -rf /`") && !text.contains("allowed-tools"),
        "{text}"
    );
    let text = fs::read_to_string(out.join("echo/METADATA.yml")).unwrap();
    assert!(text.contains("type: distributed\n") && text.contains("transport: nats\n"));
    // Programs stay where they run.
    assert!(!out.join("echo/scripts").exists());
    assert_eq!(run().await.unchanged, done.written);
    fs::write(out.join("slow/SKILL.md"), "mine").unwrap();
    node.stop(GRACE).await;
    let done = run().await;
    assert_eq!(done.removed, ["echo", "tally", "tally-once"]);
    assert_eq!(done.refused.keys().collect::<Vec<_>>(), ["slow"]);
}
