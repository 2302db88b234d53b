//! Answers and servers without an end.
#![expect(
    clippy::disallowed_methods,
    reason = "tests look at the files that are written"
)]

use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::{answer, exchange, request, server};
use crate::cancel::Cancel;
use crate::http::{Exchange, HttpError, LongAnswer, LongAnswers, Masks};

#[test]
fn bounds_hold() {
    let (port, _asked) = server(vec![answer(200, "", &"x".repeat(101))]);
    let url = format!("http://127.0.0.1:{port}/");
    assert!(matches!(
        exchange("GET", &url).run(&Cancel::new()),
        Err(HttpError::TooLarge(_, 100))
    ));

    let circle = vec![answer(302, "location: /\r\n", ""); 6];
    let (port, _asked) = server(circle);
    let url = format!("http://127.0.0.1:{port}/");
    assert!(matches!(
        exchange("GET", &url).run(&Cancel::new()),
        Err(HttpError::Redirects(_))
    ));

    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/", silent.local_addr().unwrap().port());
    let short = Exchange {
        timeout: Duration::from_millis(200),
        ..exchange("GET", &url)
    };
    assert!(matches!(
        short.run(&Cancel::new()),
        Err(HttpError::Timeout(_))
    ));
    drop(silent);
    let short = Exchange {
        timeout: Duration::from_millis(100),
        ..exchange("GET", &url)
    };
    assert!(matches!(
        short.run(&Cancel::new()),
        Err(HttpError::Unreachable(..))
    ));
}

/// An exchange whose answers of more than ten bytes are written to a directory.
fn with_files(url: &str, dir: &Path) -> Exchange {
    Exchange {
        long_answers: Some(LongAnswers {
            dir: dir.join("answers"),
            in_memory: 10,
            masks: Masks::new(["s3cret"].into_iter()),
        }),
        max_answer: 4 << 20,
        ..exchange("GET", url)
    }
}

/// Returns the names in the directory of answers.
fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir.join("answers"));
    let names = entries.into_iter().flatten().map(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().into_owned()
    });
    names.collect()
}

#[test]
fn a_long_answer_is_written_as_it_comes() {
    let dir = tempfile::tempdir().unwrap();
    let long = "0123456789".repeat(300_000);
    let said = answer(200, "content-type: text/csv\r\n", &long);
    // The same answer twice is one file.
    let (port, _asked) = server(vec![said.clone(), said, answer(200, "", "0123456789")]);
    let exchange = with_files(&format!("http://127.0.0.1:{port}/"), dir.path());
    for _ in 0..2 {
        let found = exchange.run(&Cancel::new()).unwrap();
        assert_eq!(found.body, b"01234567890");
        let Some(LongAnswer { name, bytes }) = found.file else {
            panic!("no file");
        };
        assert!(name.ends_with(".csv"), "{name}");
        assert_eq!(bytes, 3_000_000);
        assert_eq!(names(dir.path()), [name.as_str()]);
        let file = dir.path().join("answers").join(name);
        assert_eq!(std::fs::read_to_string(file).unwrap(), long);
    }
    let short = exchange.run(&Cancel::new()).unwrap();
    assert_eq!(
        (short.body.as_slice(), short.file),
        (&b"0123456789"[..], None)
    );
}

#[test]
fn files_of_answers_have_no_secrets_and_the_oldest_go() {
    let dir = tempfile::tempdir().unwrap();
    let said: Vec<String> = (0..105)
        .map(|n| {
            answer(
                200,
                "content-type: text/plain\r\n",
                &format!("answer {n:04} of s3cret"),
            )
        })
        .collect();
    let (port, _asked) = server(said);
    let exchange = with_files(&format!("http://127.0.0.1:{port}/"), dir.path());
    for n in 0..105 {
        let found = exchange.run(&Cancel::new()).unwrap();
        let name = found.file.expect("a file").name;
        let text = std::fs::read_to_string(dir.path().join("answers").join(name)).unwrap();
        assert_eq!(text, format!("answer {n:04} of ***"));
    }
    assert_eq!(names(dir.path()).len(), 100);
}

/// A server that sends pieces until nobody reads them.
fn endless(piece: &'static [u8], n_pieces: usize, status: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            request(&mut stream);
            let head = format!("HTTP/1.1 {status}\r\ntransfer-encoding: chunked\r\n\r\n");
            let mut sent = stream.write_all(head.as_bytes());
            let size = format!("{:x}\r\n", piece.len());
            for _ in 0..n_pieces {
                for part in [size.as_bytes(), piece, b"\r\n"] {
                    sent = sent.and_then(|()| stream.write_all(part));
                }
            }
            // Whoever asked may have gone.
            drop(sent);
        }
    });
    port
}

#[test]
fn nothing_remains_of_an_answer_without_an_end() {
    const PIECE: &[u8] = &[b'x'; 1 << 16];
    let dir = tempfile::tempdir().unwrap();
    let run = |port: u16, cancel: &Cancel| {
        let exchange = with_files(&format!("http://127.0.0.1:{port}/"), dir.path());
        exchange.run(cancel)
    };
    let found = run(endless(PIECE, 16_000, "200 OK"), &Cancel::new());
    assert!(
        matches!(&found, Err(HttpError::TooLarge(origin, 4_194_304)) if origin.contains("127.0.0.1")),
        "{found:?}"
    );
    // It breaks off.
    let found = run(endless(PIECE, 20, "200 OK"), &Cancel::new());
    assert!(matches!(found, Err(HttpError::BrokenOff(..))), "{found:?}");
    assert_eq!(names(dir.path()), [""; 0]);
    // Of an error, the beginning is enough.
    let found = run(endless(PIECE, 16_000, "500 No"), &Cancel::new()).unwrap();
    assert_eq!(
        (found.status, found.body.len(), found.file),
        (500, 64 << 10, None)
    );
}

#[test]
fn a_server_that_sends_a_byte_now_and_then_ends_with_the_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        request(&mut stream);
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n");
        while sent.is_ok() {
            thread::sleep(Duration::from_millis(20));
            sent = stream.write_all(b"x");
        }
    });
    let slow = Exchange {
        timeout: Duration::from_millis(300),
        ..exchange("GET", &format!("http://127.0.0.1:{port}/"))
    };
    let found = slow.run(&Cancel::new());
    assert!(matches!(found, Err(HttpError::Timeout(_))), "{found:?}");
}
