//! An entry of `permissions.network_allowlist`: `host`, `host:port`, or `*.domain` for every host below
//! a domain, with a port or without.
//!
//! A host is a name as DNS has it, in ASCII (RFC 1123, section 2.1; underscores are in use too), or an
//! address: `192.0.2.7`, `[2001:db8::1]:443`, `2001:db8::1`.

use std::net::IpAddr;

/// Maximum length of a name (RFC 1035, section 2.3.4: 255 octets with the lengths of its labels).
const NAME_MAX: usize = 253;

/// Maximum length of a label (RFC 1035, section 2.3.4).
const LABEL_MAX: usize = 63;

/// One host, or every host below a domain, at one port or at the default ports of the executor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AllowedHost {
    /// The host.
    pub host: HostPattern,
    /// The port; without one the program is expected to use HTTP or HTTPS.
    pub port: Option<u16>,
}

/// The hosts that an entry names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HostPattern {
    /// The host of this name, in lower case and without a trailing dot.
    Name(String),
    /// Every host whose name ends with a dot and this suffix, in the same form.
    Below(String),
    /// The host at this address.
    Address(IpAddr),
}

/// The reason why a text is not a valid entry.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AllowedHostError {
    /// It contains more than a host and a port, such as a URL.
    #[error(
        "`{0}` contains more than a host and a port, expected `host`, `host:port` or `*.domain`"
    )]
    NotOnlyHost(String),
    /// The text after the last colon is not a port.
    #[error("`{0}` has no port between 1 and 65535 after its colon")]
    Port(String),
    /// It names every host.
    #[error("`{0}` names every host: write `network: any` if that is meant")]
    Everything(String),
    /// The host is neither a name nor an address.
    #[error(
        "`{0}` is not a valid host name, expected letters, digits and hyphens between dots \
         (other letters in their `xn--` form), or an address"
    )]
    Name(String),
}

impl AllowedHost {
    /// Parses an entry; surrounding blanks and the case of letters are ignored.
    ///
    /// # Errors
    ///
    /// [`AllowedHostError`] with the reason why the text is not a valid entry.
    pub fn parse(text: &str) -> Result<Self, AllowedHostError> {
        let entry = text.trim().to_ascii_lowercase();
        let shown = || text.escape_debug().to_string();
        if entry.contains(['/', '@', '?', '#', '\\']) {
            return Err(AllowedHostError::NotOnlyHost(shown()));
        }
        let (host, port) = split(&entry);
        let port = match port {
            None => None,
            Some(digits) => {
                Some(port_number(digits).ok_or_else(|| AllowedHostError::Port(shown()))?)
            }
        };
        if host == "*" {
            return Err(AllowedHostError::Everything(shown()));
        }
        let host = pattern(host).ok_or_else(|| AllowedHostError::Name(shown()))?;
        Ok(Self { host, port })
    }
}

/// Returns the host and the text of the port. An IPv6 address without brackets is a host without a
/// port.
fn split(entry: &str) -> (&str, Option<&str>) {
    if let Some((host, rest)) = entry
        .strip_prefix('[')
        .and_then(|inner| inner.split_once(']'))
        .filter(|(host, _)| host.contains(':'))
    {
        return match rest.strip_prefix(':') {
            Some(port) => (host, Some(port)),
            None if rest.is_empty() => (host, None),
            None => (entry, None),
        };
    }
    match entry.split_once(':') {
        Some((host, port)) if !port.contains(':') => (host, Some(port)),
        _ => (entry, None),
    }
}

fn port_number(digits: &str) -> Option<u16> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let port = is_plain.then(|| digits.parse().ok()).flatten();
    port.filter(|port| *port != 0)
}

fn pattern(host: &str) -> Option<HostPattern> {
    if let Ok(address) = host.parse::<IpAddr>() {
        let address = address.to_canonical();
        // The unspecified address does not belong to a host.
        return (!address.is_unspecified()).then_some(HostPattern::Address(address));
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    if let Some(domain) = host.strip_prefix("*.") {
        return is_name(domain).then(|| HostPattern::Below(domain.to_owned()));
    }
    is_name(host).then(|| HostPattern::Name(host.to_owned()))
}

/// Returns whether a text is a host name. A name whose last label is a number would be read as an
/// address (`127.1`, `0x7f000001`; WHATWG URL, "ends in a number").
fn is_name(host: &str) -> bool {
    let labels = || host.split('.');
    let last = labels().next_back().unwrap_or_default();
    let digits = last.strip_prefix("0x").unwrap_or(last);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        || last.starts_with("0x") && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    host.len() <= NAME_MAX && labels().all(is_label) && !is_number
}

fn is_label(label: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let edges = label.starts_with('-') || label.ends_with('-');
    (1..=LABEL_MAX).contains(&label.len()) && label.bytes().all(known) && !edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match AllowedHost::parse(text) {
            Ok(AllowedHost { host, port }) => {
                let host = match host {
                    HostPattern::Name(name) => format!("name {name}"),
                    HostPattern::Below(domain) => format!("below {domain}"),
                    HostPattern::Address(address) => format!("address {address}"),
                };
                port.map_or(host.clone(), |port| format!("{host} {port}"))
            }
            Err(error) => error.to_string(),
        };
        assert!(found.contains(expected), "{text}: {found}");
    }

    #[test]
    fn entries() {
        check("api.example.org", "name api.example.org");
        check(" API.Example.ORG.:8443 ", "name api.example.org 8443");
        check("*.example.org", "below example.org");
        check("*.example.org:443", "below example.org 443");
        check("localhost:5432", "name localhost 5432");
        check("db_1", "name db_1");
        check("xn--mnchen-3ya.de", "name xn--mnchen-3ya.de");
        check("192.0.2.7", "address 192.0.2.7");
        check("192.0.2.7:25", "address 192.0.2.7 25");
        check("::1", "address ::1");
        check("[2001:DB8::1]:443", "address 2001:db8::1 443");
        check("[2001:db8::1]", "address 2001:db8::1");
        check("::ffff:192.0.2.7", "address 192.0.2.7");
    }

    #[test]
    fn what_is_no_entry() {
        check("https://api.example.org/", "contains more than a host");
        check("user@example.org", "contains more than a host");
        check("example.org:", "no port");
        check("example.org:0", "no port");
        check("example.org:65536", "no port");
        check("example.org:+80", "no port");
        check("example.org:http", "no port");
        check("*", "network: any");
        check("*:443", "network: any");
        for text in [
            "",
            " ",
            "a..b",
            ".a",
            "-a.b",
            "a b",
            "münchen.de",
            "a.*.b",
            "*.*",
            "*a.b",
            "127.1",
            "2130706433",
            "0x7f000001",
            "a.0x7f",
            "999.1.1.1",
            "0.0.0.0",
            "::",
            "[::1",
            "[::1]x",
        ] {
            check(text, "is not a valid host name");
        }
        let label = "a".repeat(64);
        check(&label, "is not a valid host name");
        check(&["a"; 200].join("."), "is not a valid host name");
    }
}
