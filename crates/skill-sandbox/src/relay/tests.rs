//! The relay without a namespace: its gates are on loopback, and hosts are other ports there.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{
    Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use super::Bell;
use super::decide::{Decide, Verdict};
use super::serve::{Gates, MOST, Server};

/// Lets everything through to one host, or nothing.
struct One(Option<u16>);

impl Decide for One {
    fn name(&mut self, name: &str) -> Option<Ipv4Addr> {
        (name == "a.example").then_some(Ipv4Addr::new(198, 18, 0, 1))
    }

    fn connection(&mut self, _: SocketAddr) -> Verdict {
        self.0.map_or(Verdict::Refuse, |port| Verdict::PassOn {
            host: "a.example".to_owned(),
            port,
        })
    }
}

/// A relay that serves, and where.
struct World {
    gate: SocketAddr,
    questions: SocketAddr,
    talks: SocketAddr,
    bell: Arc<Bell>,
    thread: JoinHandle<()>,
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    (listener, at)
}

/// Serves by this decision; `a.example` is this machine.
fn world(decide: One) -> World {
    let ((gates, gate), (talks, talks_at)) = (listener(), listener());
    let questions = UdpSocket::bind("127.0.0.1:0").unwrap();
    let questions_at = questions.local_addr().unwrap();
    for one in [&gates, &talks] {
        one.set_nonblocking(true).unwrap();
    }
    questions.set_nonblocking(true).unwrap();
    let gates = Gates {
        listeners: vec![gates],
        questions,
        talks,
    };
    let dial = Arc::new(|host: &str, port| match host {
        "a.example" => TcpStream::connect((Ipv4Addr::LOCALHOST, port)),
        _ => Err(io::Error::from(ErrorKind::NotFound)),
    });
    let bell = Arc::new(Bell::new().unwrap());
    let server_bell = Arc::clone(&bell);
    let thread =
        std::thread::spawn(move || Server::new(gates, Box::new(decide), dial, server_bell).run());
    World {
        gate,
        questions: questions_at,
        talks: talks_at,
        bell,
        thread,
    }
}

impl World {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.gate).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Ends it, when it has passed on what there is.
    fn end(self) {
        self.bell.is_over.store(true, Ordering::SeqCst);
        self.bell.ring();
        self.thread.join().unwrap();
    }
}

/// Each side hears the other's end, and what was said before it, in its own time.
#[test]
fn each_way_ends_by_itself() {
    let (host, at) = listener();
    let world = world(One(Some(at.port())));
    let mut child = world.connect();
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
    world.end();
}

/// More than fits into any buffer goes both ways at once, unchanged.
#[test]
fn much_at_once() {
    let (host, at) = listener();
    let world = world(One(Some(at.port())));
    let bytes: Arc<Vec<u8>> = Arc::new((0..8_u32 << 20).map(|n| (n % 251) as u8).collect());
    let mut child = world.connect();
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
    world.end();
}

#[track_caller]
fn check_reset(stream: &mut TcpStream) {
    let heard = stream.read(&mut [0; 10]).map_err(|error| error.kind());
    assert_eq!(heard, Err(ErrorKind::ConnectionReset));
}

#[test]
fn who_is_refused_or_not_reached_is_reset() {
    let refusing = world(One(None));
    check_reset(&mut refusing.connect());
    refusing.end();
    let (host, at) = listener();
    drop(host);
    let lost = world(One(Some(at.port())));
    check_reset(&mut lost.connect());
    lost.end();
}

/// A host that breaks a connection off does so for the child.
#[test]
fn a_reset_is_passed_on() {
    let (host, at) = listener();
    let world = world(One(Some(at.port())));
    let mut child = world.connect();
    let (served, _) = host.accept().unwrap();
    super::pair::reset(&served);
    drop(served);
    check_reset(&mut child);
    world.end();
}

/// What was sent before the end arrives, also from who had just connected; who is silent is not waited
/// for.
#[test]
fn the_end_waits_for_what_was_sent() {
    let (host, at) = listener();
    let world = world(One(Some(at.port())));
    let mut child = world.connect();
    child.write_all(&vec![7; 1 << 20]).unwrap();
    drop(child);
    world.bell.is_over.store(true, Ordering::SeqCst);
    let reader = std::thread::spawn(move || {
        let (mut served, _) = host.accept().unwrap();
        let mut heard = Vec::new();
        served.read_to_end(&mut heard).map(|_| heard.len())
    });
    world.end();
    assert_eq!(reader.join().unwrap().unwrap(), 1 << 20);
}

/// More connections than are served at one time wait until others are over.
#[test]
fn connections_are_bounded() {
    let (host, at) = listener();
    let world = world(One(Some(at.port())));
    let first: Vec<_> = (0..MOST).map(|_| world.connect()).collect();
    let served: Vec<_> = first.iter().map(|_| host.accept().unwrap().0).collect();
    let mut late = world.connect();
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
    world.end();
}

/// A question for `a.example`, number 1.
const QUESTION: &[u8] = b"\0\x01\x01\0\0\x01\0\0\0\0\0\0\x01a\x07example\0\0\x01\0\x01";

#[test]
fn questions_by_datagram_and_by_connection() {
    let world = world(One(None));
    let asker = UdpSocket::bind("127.0.0.1:0").unwrap();
    asker
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // What is no question is not answered, and stops nobody.
    asker.send_to(b"noise", world.questions).unwrap();
    asker.send_to(QUESTION, world.questions).unwrap();
    let mut answer = [0; 512];
    let length = asker.recv(&mut answer).unwrap();
    assert_eq!(answer[..length].last_chunk(), Some(&[198, 18, 0, 1]));
    // Two questions in parts, over one connection.
    let mut talk =
        TcpStream::connect(world.talks.to_socket_addrs().unwrap().next().unwrap()).unwrap();
    let count = u8::try_from(QUESTION.len()).unwrap();
    let framed = [&[0, count], QUESTION, &[0, count], QUESTION].concat();
    for part in framed.chunks(10) {
        talk.write_all(part).unwrap();
    }
    let mut heard = vec![0; 2 * (2 + length)];
    talk.read_exact(&mut heard).unwrap();
    assert_eq!(heard[2..2 + length], answer[..length]);
    assert_eq!(heard.last_chunk(), Some(&[198, 18, 0, 1]));
    // One that is longer than any question is hung up on.
    talk.write_all(&[0xff, 0xff, 0]).unwrap();
    assert!(matches!(talk.read(&mut heard), Ok(0) | Err(_)));
    world.end();
}
