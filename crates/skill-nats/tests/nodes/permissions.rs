//! The configuration that docs/scale.md recommends, on a real server: it is enough for each part,
//! and what it should keep out stays out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use async_nats::jetstream;
use futures_util::StreamExt as _;
use serde_json::json;
use skill_nats::call::Caller;
use skill_nats::catalog::{self, fetch};
use skill_nats::node::prepare;
use skill_nats::queue::{Queue, Task};
use skill_nats::testing::TestServer;
use skill_nats::{Connection, Server};
use tokio::sync::mpsc;

use crate::skills::{GRACE, call, node_at, patience, request};

/// How long a server that refuses may take to be silent.
const SILENCE: Duration = Duration::from_millis(300);

fn server() -> Option<TestServer> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/nats/nats-server.conf");
    let users = ["ADMIN", "WORKER", "NODE", "CALLER"];
    let passwords = users.map(|user| format!("SKILLS_{user}_PASSWORD: \"secret\"\n"));
    let config = fs::read_to_string(file).unwrap();
    TestServer::start_with(&format!("{}{config}", passwords.concat()))
}

async fn connect(server: &TestServer, user: &str) -> Connection {
    let url = server
        .url()
        .replace("nats://", &format!("nats://{user}:secret@"));
    let server = Server {
        url,
        inbox: Some(format!("_INBOX_{user}")),
        ..Server::default()
    };
    server.connect(user).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_part_can_do_its_work_and_no_more() {
    let Some(server) = server() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    prepare(&connect(&server, "admin").await, GRACE)
        .await
        .unwrap();
    let of_node = connect(&server, "lab-1").await;
    let node = node_at(&of_node, "lab-1", dir.path()).await;
    let of_caller = connect(&server, "caller").await;
    let caller = Caller::new(&of_caller, patience());
    // Enough: answers, small and large, progress, files.
    let answer = call(&caller, &request("echo", json!({"n": 1}))).await;
    assert_eq!(answer["value"]["input"]["n"], 1, "{answer}");
    let answer = call(&caller, &request("big", json!({"n": 3_000_000}))).await;
    assert_eq!(answer["value"].as_str().map(str::len), Some(3_000_000));
    let skill = catalog::find(&of_caller, "echo", &[])
        .await
        .unwrap()
        .unwrap();
    fetch(&of_caller, &skill, &dir.path().join("cache"))
        .await
        .unwrap();
    // Not more: a caller forges no answer, a node speaks for no other.
    for (who, subject) in [
        (&of_caller, "$KV.skills-calls.forged"),
        (&of_caller, "$KV.skills-nodes.lab-1"),
        (&of_caller, "$KV.skills-catalog.echo.lab-1"),
        (&of_caller, "$O.skills-results.C.forged"),
        (&of_node, "$KV.skills-nodes.lab-2"),
        (&of_node, "$KV.skills-catalog.echo.lab-2"),
    ] {
        let mut context = jetstream::new(who.client().clone());
        context.set_timeout(SILENCE);
        let sent = context.publish(subject, "x".into()).await.unwrap().await;
        assert!(sent.is_err(), "{subject}");
    }
    // Nobody listens to the calls or the answers of others.
    let client = of_caller.client();
    let mut heard = client.subscribe("skills.run.>").await.unwrap();
    let mut answers = of_node.client().subscribe("_INBOX_caller.>").await.unwrap();
    let answer = call(&caller, &request("echo", json!({"n": 2}))).await;
    assert_eq!(answer["value"]["input"]["n"], 2);
    for stolen in [&mut heard, &mut answers] {
        let message = tokio::time::timeout(SILENCE, stolen.next()).await;
        assert!(!matches!(message, Ok(Some(_))));
    }
    node.stop(GRACE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_takes_part_in_a_job_and_makes_none() {
    let Some(server) = server() else {
        return;
    };
    let queue = async |user: &str| {
        let connection = connect(&server, user).await;
        Queue::new(&connection, "default", GRACE).unwrap()
    };
    let (admin, worker) = (queue("admin").await, queue("worker").await);
    let items = BTreeMap::from([("a".to_owned(), vec![1]), ("b".to_owned(), vec![2])]);
    worker.fill("over", &items).await.unwrap_err();
    admin.fill("over", &items).await.unwrap();
    let (sender, mut tasks) = mpsc::channel::<Task>(1);
    let answer = tokio::spawn(async move {
        while let Some(task) = tasks.recv().await {
            task.result.send(task.payload).unwrap();
        }
    });
    let (worked, ended) = tokio::join!(worker.work("over", 2, sender), admin.wait(|_| ()));
    answer.await.unwrap();
    assert_eq!((worked.unwrap().done, ended.unwrap().results), (2, items));
}
