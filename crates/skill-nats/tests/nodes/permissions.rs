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

use crate::skills::{
    GRACE, call, caller, connect as connect_plain, node, node_at, patience, request,
};

/// The time without a message after which the server counts as silent.
const SILENCE: Duration = Duration::from_millis(300);

/// The roles of `docs/nats/nats-server.conf`, and those of lab-1 again for lab-2.
fn server() -> Option<TestServer> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/nats/nats-server.conf");
    let users = ["ADMIN", "WORKER", "NODE", "CALLER"];
    let passwords = users.map(|user| format!("SKILLS_{user}_PASSWORD: \"secret\"\n"));
    let config = fs::read_to_string(file).unwrap();
    let start = config.find("    {\n      user: \"lab-1\"").unwrap();
    let end = start + config[start..].find("\n    }\n").unwrap() + "\n    }\n".len();
    let second = config[start..end].replace("lab-1", "lab-2");
    let config = format!("{}{second}{}", &config[..end], &config[end..]);
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
        (&of_caller, "$KV.skills-calls._INBOX_other.forged"),
        (&of_caller, "$KV.skills-nodes.lab-1"),
        (&of_caller, "$KV.skills-catalog.echo.lab-1"),
        (&of_caller, "$KV.skills-answers.lab-1._INBOX_caller.forged"),
        (&of_node, "$KV.skills-nodes.lab-2"),
        (&of_node, "$KV.skills-catalog.echo.lab-2"),
        (&of_node, "$KV.skills-answers.lab-2._INBOX_caller.forged"),
        (&of_node, "$KV.skills-calls._INBOX_caller.forged"),
    ] {
        let mut context = jetstream::new(who.client().clone());
        context.set_timeout(SILENCE);
        let sent = context.publish(subject, "x".into()).await.unwrap().await;
        assert!(sent.is_err(), "{subject}");
    }
    node.stop(GRACE).await;
}

/// Everything that lab-2 may try to hear of the calls of others.
const LISTENING: [&str; 7] = [
    ">",
    "skills.>",
    "skills.call.>",
    "skills.run.>",
    "skills.node.lab-1.>",
    "skills.answer.>",
    "_INBOX_caller.>",
];

#[tokio::test(flavor = "multi_thread")]
async fn an_eavesdropper_with_the_rights_of_a_node_hears_and_forges_nothing() {
    let Some(server) = server() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    prepare(&connect(&server, "admin").await, GRACE)
        .await
        .unwrap();
    let node = node_at(&connect(&server, "lab-1").await, "lab-1", dir.path()).await;
    let spy = connect(&server, "lab-2").await;
    let mut heard = Vec::new();
    for subject in LISTENING {
        heard.push(spy.client().subscribe(subject).await.unwrap());
    }
    spy.client().flush().await.unwrap();
    // What would arrive on one of these subjects if the spy could publish there.
    let watch = connect(&server, "lab-1").await;
    let mut of_lab_1 = watch
        .client()
        .subscribe("skills.node.lab-1.>")
        .await
        .unwrap();
    let of_caller = connect(&server, "caller").await;
    let answers = of_caller
        .client()
        .subscribe("skills.answer.*._INBOX_caller.>");
    let mut answers = answers.await.unwrap();
    watch.client().flush().await.unwrap();
    of_caller.client().flush().await.unwrap();
    for subject in [
        "skills.answer.lab-1._INBOX_caller.x",
        "skills.answer.$._INBOX_caller.x",
        "skills.node.lab-1.run._INBOX_caller.x",
        "skills.node.lab-1.cancel",
        "skills.call.echo.0123456789abcdef",
        "_INBOX_caller.x",
    ] {
        spy.client()
            .publish(subject, "forged".into())
            .await
            .unwrap();
    }
    spy.client().flush().await.unwrap();
    for stolen in heard.iter_mut().chain([&mut of_lab_1, &mut answers]) {
        let message = tokio::time::timeout(SILENCE, stolen.next()).await;
        assert!(!matches!(message, Ok(Some(_))), "{message:?}");
    }
    drop(of_lab_1);
    let caller = Caller::new(&of_caller, patience());
    for n in 0..20 {
        let answer = call(
            &caller,
            &request("echo", json!({ "n": n, "password": "secret" })),
        )
        .await;
        assert_eq!(answer["value"]["input"]["n"], n, "{answer}");
        assert_eq!(answer["meta"]["node"], "lab-1");
    }
    // Nothing of all that was heard, nor can be read.
    for stolen in &mut heard {
        let message = tokio::time::timeout(SILENCE / 4, stolen.next()).await;
        assert!(!matches!(message, Ok(Some(_))), "{message:?}");
    }
    for bucket in ["skills-calls", "skills-answers"] {
        for api in ["DIRECT.GET", "STREAM.MSG.GET", "STREAM.INFO"] {
            // It may ask whether there is a bucket of answers, and no more.
            if (api, bucket) == ("STREAM.INFO", "skills-answers") {
                continue;
            }
            let subject = format!("$JS.API.{api}.KV_{bucket}");
            let first = json!({ "seq": 1 }).to_string();
            let asked = spy.client().request(subject, first.into());
            let answer = tokio::time::timeout(SILENCE, asked).await;
            assert!(!matches!(answer, Ok(Ok(_))), "{answer:?}");
        }
    }
    node.stop(GRACE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_claims_what_it_does_not_offer_gets_no_input() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let _node = node(&server, "lab-1", dir.path()).await;
    let spy = connect_plain(&server, "lab-2").await;
    // It hears each announcement, and claims and answers at once.
    let mut announced = spy.client().subscribe("skills.call.>").await.unwrap();
    let mut inputs = spy.client().subscribe("skills.node.lab-2.>").await.unwrap();
    let client = spy.client().clone();
    spy.client().flush().await.unwrap();
    tokio::spawn(async move {
        while let Some(message) = announced.next().await {
            let reply = message.reply.unwrap().to_string();
            let subject = reply.replace("skills.answer.$.", "skills.answer.lab-2.");
            for (event, body) in [
                ("claimed", json!({ "incarnation": "x", "token": "x" })),
                (
                    "result",
                    json!({ "ok": true, "value": "a lie", "meta": { "node": "lab-1" } }),
                ),
            ] {
                let mut headers = async_nats::HeaderMap::new();
                headers.insert("Skills-Event", event);
                let body = body.to_string().into();
                let sent = client.publish_with_headers(subject.clone(), headers, body);
                sent.await.unwrap();
            }
        }
    });
    let caller = caller(&server).await;
    for n in 0..20 {
        let answer = call(&caller, &request("echo", json!({ "n": n }))).await;
        assert_eq!(answer["value"]["input"]["n"], n, "{answer}");
        assert_eq!(answer["meta"]["node"], "lab-1");
    }
    let message = tokio::time::timeout(SILENCE, inputs.next()).await;
    assert!(!matches!(message, Ok(Some(_))), "{message:?}");
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
