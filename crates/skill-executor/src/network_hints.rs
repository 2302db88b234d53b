//! Hints for a failure about the network: nothing answers, or the sandbox does not let the program ask.

use skill_model::GuardKind;
use skill_sandbox::{Host, Network};

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::network::network;
use crate::user_hosts;

/// The code of the warning about the network.
pub const NETWORK_UNREACHABLE: &str = "network-unreachable";
/// The code of the warning about hosts.
pub const HOST_NOT_ALLOWED: &str = "host-not-allowed";

/// Words of programs that a host was not reached, in lower case and without spaces.
pub(crate) const UNREACHED: [&str; 14] = [
    "enotfound",
    "eai_again",
    "getaddrinfo",
    "nameresolution",
    "servicenotknown",
    "fetchfailed",
    "enetunreach",
    "networkisunreachable",
    "connectionerror",
    "connecterror",
    "couldnotresolve",
    "failedtoresolve",
    "allconnectionattemptsfailed",
    "cannotconnecttohost",
];

/// More words of programs that a host was not reached, which say nothing about its name.
const UNANSWERED: [&str; 7] = [
    "econnrefused",
    "connectionrefused",
    "ehostunreach",
    "etimedout",
    "err_internet_disconnected",
    "err_name_not_resolved",
    "failedtoestablishanewconnection",
];

/// Words of programs whose connection was ended.
const RESET: [&str; 2] = ["econnreset", "connectionreset"];

/// Returns a warning that says what a program could not reach, and why, if its failure is about the network.
pub(crate) fn hint(call: &Call<'_>, failure: &Failure) -> Option<Warning> {
    let metadata = &call.skill.metadata;
    let mcp = metadata.entry.as_ref().and_then(|entry| entry.mcp.as_ref());
    let is_server = mcp.is_some_and(|mcp| mcp.url.is_none());
    let is_own = matches!(
        failure.code,
        ErrorCode::PluginError | ErrorCode::ExitCode | ErrorCode::Protocol
    );
    let text = &failure.message;
    // The proxy of a sandbox ends the connection where nothing answers.
    let is_reset = local_address(text).is_some() && has_word(text, &RESET);
    let is_about = has_word(text, &UNREACHED) || has_word(text, &UNANSWERED) || is_reset;
    let is_denied = is_denied(text);
    if !(is_about || is_denied) || !(is_own || is_server && is_of_server(failure)) {
        return None;
    }
    let allowed = network(&metadata.permissions, None);
    let allowed = allowed.and_then(|it| user_hosts::add(it, call)).ok()?;
    let address = address(text);
    let is_refused = match &address {
        Some((host, port)) => !permits(&allowed, host, *port),
        None => !matches!(allowed, Network::Any),
    };
    if !is_about && !is_refused {
        return None;
    }
    let shown = address.as_ref().map(|(host, port)| match port {
        Some(port) => format!("{host}:{port}"),
        None => host.clone(),
    });
    Some(match (is_refused, shown) {
        (true, shown) if is_server => Warning::new(HOST_NOT_ALLOWED, of_server(call, shown.as_deref())),
        (true, shown) => Warning::new(NETWORK_UNREACHABLE, of_program(call, shown.as_deref())),
        (false, Some(address)) if is_here(&address) => {
            let name = &metadata.name;
            let message = format!(
                "nothing answers at {address} on this machine; start the service that the program asks there, or store another address: skills-run configure {name} shows the settings"
            );
            Warning::new(NETWORK_UNREACHABLE, message)
        }
        (false, _) => Warning::new(
            NETWORK_UNREACHABLE,
            "the program cannot reach a host that it may reach, so that this machine or the host is offline".to_owned(),
        ),
    })
}

/// Returns true for a failure of a server. A call that was refused here says itself what to do; its texts may
/// name any directory.
pub(crate) fn is_of_server(failure: &Failure) -> bool {
    matches!(
        failure.code,
        ErrorCode::PluginError
            | ErrorCode::ExitCode
            | ErrorCode::Protocol
            | ErrorCode::SpawnFailed
            | ErrorCode::Timeout
            | ErrorCode::Unavailable
            | ErrorCode::InvalidInput
    )
}

/// Returns true if a text has one of some words, which are in lower case and without spaces.
pub(crate) fn has_word(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase().replace(' ', "");
    // `ModuleNotFoundError` of Python is not the `ENOTFOUND` of Node.js.
    let text = text.replace("modulenotfound", "");
    words.iter().any(|word| text.contains(word))
}

/// Says how the program of an MCP server may ask a host.
fn of_server(call: &Call<'_>, address: Option<&str>) -> String {
    let metadata = &call.skill.metadata;
    let mut guards = metadata.config.guards.iter();
    let guard = guards.find(|guard| guard.kind == GuardKind::AllowHosts);
    let name = &metadata.name;
    match (guard.map(|it| &it.key), address) {
        (Some(key), Some(address)) => format!(
            "the sandbox does not let the server connect to {address}; if it should: skills-run configure {name} {key}={address}"
        ),
        (Some(key), None) => format!(
            "the server may ask only the hosts that are allowed; if it should ask more, name them with: skills-run configure {name} {key}=HOST,…"
        ),
        (None, _) => of_program(call, address),
    }
}

/// Says which hosts METADATA.yml permits, and how it permits another one.
fn of_program(call: &Call<'_>, address: Option<&str>) -> String {
    let permissions = &call.skill.metadata.permissions;
    let hosts = permissions.network_allowlist.join(", ");
    match (address, permissions.network.as_str()) {
        (Some(address), _) => format!(
            "the sandbox does not let the program connect to {address}; if it should, set `permissions.network: allowlist` in METADATA.yml and add {address} to `permissions.network_allowlist`"
        ),
        (None, "allowlist") => format!(
            "the program cannot reach a host; its METADATA.yml permits {hosts} (permissions.network_allowlist)"
        ),
        (None, _) => "the program cannot reach a host; its METADATA.yml permits none (permissions.network: none)".to_owned(),
    }
}

/// Returns true for the words of a program that the sandbox denied a connection (`EPERM`), unless they are
/// about a file: those have its path.
fn is_denied(text: &str) -> bool {
    const FILES: [&str; 8] = ["'/", "\"/", "`/", " /", "chmod", "chown", "mkdir", "unlink"];
    // `the permission` is not the `EPERM` of Node.js.
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_denied = words.any(|word| word.eq_ignore_ascii_case("eperm"))
        || has_word(text, &["operationnotpermitted"]);
    is_denied && !FILES.iter().any(|it| text.contains(it))
}

/// Returns true if a network has a host at a port, or at any if that is not known.
fn permits(network: &Network, host: &str, port: Option<u16>) -> bool {
    let Network::Hosts(hosts) = network else {
        return matches!(network, Network::Any | Network::Emulated(_));
    };
    let lower = host.to_ascii_lowercase();
    let address = lower.trim_matches(['[', ']']).parse().ok();
    hosts.iter().any(|it| {
        let is_host = match &it.host {
            Host::Address(own) => Some(*own) == address || own.is_loopback() && is_here(&lower),
            Host::Name(own) if own == "localhost" => is_here(&lower),
            named => named.is_named(&lower),
        };
        is_host && port.is_none_or(|port| port == it.port)
    })
}

/// Returns true for a name or an address of this machine, with a port or without.
fn is_here(address: &str) -> bool {
    ["127.0.0.1", "localhost", "[::1]", "::1"]
        .iter()
        .any(|name| {
            address
                .strip_prefix(name)
                .is_some_and(|it| it.is_empty() || it.starts_with(':'))
        })
}

/// Returns the host that a failure names, and its port: an address of this machine, or a name that was not
/// found.
fn address(text: &str) -> Option<(String, Option<u16>)> {
    const MARKS: [&str; 4] = ["ENOTFOUND ", "EAI_AGAIN ", "host='", "resolve '"];
    if let Some(local) = local_address(text) {
        let (host, port) = local.rsplit_once(':')?;
        return Some((host.to_owned(), port.parse().ok()));
    }
    let mut after = MARKS
        .iter()
        .filter_map(|mark| Some(text.split_once(mark)?.1));
    let after = after.next()?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let end = after.find(|c: char| !is_part(c)).unwrap_or(after.len());
    let host = after[..end].trim_end_matches('.');
    let port = after[end..].split_once("port=");
    let port = port.map(|(_, it)| {
        it.split(|c: char| !c.is_ascii_digit())
            .next()
            .unwrap_or_default()
    });
    host.contains('.')
        .then(|| (host.to_owned(), port.and_then(|it| it.parse().ok())))
}

/// Returns the first address of this machine with a port in a text: `127.0.0.1:8188`.
fn local_address(text: &str) -> Option<&str> {
    let names = ["127.0.0.1:", "localhost:", "[::1]:", "::1:"];
    let mut starts = names.into_iter().filter_map(|name| {
        let at = text.find(name)?;
        let port = &text[at + name.len()..];
        let n_digits = port.len() - port.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        (n_digits > 0).then(|| &text[at..at + name.len() + n_digits])
    });
    starts.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_has_a_port() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(local_address(text), expected, "{text}");
        };
        check(
            "connect ENETUNREACH 127.0.0.1:8188 - Local (0.0.0.0:0)",
            Some("127.0.0.1:8188"),
        );
        check("http://localhost:3000/x refused", Some("localhost:3000"));
        check("connect ECONNREFUSED ::1:80", Some("::1:80"));
        check("localhost: nothing", None);
        check("getaddrinfo EAI_AGAIN api.example", None);
    }

    #[test]
    fn a_denied_connection_is_about_no_file() {
        for (text, expected) in [
            ("connect EPERM 127.0.0.1:9200 - Local (0.0.0.0:0)", true),
            ("PermissionError(1, 'Operation not permitted')", true),
            (
                "dial tcp 10.0.0.1:80: connect: operation not permitted",
                true,
            ),
            ("[Errno 1] Operation not permitted: '/x'", false),
            ("EPERM: operation not permitted, open '/x'", false),
            ("chown: operation not permitted", false),
            ("you lack the permission", false),
            ("update permissions of this user", false),
            ("connect eperm", true),
            ("code=EPERM,", true),
        ] {
            assert_eq!(is_denied(text), expected, "{text}");
        }
    }

    #[test]
    fn a_failure_names_a_host() {
        let check = |text: &str, expected: Option<(&str, Option<u16>)>| {
            let expected = expected.map(|(host, port)| (host.to_owned(), port));
            assert_eq!(address(text), expected, "{text}");
        };
        check(
            "connect ECONNREFUSED 127.0.0.1:9200",
            Some(("127.0.0.1", Some(9200))),
        );
        check(
            "getaddrinfo ENOTFOUND api.example.com",
            Some(("api.example.com", None)),
        );
        check(
            "HTTPSConnectionPool(host='api.example.com', port=8443): Max retries exceeded",
            Some(("api.example.com", Some(8443))),
        );
        check("fetch failed", None);
    }

    #[test]
    fn a_network_has_hosts() {
        let hosts = |list: &[&str]| {
            let hosts = list.iter().flat_map(|it| {
                crate::network::at_ports(&skill_model::AllowedHost::parse(it).unwrap())
            });
            Network::Hosts(hosts.collect())
        };
        for (network, host, port, expected) in [
            (Network::None, "127.0.0.1", Some(9200), false),
            (Network::Any, "a.example", None, true),
            (hosts(&["localhost:9200"]), "127.0.0.1", Some(9200), true),
            (hosts(&["127.0.0.1:9200"]), "localhost", Some(9201), false),
            (hosts(&["*.a.example"]), "B.a.example", None, true),
            (hosts(&["a.example"]), "b.example", Some(443), false),
        ] {
            assert_eq!(permits(&network, host, port), expected, "{host} {port:?}");
        }
    }
}
