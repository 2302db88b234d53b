//! The skills that nodes offer, and their files.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use futures_util::StreamExt as _;
use serde_json::json;
use skill_nats::call::{Caller, Patience};
use skill_nats::catalog::{self, fetch, mirror};
use skill_nats::node::Node;
use skill_nats::testing::TestServer;

use crate::skills::{
    GRACE, NAMES, Process, TestSkills, call, connect, default_files, node, offers, patience,
    request, settings,
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

/// Another node with a skill of the same name and other bytes.
async fn squatter(server: &TestServer, name: &str, dir: &std::path::Path) -> Node {
    let mut files = default_files();
    files[0].1 = b"---\nname: echo\ndescription: Another.\n---\n".to_vec();
    let offers = offers(&files);
    let runner = TestSkills {
        dir: dir.to_owned(),
        files,
    };
    let connection = connect(server, name).await;
    let node = Node::start(&connection, settings(name), offers, Arc::new(runner));
    node.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_on_which_nodes_differ_is_refused_unless_one_is_preferred() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _honest = node(&server, "lab-1", dir.path()).await;
    let _squatter = squatter(&server, "a", dir.path()).await;
    let connection = connect(&server, "reader").await;
    let answer = call(
        &Caller::new(&connection, patience()),
        &request("echo", json!(1)),
    )
    .await;
    assert_eq!(answer["error"]["code"], "ambiguous", "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    for word in ["`a` has sha256:", "`lab-1` has sha256:", "--prefer"] {
        assert!(message.contains(word), "{message}");
    }
    let out = dir.path().join("mirror");
    let done = mirror(&connection, &out, &BTreeSet::new(), &[])
        .await
        .unwrap();
    assert_eq!(done.written, [""; 0]);
    assert!(done.refused["echo"].contains("differ"), "{done:?}");
    let prefer = Patience {
        prefer: vec!["lab-1".to_owned()],
        ..patience()
    };
    let answer = call(
        &Caller::new(&connection, prefer),
        &request("echo", json!(1)),
    )
    .await;
    assert_eq!(answer["meta"]["node"], "lab-1", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_never_gives_a_file_holds_up_a_mirror_once() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _honest = node(&server, "lab-1", dir.path()).await;
    // It lists five skills that nobody else has, lives, and answers nothing.
    let silent = connect(&server, "silent").await;
    let _heard = silent
        .client()
        .subscribe("skills.node.silent.>")
        .await
        .unwrap();
    let context = async_nats::jetstream::new(silent.client().clone());
    let beat = json!({ "incarnation": "x", "skills": 5, "protocol": 2 });
    let put = context.publish("$KV.skills-nodes.silent", beat.to_string().into());
    put.await.unwrap().await.unwrap();
    for n in 0..5 {
        let digest = catalog::digest_of_skill(&[], None);
        let entry = json!({ "skill": format!("a-{n}"), "digest": digest, "protocol": 2 });
        let subject = format!("$KV.skills-catalog.a-{n}.silent");
        let put = context.publish(subject, entry.to_string().into());
        put.await.unwrap().await.unwrap();
    }
    let connection = connect(&server, "reader").await;
    let questions = connect(&server, "counter").await;
    let mut asked = questions
        .client()
        .subscribe("skills.node.silent.file.>")
        .await
        .unwrap();
    questions.client().flush().await.unwrap();
    let out = dir.path().join("mirror");
    let done = mirror(&connection, &out, &BTreeSet::new(), &[])
        .await
        .unwrap();
    assert_eq!(done.written.len(), NAMES.len(), "{done:?}");
    assert_eq!(done.refused.len(), 5);
    assert!(done.refused["a-4"].contains("`silent`"), "{done:?}");
    // It was asked once, and not for each skill.
    let mut n_asked = 0;
    while let Ok(Some(_)) = tokio::time::timeout(GRACE / 20, asked.next()).await {
        n_asked += 1;
    }
    assert_eq!(n_asked, 1);
}
