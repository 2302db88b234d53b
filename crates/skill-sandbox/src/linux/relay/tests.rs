//! The relay without a namespace: its sockets are on loopback, and hosts are other ports there.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{
    Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use super::Waker;
use super::decide::{Decide, Verdict};
use super::serve::{MOST, RelaySockets, Server};

/// Forwards everything to one host, or nothing.
struct One(Option<u16>);

impl Decide for One {
    fn name(&mut self, name: &str) -> Option<Ipv4Addr> {
        (name == "a.example").then_some(Ipv4Addr::new(198, 18, 0, 1))
    }

    fn connection(&mut self, _: SocketAddr) -> Verdict {
        self.0.map_or(Verdict::Refuse, |port| Verdict::PassOn {
            host: "a.example".to_owned(),
            port,
            greeting: Vec::new(),
        })
    }
}

/// A running relay and its addresses.
struct TestRelay {
    address: SocketAddr,
    queries: SocketAddr,
    dns_listener: SocketAddr,
    waker: Arc<Waker>,
    thread: JoinHandle<()>,
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    (listener, at)
}

/// Starts a relay with this decision; `a.example` is this machine.
fn relay(decide: One) -> TestRelay {
    let ((sockets, address), (dns_listener, dns_listener_at)) = (listener(), listener());
    let queries = UdpSocket::bind("127.0.0.1:0").unwrap();
    let queries_at = queries.local_addr().unwrap();
    for one in [&sockets, &dns_listener] {
        one.set_nonblocking(true).unwrap();
    }
    queries.set_nonblocking(true).unwrap();
    let sockets = RelaySockets {
        listeners: vec![sockets],
        queries,
        dns_listener,
    };
    let dial = Arc::new(|host: &str, port| match host {
        "a.example" => TcpStream::connect((Ipv4Addr::LOCALHOST, port)),
        _ => Err(io::Error::from(ErrorKind::NotFound)),
    });
    let waker = Arc::new(Waker::new().unwrap());
    let server_waker = Arc::clone(&waker);
    let thread = std::thread::spawn(move || {
        Server::new(sockets, Box::new(decide), dial, server_waker).run();
    });
    TestRelay {
        address,
        queries: queries_at,
        dns_listener: dns_listener_at,
        waker,
        thread,
    }
}

impl TestRelay {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Ends it after it has forwarded everything.
    fn end(self) {
        self.waker.is_over.store(true, Ordering::SeqCst);
        self.waker.wake();
        self.thread.join().unwrap();
    }
}

/// Each side sees the end of the other, and what was sent before it, independently.
#[test]
fn each_way_ends_by_itself() {
    let (host, at) = listener();
    let relay = relay(One(Some(at.port())));
    let mut child = relay.connect();
    let (mut served, _) = host.accept().unwrap();
    child.write_all(b"question").unwrap();
    child.shutdown(Shutdown::Write).unwrap();
    let mut heard = String::new();
    served.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "question");
    served.write_all(b"answer").unwrap();
    drop(served);
    heard.clear();
    child.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "answer");
    relay.end();
}

/// More data than fits into any buffer goes both ways at once, unchanged.
#[test]
fn much_at_once() {
    let (host, at) = listener();
    let relay = relay(One(Some(at.port())));
    let bytes: Arc<Vec<u8>> = Arc::new((0..8_u32 << 20).map(|n| (n % 251) as u8).collect());
    let mut child = relay.connect();
    let echo = std::thread::spawn(move || {
        let (served, _) = host.accept().unwrap();
        io::copy(&mut &served, &mut &served).unwrap()
    });
    let (mut half, sent) = (child.try_clone().unwrap(), Arc::clone(&bytes));
    let sender = std::thread::spawn(move || {
        half.write_all(&sent).unwrap();
        half.shutdown(Shutdown::Write).unwrap();
    });
    let mut heard = Vec::new();
    child.read_to_end(&mut heard).unwrap();
    assert!(heard == *bytes, "{} bytes came back", heard.len());
    sender.join().unwrap();
    assert_eq!(echo.join().unwrap(), bytes.len() as u64);
    relay.end();
}

#[track_caller]
fn check_reset(stream: &mut TcpStream) {
    let heard = stream.read(&mut [0; 10]).map_err(|error| error.kind());
    assert_eq!(heard, Err(ErrorKind::ConnectionReset));
}

#[test]
fn who_is_refused_or_not_reached_is_reset() {
    let refusing = relay(One(None));
    check_reset(&mut refusing.connect());
    refusing.end();
    let (host, at) = listener();
    drop(host);
    let lost = relay(One(Some(at.port())));
    check_reset(&mut lost.connect());
    lost.end();
}

/// If a host breaks off a connection, the child's connection is reset.
#[test]
fn a_reset_is_passed_on() {
    let (host, at) = listener();
    let relay = relay(One(Some(at.port())));
    let mut child = relay.connect();
    let (served, _) = host.accept().unwrap();
    super::pair::reset(&served);
    drop(served);
    check_reset(&mut child);
    relay.end();
}

/// Data that was sent before the end arrives, even on a connection that was just made. A silent
/// connection does not delay the end.
#[test]
fn the_end_waits_for_what_was_sent() {
    let (host, at) = listener();
    let relay = relay(One(Some(at.port())));
    let mut child = relay.connect();
    child.write_all(&vec![7; 1 << 20]).unwrap();
    drop(child);
    relay.waker.is_over.store(true, Ordering::SeqCst);
    let reader = std::thread::spawn(move || {
        let (mut served, _) = host.accept().unwrap();
        let mut heard = Vec::new();
        served.read_to_end(&mut heard).map(|_| heard.len())
    });
    relay.end();
    assert_eq!(reader.join().unwrap().unwrap(), 1 << 20);
}

/// Connections above the limit wait until others are over.
#[test]
fn connections_are_bounded() {
    let (host, at) = listener();
    let relay = relay(One(Some(at.port())));
    let first: Vec<_> = (0..MOST).map(|_| relay.connect()).collect();
    let served: Vec<_> = first.iter().map(|_| host.accept().unwrap().0).collect();
    let mut late = relay.connect();
    late.write_all(b"x").unwrap();
    host.set_nonblocking(true).unwrap();
    let none = host.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(none, Err(ErrorKind::WouldBlock));
    drop((first, served));
    host.set_nonblocking(false).unwrap();
    let (mut served, _) = host.accept().unwrap();
    served.set_nonblocking(false).unwrap();
    let mut heard = [0; 1];
    served.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"x");
    drop(late);
    relay.end();
}

/// A query for `a.example`, number 1.
const QUESTION: &[u8] = b"\0\x01\x01\0\0\x01\0\0\0\0\0\0\x01a\x07example\0\0\x01\0\x01";

#[test]
fn questions_by_datagram_and_by_connection() {
    let relay = relay(One(None));
    let asker = UdpSocket::bind("127.0.0.1:0").unwrap();
    asker
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A message that is not a query gets no answer, and does not block others.
    asker.send_to(b"noise", relay.queries).unwrap();
    asker.send_to(QUESTION, relay.queries).unwrap();
    let mut answer = [0; 512];
    let length = asker.recv(&mut answer).unwrap();
    assert_eq!(answer[..length].last_chunk(), Some(&[198, 18, 0, 1]));
    // Two queries in parts, over one connection.
    let mut connection = TcpStream::connect(
        relay
            .dns_listener
            .to_socket_addrs()
            .unwrap()
            .next()
            .unwrap(),
    )
    .unwrap();
    let count = u8::try_from(QUESTION.len()).unwrap();
    let framed = [&[0, count], QUESTION, &[0, count], QUESTION].concat();
    for part in framed.chunks(10) {
        connection.write_all(part).unwrap();
    }
    let mut heard = vec![0; 2 * (2 + length)];
    connection.read_exact(&mut heard).unwrap();
    assert_eq!(heard[2..2 + length], answer[..length]);
    assert_eq!(heard.last_chunk(), Some(&[198, 18, 0, 1]));
    // A client that announces a query that is too long is disconnected.
    connection.write_all(&[0xff, 0xff, 0]).unwrap();
    assert!(matches!(connection.read(&mut heard), Ok(0) | Err(_)));
    relay.end();
}
