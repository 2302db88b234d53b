//! The work queue on a real server.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::collections::BTreeMap;
use std::time::Duration;

use skill_nats::queue::{Queue, Task, Worked};
use skill_nats::testing::TestServer;
use skill_nats::{Error, Server};
use tokio::sync::mpsc;

const ACK_WAIT: Duration = Duration::from_millis(600);

async fn queue(server: &TestServer) -> Queue {
    let server = Server {
        url: server.url(),
        ..Server::default()
    };
    let connection = server.connect("test").await.unwrap();
    Queue::new(&connection, "test", ACK_WAIT).unwrap()
}

fn items(n: u32) -> BTreeMap<String, Vec<u8>> {
    (0..n)
        .map(|n| (format!("{n:04}"), n.to_string().into_bytes()))
        .collect()
}

/// A worker that answers with what it got, and forgets the first `n_lost` items.
async fn work(queue: &Queue, n_lost: usize) -> Result<Worked, Error> {
    let (sender, mut tasks) = mpsc::channel::<Task>(1);
    let answer = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Some(task) = tasks.recv().await {
            if held.len() < n_lost {
                held.push(task.result);
            } else {
                task.result.send(task.payload).unwrap();
            }
        }
    });
    let worked = queue.work("over", 8, sender).await;
    answer.await.unwrap();
    worked
}

#[tokio::test(flavor = "multi_thread")]
async fn every_item_is_done_once() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let [filler, one, two] = [
        queue(&server).await,
        queue(&server).await,
        queue(&server).await,
    ];
    let items = items(300);
    filler.fill("over", &items).await.unwrap();
    let (first, second, ended) = tokio::join!(work(&one, 0), work(&two, 0), filler.wait(|_| ()));
    let (first, second, ended) = (first.unwrap(), second.unwrap(), ended.unwrap());
    assert_eq!(ended.results, items);
    assert!(ended.given_up.is_empty());
    assert_eq!(first.done + second.done, 300);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_worker_held_is_done_by_another() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let [filler, one, two] = [
        queue(&server).await,
        queue(&server).await,
        queue(&server).await,
    ];
    let items = items(60);
    filler.fill("over", &items).await.unwrap();
    // The first worker holds eight items and beats for them until it is gone.
    let dies = tokio::time::timeout(ACK_WAIT * 4, work(&one, 1000)).await;
    assert!(dies.is_err());
    let (second, ended) = tokio::join!(work(&two, 0), filler.wait(|_| ()));
    assert_eq!(second.unwrap().done, 60);
    assert_eq!(ended.unwrap().results, items);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_goes_and_comes_loses_nothing() {
    let Some(mut server) = TestServer::start() else {
        return;
    };
    let [filler, one] = [queue(&server).await, queue(&server).await];
    let items = items(400);
    filler.fill("over", &items).await.unwrap();
    let worker = tokio::spawn(async move { work(&one, 0).await });
    let mut n_done = 0;
    while n_done < 50 {
        let mut seen = 0;
        let _ = tokio::time::timeout(ACK_WAIT, filler.wait(|progress| seen = progress.done)).await;
        n_done = seen;
    }
    server.restart();
    worker.await.unwrap().unwrap();
    assert_eq!(filler.wait(|_| ()).await.unwrap().results, items);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_collection_is_refused() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let queue = queue(&server).await;
    queue.fill("something else", &items(3)).await.unwrap();
    let (sender, _tasks) = mpsc::channel::<Task>(1);
    let error = queue.work("over", 1, sender).await.unwrap_err();
    assert!(matches!(error, Error::OtherCollection { .. }), "{error}");
    let error = queue.fill("over", &items(3)).await.unwrap_err();
    assert!(matches!(error, Error::OtherCollection { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_was_left_half_filled_is_continued() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let [filler, one] = [queue(&server).await, queue(&server).await];
    filler.fill("over", &items(40)).await.unwrap();
    filler.fill("over", &items(40)).await.unwrap();
    let (worked, ended) = tokio::join!(work(&one, 0), filler.wait(|_| ()));
    assert_eq!(
        (worked.unwrap().done, ended.unwrap().results.len()),
        (40, 40)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_nobody_can_do_is_given_up_and_named() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let [filler, one] = [queue(&server).await, queue(&server).await];
    filler.fill("over", &items(10)).await.unwrap();
    let (sender, mut tasks) = mpsc::channel::<Task>(1);
    let answer = tokio::spawn(async move {
        let mut n_tries = 0;
        while let Some(task) = tasks.recv().await {
            if task.payload == b"3" {
                n_tries += 1;
            } else {
                task.result.send(task.payload).unwrap();
            }
        }
        n_tries
    });
    let (worked, ended) = tokio::join!(one.work("over", 4, sender), filler.wait(|_| ()));
    let ended = ended.unwrap();
    assert_eq!((worked.unwrap().done, ended.results.len()), (9, 9));
    assert_eq!(ended.given_up.into_iter().collect::<Vec<_>>(), ["0003"]);
    assert_eq!(answer.await.unwrap(), 5);
}
