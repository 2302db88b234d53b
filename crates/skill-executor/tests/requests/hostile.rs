//! Services whose answers have no end, fast and slow: they are given up, and nothing of them remains.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use serde_json::json;
use skill_executor::Request;

use crate::world::world;

/// Starts a service that answers with these bytes again and again, and returns its address.
fn endless(piece: Vec<u8>, pause: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n";
        let mut sent = stream.write_all(head);
        // Until whoever asked has gone.
        while sent.is_ok() {
            sent = stream.write_all(&piece);
            std::thread::sleep(pause);
        }
    });
    address
}

/// `is_kept` is true if so much comes that the answer is written into a file meanwhile.
#[track_caller]
fn check(piece: Vec<u8>, pause: Duration, is_kept: bool) {
    let address = endless(piece, pause);
    let world = world(Vec::new(), Some(&address));
    let runner = world.runner(&[("TOKEN", "s3cret")]);
    let mut request = Request::new(json!({"id": "1"}));
    request.command = Some("getPet".to_owned());
    request.options.timeout = Some(Duration::from_millis(400));
    let res = runner.run(&world.skill(), request).to_value();
    assert_eq!(res["error"]["code"], "timeout", "{res}");
    let answers = world.dir.path().join("state/answers");
    assert_eq!(answers.is_dir(), is_kept, "{}", answers.display());
    let left = std::fs::read_dir(answers).map_or(0, Iterator::count);
    assert_eq!(left, 0, "parts of the answer remain");
}

#[test]
fn an_answer_without_an_end_is_given_up() {
    check(vec![b'x'; 1 << 14], Duration::from_millis(1), true);
    check(vec![b'x'], Duration::from_millis(20), false);
}
