//! The hosts and sockets that a confined child reaches, and the ways by which it tries to reach
//! others.
//!
//! Each attempt is a line of Python; its output, or the name of its error, is compared. Servers are
//! on loopback, and every attempt that must fail has a server that would answer.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, TcpListener, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;

use crate::common::{confined, held, is_full, policy, without_namespaces};
use skill_sandbox::{Host, HostPort, Level, Network, Outcome, Program, Spec, run};
use skill_testing::find;

const PRELUDE: &str = "
import errno, os, socket, sys
INET, INET6, UNIX = socket.AF_INET, socket.AF_INET6, socket.AF_UNIX
STREAM, DGRAM, FAST = socket.SOCK_STREAM, socket.SOCK_DGRAM, 0x20000000
def echo(s):
    s.sendall(b'x')
    return s.recv(10).decode()
def connect(at, *kind):
    s = socket.socket(*kind)
    s.settimeout(20)
    s.connect(at)
    return echo(s)
def fast(at, call='sendto'):
    s = socket.socket()
    if call == 'sendto': s.sendto(b'x', FAST, at)
    else: s.sendmsg([b'x'], [], FAST, at)
    s.settimeout(20)
    return s.recv(10).decode()
def send(at, *kind):
    return 'sent ' + str(socket.socket(*kind).sendto(b'x', at))
def attempt(what):
    try: return str(what())
    except socket.gaierror: return 'no such name'
    except OSError as error: return errno.errorcode[error.errno]
";

/// Returns a child that makes attempts, `expression: answer` in each line, with its own
/// `directory`.
fn attempts(directory: &Path, lines: &[(String, &str)]) -> Spec {
    let script = lines.iter().fold(PRELUDE.to_owned(), |script, (line, _)| {
        format!("{script}print(attempt(lambda: {line}))\n")
    });
    let mut spec = confined("", directory);
    spec.program = Program::Argv(["python3", "-c", &script].map(Into::into).to_vec());
    spec
}

/// Checks the output of each attempt.
#[track_caller]
pub(crate) fn check(lines: &[(String, &str)], change: impl FnOnce(&mut Spec)) -> Outcome {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch directory");
    let mut spec = attempts(directory.path(), lines);
    change(&mut spec);
    let outcome = run(&spec).expect("it starts");
    let said = String::from_utf8_lossy(&outcome.stdout);
    let expected = lines
        .iter()
        .map(|(line, expected)| (line.as_str(), *expected));
    let found = lines
        .iter()
        .map(|(line, _)| line.as_str())
        .zip(said.lines());
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let report = &outcome.confinement;
    assert_eq!(
        found.collect::<Vec<_>>(),
        expected.collect::<Vec<_>>(),
        "{stderr} {report:?}"
    );
    outcome
}

fn at(address: [u8; 4], port: u16) -> HostPort {
    HostPort {
        host: Host::Address(IpAddr::V4(Ipv4Addr::from(address))),
        port,
    }
}

pub(crate) fn named(name: &str, port: u16) -> HostPort {
    HostPort {
        host: Host::Name(name.to_owned()),
        port,
    }
}

/// Starts a server on every address of this machine that echoes what it receives; returns its port.
fn server() -> u16 {
    let listener = TcpListener::bind("0.0.0.0:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut space = [0; 1024];
                while let Ok(count @ 1..) = stream.read(&mut space) {
                    if stream.write_all(&space[..count]).is_err() {
                        return;
                    }
                }
            });
        }
    });
    port
}

pub(crate) fn line(text: impl Into<String>, expected: &str) -> (String, &str) {
    (text.into(), expected)
}

/// The list distinguishes hosts and ports, however a connection is made.
#[test]
fn an_allow_list() {
    if find::python().is_none() {
        return;
    }
    if !is_full("an allow-list") {
        return;
    }
    let (open, other) = (server(), server());
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let datagrams = udp.local_addr().expect("it is bound").port();
    udp.set_nonblocking(true).expect("a flag");
    let lines = [
        line(format!("connect(('127.0.0.1', {open}))"), "x"),
        line(format!("connect(('localhost', {open}))"), "x"),
        line(format!("connect(('::1', {open}), INET6)"), "x"),
        line(format!("fast(('127.0.0.1', {open}))"), "x"),
        line(
            format!("connect(('127.0.0.1', {open}), INET, STREAM, 262)"),
            "x",
        ),
        line(format!("connect(('127.0.0.1', {other}))"), "ECONNREFUSED"),
        line(format!("connect(('127.0.0.2', {open}))"), "ECONNREFUSED"),
        line(format!("connect(('192.0.2.1', {open}))"), "ENETUNREACH"),
        line(
            format!("connect(('2001:db8::1', {open}), INET6)"),
            "ENETUNREACH",
        ),
        line(format!("fast(('127.0.0.1', {other}))"), "ECONNREFUSED"),
        line(
            format!("fast(('127.0.0.2', {open}), 'sendmsg')"),
            "ECONNREFUSED",
        ),
        line(
            format!("connect(('127.0.0.1', {other}), INET, STREAM, 262)"),
            "ECONNREFUSED",
        ),
        line(
            format!("connect(('other.example', {open}))"),
            "no such name",
        ),
        line(
            format!("send(('127.0.0.1', {datagrams}), INET, DGRAM)"),
            "sent 1",
        ),
        line("socket.socket(INET, socket.SOCK_RAW, 1)", "EPERM"),
        line("socket.socket(socket.AF_VSOCK)", "EPERM"),
        line("socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", "EPERM"),
        // Its own processes can talk to each other.
        line(
            "(s := socket.create_server(('127.0.0.1', 0))) and socket.create_connection(s.getsockname()) and 1",
            "1",
        ),
    ];
    let outcome = check(&lines, |spec| {
        policy(spec).network = Network::Hosts(vec![named("localhost", open)]);
    });
    assert_eq!(outcome.confinement.level, Level::Full, "{outcome:?}");
    let nothing = udp.recv(&mut [0; 10]).map_err(|error| error.kind());
    assert_eq!(nothing, Err(ErrorKind::WouldBlock), "no datagram got out");
}

/// An address in a list means that address alone; `localhost` is another entry.
#[test]
fn an_allow_list_of_addresses() {
    if find::python().is_none() {
        return;
    }
    if !is_full("an allow-list of addresses") {
        return;
    }
    let (one, two) = (server(), server());
    let lines = [
        line(format!("connect(('127.0.0.2', {one}))"), "x"),
        line(format!("connect(('127.0.0.3', {two}))"), "x"),
        line(format!("connect(('127.0.0.2', {two}))"), "ECONNREFUSED"),
        line(format!("connect(('127.0.0.3', {one}))"), "ECONNREFUSED"),
        line(format!("connect(('127.0.0.1', {one}))"), "ECONNREFUSED"),
        line(format!("connect(('localhost', {one}))"), "ECONNREFUSED"),
    ];
    check(&lines, |spec| {
        policy(spec).network =
            Network::Hosts(vec![at([127, 0, 0, 2], one), at([127, 0, 0, 3], two)]);
    });
}

/// Node, Python and the C library send their DNS queries to the relay: names of the list have
/// addresses.
#[test]
fn names_of_an_allow_list() {
    if find::python().is_none() {
        return;
    }
    if !is_full("names of an allow-list") {
        return;
    }
    let ask = "socket.gethostbyname";
    let node = "__import__('subprocess').run(['node', '-e', \
        'require(\"dns\").resolve4(\"a.example\", (error, found) => console.log(String(error || found[0])))'], \
        capture_output=True, text=True).stdout.strip()";
    let lines = [
        line(format!("{ask}('a.example')"), "198.18.0.1"),
        line(format!("{ask}('A.Example.')"), "198.18.0.1"),
        line(format!("{ask}('x.b.example')"), "198.18.0.2"),
        line(format!("{ask}('b.example')"), "no such name"),
        line(format!("{ask}('localhost')"), "127.0.0.1"),
        line(node, "198.18.0.1"),
        // The list does not contain the port, so no query is sent outside.
        line("connect(('a.example', 80))", "ECONNREFUSED"),
        line(
            "open('/etc/resolv.conf').read().strip()",
            "nameserver 127.0.0.1",
        ),
    ];
    check(&lines, |spec| {
        let below = HostPort {
            host: Host::Below("b.example".to_owned()),
            port: 443,
        };
        policy(spec).network = Network::Hosts(vec![named("a.example", 443), below]);
    });
}

/// Sockets of others of every kind, and the lines that try them: stream and datagram, by path and
/// by abstract name.
struct Others {
    _directory: tempfile::TempDir,
    _stream: [UnixListener; 2],
    datagram: [UnixDatagram; 2],
    lines: Vec<String>,
}

fn others() -> Others {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::SocketAddr;
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch directory");
    let path = |name: &str| directory.path().join(name);
    let mark = format!(
        "sandbox-test-{}-{:p}",
        std::process::id(),
        &raw const directory
    );
    let named = |kind: &str| {
        let name = format!("{mark}-{kind}");
        SocketAddr::from_abstract_name(name).expect("a short name")
    };
    let stream = [
        UnixListener::bind(path("stream")).expect("a socket"),
        UnixListener::bind_addr(&named("stream")).expect("a socket"),
    ];
    let datagram = [
        UnixDatagram::bind(path("datagram")).expect("a socket"),
        UnixDatagram::bind_addr(&named("datagram")).expect("a socket"),
    ];
    for one in &datagram {
        one.set_nonblocking(true).expect("a flag");
    }
    let pair = "socket.socketpair(UNIX, DGRAM)[0].sendto(b'x',";
    let (to, at) = (path("stream"), path("datagram"));
    let (to, at) = (to.display(), at.display());
    let lines = [
        format!("socket.socket(UNIX).connect('{to}')"),
        format!("socket.socket(UNIX).connect('\\0{mark}-stream')"),
        format!("send('{at}', UNIX, DGRAM)"),
        format!("send('\\0{mark}-datagram', UNIX, DGRAM)"),
        format!("send('{at}', UNIX, socket.SOCK_RAW)"),
        format!("{pair} '{at}')"),
        format!("{pair} '\\0{mark}-datagram')"),
    ];
    Others {
        _directory: directory,
        _stream: stream,
        datagram,
        lines: lines.to_vec(),
    }
}

/// Checks that sockets of others cannot be reached.
#[track_caller]
fn check_others(network: Network, all_files: bool) {
    let others = others();
    let mut lines: Vec<_> = others
        .lines
        .iter()
        .map(|attempt| {
            // The error depends on which restriction applies first.
            line(format!("attempt(lambda: {attempt}) in REFUSALS"), "True")
        })
        .collect();
    let refusals = "globals().update(REFUSALS=['EPERM', 'EACCES', 'ENOENT', 'ECONNREFUSED'])";
    lines.insert(0, line(refusals, "None"));
    lines.push(line("[echo(s) for s in socket.socketpair()[:0]]", "[]"));
    let node = "__import__('subprocess').check_output(['node', '-p', '7'], text=True).strip()";
    lines.push(line(node, "7"));
    check(&lines, |spec| {
        policy(spec).network = network;
        if all_files {
            policy(spec).write = vec![held("/")];
        }
    });
    for one in &others.datagram {
        let nothing = one.recv(&mut [0; 10]).map_err(|error| error.kind());
        assert_eq!(nothing, Err(ErrorKind::WouldBlock), "no datagram got out");
    }
}

#[test]
fn unix_sockets_of_others() {
    if find::python().is_none() {
        return;
    }
    if !is_full("UNIX sockets of others") {
        return;
    }
    let list = || Network::Hosts(vec![named("localhost", 9)]);
    check_others(Network::None, false);
    check_others(Network::None, true);
    check_others(list(), false);
    check_others(list(), true);
    check_others(Network::Any, false);
}

/// Data that a program sends just before it ends arrives, though the relay does not outlive it.
#[test]
fn the_last_bytes_arrive() {
    if find::python().is_none() {
        return;
    }
    if !is_full("the last bytes arrive") {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let count = 1 << 20;
    let line = line(
        format!("socket.create_connection(('127.0.0.1', {port})).sendall(b'x' * {count})"),
        "None",
    );
    let reader = std::thread::spawn(move || {
        let mut heard = Vec::new();
        let (mut stream, _) = listener.accept().expect("it connects");
        stream.read_to_end(&mut heard).map(|_| heard.len())
    });
    check(&[line], |spec| {
        policy(spec).network = Network::Hosts(vec![named("localhost", port)]);
    });
    let heard = reader.join().expect("no panic");
    assert_eq!(heard.map_err(|error| error.kind()), Ok(count));
}

/// Without a namespace only ports are restricted, however a connection is made, and the report says
/// what is open.
#[test]
fn ports_without_a_namespace() {
    if find::python().is_none() {
        return;
    }
    without_namespaces("network::ports_without_a_namespace", || {
        let (open, other) = (server(), server());
        let lines = [
            line(format!("connect(('127.0.0.1', {open}))"), "x"),
            line(format!("connect(('127.0.0.1', {other}))"), "EACCES"),
            line(format!("fast(('127.0.0.1', {other}))"), "EPERM"),
            line(format!("fast(('127.0.0.1', {other}), 'sendmsg')"), "EPERM"),
            line("socket.socket().setsockopt(6, 30, 1)", "EPERM"),
            line(
                format!("connect(('127.0.0.1', {other}), INET, STREAM, 262)"),
                "EPERM",
            ),
            line("socket.socket(INET, DGRAM)", "EPERM"),
            line("socket.socket(UNIX)", "EPERM"),
            line("socket.socketpair(UNIX, DGRAM)", "EPERM"),
        ];
        let outcome = check(&lines, |spec| {
            policy(spec).network = Network::Hosts(vec![named("localhost", open)]);
        });
        let report = outcome.confinement;
        assert_eq!(report.level, Level::Partial);
        let sentence = format!("of every host these TCP ports can be reached: {open}");
        let is_said = report.missing.iter().any(|line| line.ends_with(&sentence));
        assert!(is_said, "{report:?}");
    });
}

#[test]
fn too_little_is_refused() {
    without_namespaces("network::too_little_is_refused", || {
        let directory = tempfile::tempdir().expect("a scratch directory");
        let mut spec = confined("touch started", directory.path());
        policy(&mut spec).network = Network::Hosts(vec![named("a.example", 443)]);
        spec.confinement.as_mut().expect("it is confined").at_least = Level::Full;
        let refused = run(&spec).expect_err("hosts cannot be told apart");
        assert!(refused.to_string().contains("not started"), "{refused}");
    });
}

/// The promised maximum extra time of a connection through the relay, in microseconds.
const MOST_MORE: u64 = 1000;

/// Measures the cost of the relay: a connection and a byte there and back, directly and through it,
/// by the same program in the same run. Printed, not asserted.
#[test]
fn a_connection_directly_and_through_the_relay() {
    if find::python().is_none() {
        return;
    }
    if !is_full("what the relay costs") {
        return;
    }
    let port = server();
    let rounds = crate::common::setting("SKILL_SANDBOX_ROUNDS").unwrap_or(200);
    let measure = format!(
        "globals().update(time=__import__('time')) or \
         sorted([(time.perf_counter_ns(), connect(('127.0.0.1', {port})), time.perf_counter_ns()) \
         for _ in range({rounds})], key=lambda t: t[2] - t[0])[{rounds} // 2]"
    );
    let median = |network: Network| {
        let directory = tempfile::tempdir().expect("a scratch directory");
        let lines = [line(format!("(lambda t: t[2] - t[0])({measure})"), "")];
        let mut spec = attempts(directory.path(), &lines);
        policy(&mut spec).network = network;
        let outcome = run(&spec).expect("it starts");
        let said = String::from_utf8_lossy(&outcome.stdout).trim().to_owned();
        let nanoseconds: u64 = said.parse().expect("it prints a number");
        nanoseconds / 1000
    };
    let direct = median(Network::Any);
    let relayed = median(Network::Hosts(vec![named("localhost", port)]));
    let more = relayed.saturating_sub(direct);
    let verdict = if more <= MOST_MORE { "kept" } else { "BROKEN" };
    eprintln!(
        "{rounds} connections: {direct} µs directly, {relayed} µs through the relay (medians), \
         {more} µs more ({verdict}: at most {MOST_MORE})"
    );
}
