//! Conversations by WebSocket: recorded with a real service, and said again without it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure is a failed test"
)]

use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;

use emulated_internet::{
    Internet, Mask, Message as Kept, Requests, Source, Speaker, Table, Upstream,
};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{accept_async, client_async};

const KEY: &str = "kAnary-of-the-user-1";

fn resolve(host: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
    Ok((host, port).to_socket_addrs()?.collect())
}

/// Greets, and repeats what it hears in a text and in bytes; ends the conversation after `bye`.
async fn service(listener: TcpListener) {
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = accept_async(stream).await.unwrap();
    socket.send(Message::text("welcome")).await.unwrap();
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { break };
        let answer = format!("{{\"heard\": {text:?}}}");
        socket.send(Message::text(answer)).await.unwrap();
        socket.send(Message::binary(vec![0xFF, 0])).await.unwrap();
        if text.as_str() == "bye" {
            socket.close(None).await.unwrap();
        }
    }
}

/// Says some lines to a service through the internet, and returns what it heard and what was recorded.
async fn talk(
    internet: &Internet,
    source: Source,
    port: u16,
    lines: &[&str],
) -> (Vec<Message>, Requests) {
    let visit = internet.visit(source).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", internet.port()))
        .await
        .unwrap();
    let greeting = format!("{} 127.0.0.1 {port}\n", visit.mark());
    stream.write_all(greeting.as_bytes()).await.unwrap();
    let address = format!("ws://127.0.0.1:{port}/live?api_key={KEY}");
    let mut heard = Vec::new();
    if let Ok((mut socket, _)) = client_async(address, stream).await {
        heard.push(socket.next().await.unwrap().unwrap());
        for line in lines {
            socket.send(Message::text(*line)).await.unwrap();
            if *line == "unheard" {
                break;
            }
            heard.push(socket.next().await.unwrap().unwrap());
            heard.push(socket.next().await.unwrap().unwrap());
        }
        if lines.last() == Some(&"bye") {
            heard.push(socket.next().await.unwrap().unwrap());
        }
        let _ = socket.close(None).await;
    }
    let requests = tokio::task::spawn_blocking(|| visit.finish())
        .await
        .unwrap();
    (heard, requests)
}

#[test]
fn a_conversation_is_recorded_and_said_again() {
    // It has threads of its own.
    let internet = Internet::start(Table::default()).unwrap();
    let runtime = Runtime::new().unwrap();
    runtime.block_on(check(&internet));
}

async fn check(internet: &Internet) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let served = tokio::spawn(service(listener));
    let secrets = BTreeMap::from([("API_KEY".to_owned(), KEY.to_owned())]);
    let mask = Arc::new(Mask::new(&secrets));
    let upstream = Arc::new(Upstream::new(resolve));
    let hello = format!("hello {KEY}");
    let lines = [hello.as_str(), "bye"];

    let real = Source::Real(Arc::clone(&upstream), Arc::clone(&mask));
    let (heard, recorded) = talk(internet, real.clone(), port, &lines).await;
    served.await.unwrap();
    assert_eq!(heard.len(), 6, "{heard:?}");
    assert!(heard[1].to_text().unwrap().contains(KEY), "{heard:?}");
    assert_eq!(recorded.gaps, Vec::<String>::new());
    let [take] = recorded.takes.as_slice() else {
        panic!("{recorded:?}");
    };
    let text = serde_json::to_string(take).unwrap();
    assert!(!text.contains(KEY), "{text}");
    let said: Vec<_> = take.messages.iter().map(|said| said.by).collect();
    let (program, service) = (Speaker::Program, Speaker::Service);
    let expected = [
        service, program, service, service, program, service, service, service,
    ];
    assert_eq!(said, expected, "{take:?}");
    assert!(matches!(take.messages[7].message, Kept::Close(_)));

    // The service has ended.
    let again = Source::Replayed(recorded.takes.clone(), Arc::clone(&mask));
    let (repeated, replayed) = talk(internet, again.clone(), port, &lines).await;
    assert_eq!(replayed.gaps, Vec::<String>::new());
    assert_eq!(replayed.exchanges, recorded.exchanges);
    assert_eq!(repeated.len(), heard.len());
    let (first, last) = (0, heard.len() - 2);
    assert_eq!(repeated[first], heard[first]);
    assert_eq!(repeated[last], heard[last]);

    // More than was said, and a conversation that nobody recorded.
    let mut short = recorded.takes.clone();
    short[0].messages.truncate(4);
    let short = Source::Replayed(short, Arc::clone(&mask));
    let (_, longer) = talk(internet, short, port, &["hello", "unheard"]).await;
    assert_eq!(longer.gaps.len(), 1, "{longer:?}");
    assert!(
        longer.gaps[0].contains("no answer to this message"),
        "{longer:?}"
    );
    for source in [Source::Replayed(Vec::new(), mask), real] {
        let (_, unknown) = talk(internet, source, port, &lines).await;
        assert_eq!(
            (unknown.gaps.len(), unknown.takes.len()),
            (1, 0),
            "{unknown:?}"
        );
    }
}
