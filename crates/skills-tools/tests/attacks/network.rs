//! Sockets that a skill must not reach.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::net::{UnixDatagram, UnixListener};

use serde_json::json;

use super::place::{OWN, Place, said};

/// Connects while it sends, without `connect`: TCP Fast Open.
const FAST_OPEN: &str = "import socket\n\
    out = attempt(lambda: socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', PORT)))";
const STREAM: &str =
    "import socket\nout = attempt(lambda: socket.socket(socket.AF_UNIX).connect('$OUT/stream'))";
const DATAGRAM: &str = "import socket\n\
    out = attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '$OUT/datagram'))";

const LISTED: &str =
    "network: allowlist, network_allowlist: ['example.org:443'], filesystem: skill";
/// Everything is given: what the probes can do.
const ALL: &str = "network: any, filesystem: any";

/// Listeners outside that count who came.
struct Outside {
    tcp: TcpListener,
    stream: UnixListener,
    datagram: UnixDatagram,
}

impl Outside {
    fn new(place: &Place) -> Self {
        let res = Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            stream: UnixListener::bind(place.path("outside/stream")).unwrap(),
            datagram: UnixDatagram::bind(place.path("outside/datagram")).unwrap(),
        };
        res.tcp.set_nonblocking(true).unwrap();
        res.stream.set_nonblocking(true).unwrap();
        res.datagram.set_nonblocking(true).unwrap();
        res
    }

    /// Returns true if anything has arrived over any of them since the last call.
    fn was_reached(&self) -> bool {
        let came = [
            self.tcp.accept().map(drop),
            self.stream.accept().map(drop),
            self.datagram.recv(&mut [0; 9]).map(drop),
        ];
        let mut all = came.iter();
        all.any(|it| {
            it.as_ref()
                .map_or_else(|e| e.kind() != ErrorKind::WouldBlock, |()| true)
        })
    }

    fn code(&self, code: &str) -> String {
        code.replace("PORT", &self.tcp.local_addr().unwrap().port().to_string())
    }
}

/// An asynchronous skill without a network that has an endpoint for its result.
fn asynchronous(place: &Place) {
    place.plugin("Later", "Later", &json!({"pluginType": "asynchronous"}));
    place.migrate();
}

/// A skill with the permissions, and one that answers later, do not get out with `code`; one that
/// is given everything does.
#[track_caller]
fn check(row: usize, permissions: &str, code: &str) {
    let Some(place) = Place::confined(row) else {
        return;
    };
    let outside = Outside::new(&place);
    let code = outside.code(code);
    place.skill("open", ALL);
    place.says("open", &code);
    assert!(outside.was_reached(), "the probe does not work");
    place.skill("closed", permissions);
    let answer = place.run("closed", &code, &[]);
    assert!(!outside.was_reached(), "{permissions}: {answer}");
    assert!(
        said(&answer).starts_with("refused"),
        "{permissions}: {answer}"
    );
    asynchronous(&place);
    let mut runner = place.runner(&["later", "--input", &place.input(&code)]);
    runner.env("CALLBACK_BASE_URL", "http://127.0.0.1:9/plugin-callback");
    let answer = super::place::answer(&mut runner);
    assert!(!outside.was_reached(), "asynchronous: {answer}");
    assert!(answer.to_string().contains("refused"), "{answer}");
}

#[test]
fn row_10_fast_open_reaches_no_port_that_is_not_listed() {
    check(10, LISTED, FAST_OPEN);
}

#[test]
fn row_11_stream_sockets_outside_are_not_reached() {
    check(11, LISTED, STREAM);
}

#[test]
fn row_14_datagram_sockets_outside_are_not_reached() {
    check(14, OWN, DATAGRAM);
}
