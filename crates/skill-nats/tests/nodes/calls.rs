//! One call: its answer, its end, its repetition.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use skill_nats::call::{CallEvent, Caller, RemoteCall};
use skill_nats::testing::TestServer;

use crate::skills::{Process, call, caller, connect, node, patience, request};

fn reason(answer: &Value) -> (&str, &str) {
    let error = &answer["error"];
    (
        error["code"].as_str().unwrap_or_default(),
        error["details"]["reason"].as_str().unwrap_or_default(),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_answered_with_where_it_ran() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let caller = caller(&server).await;
    let mut wanted = request("echo", json!({"a": [1, "二"]}));
    wanted.command = Some("say".to_owned());
    let answer = call(&caller, &wanted).await;
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["value"]["input"], wanted.input);
    assert_eq!(answer["value"]["command"], "say");
    assert_eq!(answer["meta"]["node"], "one");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_any_size_arrives_or_is_refused() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let caller = caller(&server).await;
    for n in [0, 900_000, 1_100_000, 9_000_000] {
        let answer = call(&caller, &request("big", json!({ "n": n }))).await;
        assert_eq!(answer["value"].as_str().map(str::len), Some(n), "{n}");
    }
    let answer = call(&caller, &request("big", json!({"n": 70_000_000}))).await;
    assert_eq!(reason(&answer), ("too-large", "result"));
    let large = json!("x".repeat(2_000_000));
    let answer = call(&caller, &request("echo", large)).await;
    assert_eq!(reason(&answer), ("too-large", "input"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_is_run_once_and_answered_each_time() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("keys")).unwrap();
    let _nodes = [
        node(&server, "one", dir.path()).await,
        node(&server, "two", dir.path()).await,
    ];
    let callers = [caller(&server).await, caller(&server).await];
    let mut wanted = request("tally-once", Value::Null);
    for round in 0..20 {
        wanted.id = Some(format!("id-{round}"));
        let (first, second) = tokio::join!(call(&callers[0], &wanted), call(&callers[1], &wanted));
        let third = call(&callers[0], &wanted).await;
        for answer in [first, second, third] {
            assert_eq!(answer["value"], wanted.id.as_deref().unwrap(), "{answer}");
        }
    }
    let starts = fs::read_to_string(dir.path().join("starts")).unwrap();
    assert_eq!(starts.lines().count(), 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_is_that_of_one_call_and_of_no_other() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let node = node(&server, "one", dir.path()).await;
    let caller = caller(&server).await;
    let mut wanted = request("echo", json!({"a": 1, "b": {"c": 2, "d": 3}}));
    wanted.id = Some("same-1".to_owned());
    let first = call(&caller, &wanted).await;
    assert_eq!(first["value"]["input"], wanted.input, "{first}");
    // The same input in another order.
    wanted.input = json!({"b": {"d": 3, "c": 2}, "a": 1});
    assert_eq!(call(&caller, &wanted).await["value"], first["value"]);
    for (command, input) in [
        (None, json!({"a": 2, "b": {"c": 2, "d": 3}})),
        (Some("say".to_owned()), wanted.input.clone()),
    ] {
        let other = RemoteCall {
            command,
            input,
            ..wanted.clone()
        };
        let answer = call(&caller, &other).await;
        assert_eq!(reason(&answer), ("invalid-input", "id"), "{answer}");
    }
    // The answer is there also when the node is gone.
    node.stop(Duration::ZERO).await;
    assert_eq!(call(&caller, &wanted).await["value"], first["value"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_told_on_the_way() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let caller = caller(&server).await;
    let mut seen = Vec::new();
    let mut on = |event: CallEvent| seen.push(event);
    let wanted = request("slow", json!({"n": 400}));
    let answer = caller.call(&wanted, &mut on, std::future::pending()).await;
    assert_eq!(answer["value"], 400);
    assert_eq!(
        seen[0],
        CallEvent::Accepted {
            node: "one".to_owned()
        }
    );
    let progress = |at: u64| CallEvent::Progress(json!({ "at": at }));
    for at in [0, 10, 20, 30] {
        assert!(seen.contains(&progress(at)), "{seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_stops_on_its_node() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let caller = caller(&server).await;
    let file = dir.path().join("stopped");
    let wanted = request("slow", json!({"n": 60_000, "file": file}));
    let (began, begins) = tokio::sync::oneshot::channel();
    let mut began = Some(began);
    let mut on = |event: CallEvent| {
        if matches!(event, CallEvent::Progress(_))
            && let Some(began) = began.take()
        {
            began.send(()).unwrap();
        }
    };
    let cancel = async {
        begins.await.unwrap();
    };
    let answer = caller.call(&wanted, &mut on, cancel).await;
    assert_eq!(reason(&answer), ("cancelled", "cancelled"));
    while !file.is_file() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_is_kept_by_the_node() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "one", dir.path()).await;
    let caller = caller(&server).await;
    let file = dir.path().join("stopped");
    let mut wanted = request("slow", json!({"n": 60_000, "file": file}));
    // Long enough for the call to have begun: what begins too late never runs and stops nothing.
    wanted.deadline = Duration::from_secs(2);
    let answer = call(&caller, &wanted).await;
    assert_eq!(answer["error"]["code"], "timeout", "{answer}");
    while !file.is_file() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_nobody_has_is_said_to_be_missing() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let mut patience = patience();
    patience.absence = Duration::from_millis(300);
    let caller = Caller::new(&connect(&server, "caller").await, patience);
    for skill in ["missing", "no.such>name"] {
        let answer = call(&caller, &request(skill, Value::Null)).await;
        assert_eq!(reason(&answer), ("not-found", "no-node"));
    }
}

/// Kills the node that has a call, and gives the answer to the call.
async fn lose(server: &TestServer, skill: &str) -> (Value, String) {
    let dir = tempfile::tempdir().unwrap();
    let mut process = Process::start(server, "doomed", dir.path());
    let caller = caller(server).await;
    let wanted = request(skill, json!({"n": 3_000}));
    let (began, begins) = tokio::sync::oneshot::channel();
    let mut began = Some(began);
    let mut on = |event: CallEvent| {
        if matches!(event, CallEvent::Progress(_))
            && let Some(began) = began.take()
        {
            began.send(()).unwrap();
        }
    };
    let rescue = async {
        begins.await.unwrap();
        process.kill();
        node(server, "other", dir.path()).await
    };
    let (answer, _node) = tokio::join!(
        caller.call(&wanted, &mut on, std::future::pending()),
        rescue
    );
    let node = answer["meta"]["node"].as_str().unwrap_or_default();
    (answer.clone(), node.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_node_is_made_good_elsewhere_if_the_skill_is_idempotent() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let (answer, node) = Box::pin(lose(&server, "slow")).await;
    assert_eq!(
        (&answer["value"], &*node),
        (&json!(3_000), "other"),
        "{answer}"
    );
}
