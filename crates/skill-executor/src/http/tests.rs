//! Exchanges with a server that the test starts on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::cancel::Cancel;

use skill_model::AllowedHost;

use super::policy::leads_inside;
use super::{Address, Clients, Exchange, Hosts, HttpError, Payload, filled};

mod bounds;

/// A server that gives each connection the next answer; what it was asked comes out of the receiver.
fn server(answers: Vec<String>) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            sender.send(request(&mut stream)).unwrap();
            // Whoever asked may have gone.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (port, receiver)
}

/// First line, headers in lower case, and body.
fn request(stream: &mut TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let (mut res, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(size) = line.to_lowercase().strip_prefix("content-length:") {
            length = size.trim().parse().unwrap();
        }
        res.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    res + std::str::from_utf8(&body).unwrap()
}

fn answer(status: u16, headers: &str, body: &str) -> String {
    let size = body.len();
    format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {size}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

fn exchange(method: &str, url: &str) -> Exchange {
    Exchange {
        address: Address::read(url).unwrap(),
        method: method.to_owned(),
        headers: vec![("X-Key".to_owned(), "secret".to_owned())],
        payload: Payload::Arguments(
            json!({"q": "a b", "n": [1, 2]})
                .as_object()
                .unwrap()
                .clone(),
        ),
        idempotent: false,
        hosts: Hosts::Listed(vec![AllowedHost::parse("127.0.0.1").unwrap()]),
        timeout: Duration::from_secs(20),
        max_answer: 100,
        long_answers: None,
        clients: Clients::default(),
    }
}

#[test]
fn arguments_travel_as_the_method_has_them() {
    let json = answer(
        200,
        "content-type: application/json; charset=utf-8\r\n",
        r#"{"a":1}"#,
    );
    let (port, asked) = server(vec![json.clone(), json]);
    let url = format!("http://127.0.0.1:{port}/x?y=1");
    let res = exchange("GET", &url).run(&Cancel::new()).unwrap();
    assert_eq!(
        (res.status, res.value(), res.attempts),
        (200, Ok(json!({"a": 1})), 1)
    );
    let seen = asked.recv().unwrap();
    assert!(
        seen.starts_with("GET /x?y=1&q=a%20b&n=1&n=2 HTTP/1.1"),
        "{seen}"
    );
    assert!(seen.contains("secret"));
    exchange("POST", &url).run(&Cancel::new()).unwrap();
    let seen = asked.recv().unwrap();
    assert!(seen.starts_with("POST /x?y=1 HTTP/1.1"), "{seen}");
    assert!(seen.ends_with(r#"{"q":"a b","n":[1,2]}"#), "{seen}");
}

#[test]
fn a_request_that_is_given_up_is_left_alone() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let cancel = Cancel::new();
    let other = cancel.clone();
    // A server that takes the request and never answers: it gives up for the caller.
    let server = thread::spawn(move || {
        let taken = listener.accept().unwrap();
        other.cancel();
        taken
    });
    let mut exchange = exchange("GET", &format!("http://127.0.0.1:{port}/"));
    exchange.timeout = Duration::from_mins(10);
    assert_eq!(exchange.run(&cancel), Err(HttpError::Cancelled));
    drop(server.join().unwrap());
}

/// The status of the first answer, the method, and how often it is asked.
const RETRIES: [(u16, &str, u32); 5] = [
    (503, "GET", 2),
    (429, "DELETE", 2),
    (503, "POST", 1),
    (500, "GET", 1),
    (404, "PUT", 1),
];

#[test]
fn only_what_may_be_repeated_is() {
    for (status, method, attempts) in RETRIES {
        let (port, _asked) = server(vec![answer(status, "", "later"), answer(200, "", "fine")]);
        let res = exchange(method, &format!("http://127.0.0.1:{port}/"))
            .run(&Cancel::new())
            .unwrap();
        let expected = if attempts == 2 { 200 } else { status };
        assert_eq!(
            (res.status, res.attempts),
            (expected, attempts),
            "{status} {method}"
        );
    }
}

#[test]
fn redirects_stay_within_the_listed_hosts() {
    let (port, asked) = server(vec![
        answer(302, "location: /next\r\n", ""),
        answer(200, "content-type: text/plain\r\n", "there"),
    ]);
    let url = format!("http://127.0.0.1:{port}/first");
    let res = exchange("POST", &url).run(&Cancel::new()).unwrap();
    assert_eq!(res.value(), Ok(json!("there")));
    assert!(asked.recv().unwrap().starts_with("POST /first"));
    assert!(asked.recv().unwrap().starts_with("GET /next HTTP"));
    for location in [
        "http://localhost:1/x",
        "//evil.example/x",
        "https://127.0.0.1.evil.example/",
    ] {
        let (port, _asked) = server(vec![answer(307, &format!("location: {location}\r\n"), "")]);
        let res = exchange("GET", &format!("http://127.0.0.1:{port}/")).run(&Cancel::new());
        assert!(
            matches!(res, Err(HttpError::Elsewhere(..))),
            "{location}: {res:?}"
        );
    }
}

/// The second request after a redirect with this status: its method, and whether it has the body and its type.
#[track_caller]
fn check_redirect(status: u16, method: &str, expected: &str, has_body: bool) {
    let (port, asked) = server(vec![
        answer(status, "location: ?again\r\n", ""),
        answer(200, "", ""),
    ]);
    let mut exchange = exchange(method, &format!("http://127.0.0.1:{port}/x"));
    exchange
        .headers
        .push(("Content-Type".to_owned(), "text/x".to_owned()));
    exchange.payload = Payload::Bytes(Some(b"body".to_vec()));
    exchange.run(&Cancel::new()).unwrap();
    let (_, second) = (asked.recv().unwrap(), asked.recv().unwrap());
    assert!(
        second.starts_with(&format!("{expected} /x?again HTTP")),
        "{second}"
    );
    let found = (second.ends_with("body"), second.contains("text/x"));
    assert_eq!(found, (has_body, has_body), "{status} {method}: {second}");
}

#[test]
fn a_redirect_keeps_the_method_and_the_body_or_neither() {
    for status in [301, 302, 303] {
        check_redirect(status, "POST", "GET", false);
    }
    for status in [301, 302, 307, 308] {
        check_redirect(status, "PUT", "PUT", true);
    }
    check_redirect(303, "PUT", "GET", false);
    check_redirect(303, "DELETE", "GET", false);
    for status in [307, 308] {
        check_redirect(status, "POST", "POST", true);
    }
}

#[test]
fn a_redirect_to_the_same_address_sends_no_arguments() {
    let (port, asked) = server(vec![
        answer(303, "location: /x\r\n", ""),
        answer(200, "", ""),
    ]);
    exchange("POST", &format!("http://127.0.0.1:{port}/x"))
        .run(&Cancel::new())
        .unwrap();
    let (_, second) = (asked.recv().unwrap(), asked.recv().unwrap());
    assert!(second.starts_with("GET /x HTTP"), "{second}");
}

#[test]
fn a_long_answer_is_refused_before_it_comes() {
    let long = "HTTP/1.1 200 X\r\ncontent-length: 300000000\r\n\r\n".to_owned();
    let (port, _asked) = server(vec![long.clone(), long]);
    let url = format!("http://127.0.0.1:{port}/");
    let mut get = exchange("GET", &url);
    // A body that never comes would take all of the time.
    get.timeout = Duration::from_mins(10);
    let res = get.run(&Cancel::new());
    assert!(matches!(res, Err(HttpError::TooLarge(_, 100))), "{res:?}");
    // The answer to `HEAD` says the length of another one.
    let res = exchange("HEAD", &url).run(&Cancel::new());
    assert_eq!(res.map(|it| it.status), Ok(200));
}

#[test]
fn an_answer_that_breaks_off_says_so() {
    let cut = "HTTP/1.1 200 X\r\ncontent-length: 50\r\n\r\nhalf".to_owned();
    let (port, _asked) = server(vec![cut]);
    let res = exchange("POST", &format!("http://127.0.0.1:{port}/")).run(&Cancel::new());
    assert!(matches!(res, Err(HttpError::BrokenOff(..))), "{res:?}");
}

#[test]
fn compressed_answers_are_refused() {
    let (port, asked) = server(vec![answer(200, "content-encoding: gzip\r\n", "bytes")]);
    let res = exchange("GET", &format!("http://127.0.0.1:{port}/")).run(&Cancel::new());
    assert!(matches!(res, Err(HttpError::Encoded(..))), "{res:?}");
    assert!(
        asked
            .recv()
            .unwrap()
            .to_lowercase()
            .contains("accept-encoding: identity")
    );
}

#[test]
fn another_origin_gets_no_headers() {
    let (second, asked) = server(vec![answer(200, "", "")]);
    let location = format!("location: http://127.0.0.1:{second}/\r\n");
    let (first, _asked) = server(vec![answer(307, &location, "")]);
    exchange("GET", &format!("http://127.0.0.1:{first}/"))
        .run(&Cancel::new())
        .unwrap();
    assert!(!asked.recv().unwrap().contains("secret"));
}

/// An entry of the list, an address, and whether it may be asked.
const LISTED: [(&str, &str, bool); 15] = [
    ("api.example", "https://api.example/x", true),
    ("API.example", "https://Api.Example/x", true),
    ("api.example", "https://xapi.example/", false),
    ("api.example", "https://api.example.evil/", false),
    ("api.example:8443", "https://api.example:8443/", true),
    ("api.example:8443", "https://api.example/", false),
    ("api.example:443", "https://api.example/", true),
    ("*.example", "https://a.b.example/", true),
    ("*.example", "https://example/", false),
    ("*.example", "https://.example/", false),
    ("api.example", "https://api.example./", true),
    ("*.example", "https://badexample/", false),
    ("::1", "http://[::1]:80/", true),
    ("::1", "http://[0:0:0:0:0:0:0:1]/", true),
    ("[::1]:80", "http://[::1]:81/", false),
];

#[test]
fn lists_name_hosts_exactly() {
    for (entry, url, expected) in LISTED {
        let hosts = Hosts::Listed(vec![AllowedHost::parse(entry).unwrap()]);
        let address = Address::read(url).unwrap();
        assert_eq!(hosts.permit(&address), expected, "{entry} {url}");
    }
}

/// A redirect, and whether it is refused where every host may be asked.
const INSIDE: [(&str, &str, bool); 11] = [
    ("api.example", "127.0.0.1", true),
    ("api.example", "169.254.169.254", true),
    ("api.example", "[::ffff:10.0.0.1]", true),
    ("api.example", "[fd00::1]", true),
    ("api.example", "A.LocalHost.", true),
    ("api.example", "other.example", false),
    ("api.example", "203.0.113.1", false),
    ("api.example", "100.64.0.1", true),
    ("api.example", "100.128.0.1", false),
    ("192.168.1.5", "127.0.0.1", false),
    ("127.0.0.1", "169.254.169.254", true),
];

#[test]
fn strangers_do_not_lead_to_this_network() {
    for (from, to, expected) in INSIDE {
        let [from, to] = [from, to].map(|host| Address::read(&format!("http://{host}/")).unwrap());
        assert_eq!(leads_inside(&from, &to), expected, "{from:?} {to:?}");
    }
}

/// A listed name that leads to this machine is not followed; who owns a name chooses its address.
#[test]
fn a_name_that_leads_to_this_machine() {
    let (port, asked) = server(vec![answer(200, "", "internal")]);
    // The resolver of the system reads it as 127.0.0.1, without a name server.
    let name = "2130706433";
    let mut exchange = exchange("GET", &format!("http://{name}:{port}/"));
    let host = skill_model::HostPattern::Name(name.to_owned());
    exchange.hosts = Hosts::Listed(vec![AllowedHost { host, port: None }]);
    exchange.timeout = Duration::from_secs(2);
    assert!(matches!(
        exchange.run(&Cancel::default()),
        Err(HttpError::Unreachable(..) | HttpError::Denied(_))
    ));
    assert!(asked.try_recv().is_err());
}

#[test]
fn deceiving_addresses_are_refused() {
    for url in [
        "ftp://a/",
        "file:///etc/passwd",
        "//a/",
        "a/b",
        "http://",
        "http:///x",
        "http://user@a/",
        "http://a\\@b/",
        "http://a:99999/",
        "http://a b/",
        "http://a/\u{0}",
    ] {
        assert!(Address::read(url).is_err(), "{url}");
    }
}

#[test]
fn headers_take_configured_values() {
    let map = |value: Value| -> Map<String, Value> { value.as_object().unwrap().clone() };
    let value = |key: &str| (key == "KEY").then(|| "v".to_owned());
    let good = map(json!({"Authorization": "Bearer ${KEY}!", "X": "${open", "N": 1}));
    let expected = [("Authorization", "Bearer v!"), ("X", "${open"), ("N", "1")];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(filled(&good, value), Ok(expected.to_vec()));
    for wrong in [
        json!({"A": "${MISSING}"}),
        json!({"A b": "x"}),
        json!({"A": "x\r\nB: y"}),
        json!({"Host": "x"}),
        json!({"A": ["x"]}),
    ] {
        assert!(filled(&map(wrong.clone()), value).is_err(), "{wrong}");
    }
}
