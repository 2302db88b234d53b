//! Connections that would hold a result up.

use std::sync::mpsc;
use std::thread;

use serde_json::json;

use super::*;
use crate::state::State;

/// An endpoint, and the request that delivers to it.
fn endpoint() -> (Endpoint, tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let state = State::open(dir.path()).unwrap();
    let secret = results::expect(&state, "P").unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let request = format!(
        "POST /plugin-callback/{}/P/1 HTTP/1.1\r\ncontent-length: 7\r\n\r\n{{\"a\":1}}",
        secret.text()
    );
    let port = listener.local_addr().unwrap().port();
    let open = Vec::new();
    let endpoint = Endpoint {
        listener,
        port,
        secret,
        open,
    };
    (endpoint, dir, request)
}

fn connect(endpoint: &Endpoint) -> TcpStream {
    TcpStream::connect((Ipv4Addr::LOCALHOST, endpoint.port)).unwrap()
}

/// The wait ends at its time limit although a client is still sending.
#[test]
fn a_client_that_drips_does_not_outlive_the_wait() {
    let (mut endpoint, _dir, request) = endpoint();
    let mut client = connect(&endpoint);
    let (stop, stopped) = mpsc::channel::<()>();
    let drips = thread::spawn(move || {
        let head = request.split_inclusive("\r\n").next().unwrap();
        let _ = client.write_all(head.as_bytes());
        let pause = Duration::from_millis(1);
        while stopped.recv_timeout(pause) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = client.write_all(b"x");
        }
    });
    let (wake, _waker) = ready::pair().unwrap();
    let until = Instant::now() + Duration::from_millis(50);
    assert_eq!(endpoint.next(&wake, until), None);
    stop.send(()).unwrap();
    drips.join().unwrap();
}

/// Clients that send nothing, or something else, do not delay a result.
#[test]
fn nobody_is_in_the_way_of_a_result() {
    let (mut endpoint, _dir, request) = endpoint();
    let port = endpoint.port;
    let sends = thread::spawn(move || {
        let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let silent: Vec<TcpStream> = (0..2 * MAX_OPEN).map(|_| connect()).collect();
        let mut other = connect();
        other.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut client = connect();
        let (first, rest) = request.split_at(10);
        client.write_all(first.as_bytes()).unwrap();
        client.write_all(rest.as_bytes()).unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        drop(silent);
        answer
    });
    let (wake, waker) = ready::pair().unwrap();
    let until = Instant::now() + Duration::from_mins(10);
    let delivery = endpoint.next(&wake, until).unwrap();
    assert_eq!(delivery.body, json!({"a": 1}));
    assert!(sends.join().unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
    drop(waker);
    assert_eq!(endpoint.next(&wake, until), None);
}
