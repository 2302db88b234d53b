//! The addresses of a host that a skill may connect to.

use std::fs::File;
use std::io::{self, Read as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};

/// The name of the machine that the tool runs on.
pub(crate) const LOCALHOST: &str = "localhost";

/// The file of names that the owner of this machine wrote down.
const HOSTS: &str = if cfg!(windows) {
    r"C:\Windows\System32\drivers\etc\hosts"
} else {
    "/etc/hosts"
};

/// The number of bytes that are read of a hosts file.
const LONGEST_LIST: u64 = 4 << 20;

/// Returns the addresses at which a host of an allow-list may be reached, in the order in which to
/// try them:
///
/// - an address: itself;
/// - `localhost`: the loopback addresses;
/// - a name in the hosts file of this machine (`/etc/hosts`): the addresses given there;
/// - any other name: the addresses that DNS returns, without those of this machine and of its link.
///
/// The search domains of this machine apply only to names without a dot.
///
/// # Errors
///
/// The name cannot be looked up.
pub fn addresses(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let known = known(host, &hosts_file());
    if !known.is_empty() {
        return Ok(known.into_iter().map(|ip| (ip, port).into()).collect());
    }
    // With a trailing dot, no search domain of this machine is tried.
    let is_whole = host.contains('.') && !host.ends_with('.');
    let name = format!("{host}{}", if is_whole { "." } else { "" });
    let found = (name, port).to_socket_addrs()?;
    Ok(found.filter(|at| is_elsewhere(at.ip())).collect())
}

/// Returns the addresses that are known without a query: literal ones, those of this machine (RFC
/// 6761), and those that the owner of this machine wrote down.
fn known(host: &str, hosts_file: &str) -> Vec<IpAddr> {
    if let Ok(address) = host.parse() {
        return vec![address];
    }
    if host == LOCALHOST {
        return vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    }
    let lines = hosts_file.lines().map(|line| {
        let line = line.split('#').next().unwrap_or_default();
        line.split_whitespace()
    });
    lines
        .filter_map(|mut words| {
            let address = words.next()?.parse().ok()?;
            let is_meant = words.any(|name| name.eq_ignore_ascii_case(host));
            is_meant.then_some(address)
        })
        .collect()
}

/// Returns true if an address may belong to a host elsewhere. Whoever owns a name may give it any
/// address. One of this machine, or of its link (where clouds serve metadata to their machines),
/// leads to a host that the list did not mean.
fn is_elsewhere(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            !(address.is_loopback() || address.octets()[0] == 0 || address.is_link_local())
        }
        IpAddr::V6(address) => {
            !(address.is_loopback() || address.is_unspecified() || address.is_unicast_link_local())
        }
    }
}

/// Returns the text of the hosts file; empty if it cannot be read.
#[expect(
    clippy::disallowed_methods,
    reason = "a file of the system, beside the one entry point to files of users"
)]
fn hosts_file() -> String {
    let mut text = Vec::new();
    if let Ok(file) = File::open(HOSTS) {
        // The part that can be read is used.
        let _ = file.take(LONGEST_LIST).read_to_end(&mut text);
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(host: &str, expected: &str) {
        let file = "127.0.0.1 localhost\n# 192.0.2.9 a.example\n10.0.0.5\tdb.internal DB # old\n\
                    ::1 six\nbroken db.internal\n10.0.0.6 db.internal\n";
        let found = known(host, file);
        let found = found
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(found, expected, "{host}");
    }

    /// A name of digits is looked up locally and leads to this machine.
    #[test]
    fn names_that_lead_to_this_machine_are_not_followed() {
        assert!(addresses("2130706433", 80).unwrap().is_empty());
        assert!(addresses("0", 80).unwrap().is_empty());
        assert!(!addresses("localhost", 80).unwrap().is_empty());
        assert!(!addresses("127.0.0.1", 80).unwrap().is_empty());
    }

    #[test]
    fn hosts_that_need_no_question() {
        check("192.0.2.1", "192.0.2.1");
        check("2001:db8::1", "2001:db8::1");
        check("localhost", "127.0.0.1 ::1");
        check("db.internal", "10.0.0.5 10.0.0.6");
        check("db", "10.0.0.5");
        check("six", "::1");
        check("a.example", "");
        check("old", "");
    }

    #[test]
    fn names_do_not_lead_back_to_this_machine() {
        let elsewhere = |text: &str| is_elsewhere(text.parse().unwrap());
        for address in ["192.0.2.1", "10.1.2.3", "2001:db8::1", "::ffff:192.0.2.1"] {
            assert!(elsewhere(address), "{address}");
        }
        let here = [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "0.1.2.3",
            "169.254.169.254",
            "::1",
            "::",
            "fe80::1",
            "::ffff:127.0.0.1",
        ];
        for address in here {
            assert!(!elsewhere(address), "{address}");
        }
    }
}
