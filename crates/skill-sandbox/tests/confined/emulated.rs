//! An internet in which one server answers for every host.

use std::io::Write as _;
use std::net::TcpListener;

use crate::common::{is_full, policy};
use crate::network::{check, line, named};
use skill_sandbox::{Emulation, Network, Server};
use skill_testing::find;

/// In an emulated internet every name and address leads to one server, which learns which was meant.
#[test]
fn an_emulated_internet() {
    if find::python().is_none() {
        return;
    }
    if !is_full("an emulated internet") {
        return;
    }
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in server.incoming().map_while(Result::ok) {
            let mut greeting = String::new();
            let mut reader = std::io::BufReader::new(stream);
            std::io::BufRead::read_line(&mut reader, &mut greeting).unwrap();
            let _ = reader.get_mut().write_all(greeting.trim_end().as_bytes());
        }
    });
    let heard = |at: &str| {
        line(
            format!("(s := socket.create_connection({at})) and s.makefile().read()"),
            "",
        )
        .0
    };
    let lines = [
        (heard("('a.example', 443)"), "m a.example 443"),
        (heard("('b.example', 80)"), "m b.example 80"),
        (heard("('192.0.2.7', 80)"), "m 192.0.2.7 80"),
        (heard("('8.8.8.8', 443)"), "m 8.8.8.8 443"),
        (heard("('localhost', 80)"), "m localhost 80"),
        (heard("('a.example', 81)"), "ECONNREFUSED"),
        line(format!("connect(('127.0.0.1', {port}))"), "ECONNREFUSED"),
        line("connect(('2001:db8::1', 80), INET6)", "ENETUNREACH"),
    ];
    let emulation = |only| {
        Network::Emulated(Emulation {
            only,
            ports: [80, 443].into(),
            server: Server {
                port,
                mark: "m".to_owned(),
            },
        })
    };
    check(&lines, |spec| policy(spec).network = emulation(None));
    let lines = [
        (heard("('a.example', 443)"), "m a.example 443"),
        (heard("('a.example', 80)"), "ECONNREFUSED"),
        (heard("('b.example', 443)"), "no such name"),
        (heard("('192.0.2.7', 443)"), "ENETUNREACH"),
    ];
    let only = vec![named("a.example", 443)];
    check(&lines, |spec| policy(spec).network = emulation(Some(only)));
}
