//! The fates of the document of a server.

use plugin_model::{Document, Node, Package, Place, Role, Server, UnitKind, escape_pointer};
use serde_json::Value;

use crate::{
    fate::{Ledger, METADATA},
    plugin::Source,
};

/// The places of an entry, or of a bundle or server of the registry, and what they become.
const TRANSFORMED: [(&str, &str, &str); 22] = [
    ("/command", "/entry/mcp", "as the start of the server"),
    ("/args", "/entry/mcp/args", "as arguments, with settings"),
    ("/env", "/entry/mcp/env", "as variables, with settings"),
    ("/url", "/entry/mcp/url", "as the address"),
    ("/httpUrl", "/entry/mcp/url", "as the address"),
    ("/serverUrl", "/entry/mcp/url", "as the address"),
    (
        "/headers",
        "/entry/mcp/headers",
        "as headers, with settings",
    ),
    (
        "/includeTools",
        "/entry/mcp/only_tools",
        "as the tools that the skill offers",
    ),
    (
        "/excludeTools",
        "/entry/mcp/except_tools",
        "as tools that the skill does not offer",
    ),
    ("/type", "/entry/mcp/protocol", "as the protocol"),
    ("/transport", "/entry/mcp/protocol", "as the protocol"),
    ("/timeout", "/timeout_ms", "as the time limit"),
    ("/disabled", "/enabled", "as the opposite"),
    ("/enabled", "/enabled", "as the switch"),
    (
        "/server/type",
        "/entry/mcp/command",
        "as the start of the server",
    ),
    (
        "/server/entry_point",
        "/entry/mcp/args",
        "as the start of the server",
    ),
    (
        "/server/mcp_config/command",
        "/entry/mcp/command",
        "as the start of the server",
    ),
    (
        "/server/mcp_config/args",
        "/entry/mcp/args",
        "as arguments, with settings",
    ),
    (
        "/server/mcp_config/env",
        "/entry/mcp/env",
        "as variables, with settings",
    ),
    ("/user_config", "/config/schema", "as settings"),
    (
        "/compatibility/platforms",
        "/requires/os",
        "as names of systems",
    ),
    ("/version_detail/version", "/version", "as the version"),
];

/// The same for keys of one host: the table of the servers, the place, and what it becomes.
const OF_HOSTS: [(&str, &str, &str, &str); 8] = [
    (
        "/mcp",
        "/environment",
        "/entry/mcp/env",
        "as variables, with settings",
    ),
    (
        "/mcp_servers",
        "/env_vars",
        "/entry/mcp/env",
        "as variables, with settings",
    ),
    (
        "/mcp_servers",
        "/http_headers",
        "/entry/mcp/headers",
        "as headers, with settings",
    ),
    (
        "/mcp_servers",
        "/env_http_headers",
        "/entry/mcp/headers",
        "as headers, with settings",
    ),
    (
        "/mcp_servers",
        "/bearer_token_env_var",
        "/entry/mcp/headers",
        "as headers, with settings",
    ),
    (
        "/mcp_servers",
        "/enabled_tools",
        "/entry/mcp/only_tools",
        "as the tools that the skill offers",
    ),
    (
        "/mcp_servers",
        "/disabled_tools",
        "/entry/mcp/except_tools",
        "as tools that the skill does not offer",
    ),
    (
        "/mcp_servers",
        "/tool_timeout_sec",
        "/timeout_ms",
        "in milliseconds",
    ),
];

/// Gives every leaf of the document its fate by what `record`, METADATA.yml as JSON, has; the rest is
/// kept.
pub(super) fn claim(source: &Source<'_>, server: &Server, record: &Value, ledger: &mut Ledger<'_>) {
    let Some(document) = source.package.document(&server.file) else {
        return;
    };
    let at = |pointer: &str| Place::new(&server.file, format!("{}{pointer}", server.pointer));
    let to = |pointer: &str| format!("{METADATA}{pointer}");
    for setting in &server.settings {
        let key = format!("/config/schema/properties/{}", escape_pointer(&setting.key));
        ledger.transformed(&setting.place, &to(&key), "as a setting");
    }
    let table = server
        .pointer
        .rsplit_once('/')
        .map_or("", |(table, _)| table);
    let of_host = OF_HOSTS.into_iter().filter(|(known, ..)| *known == table);
    let of_host = of_host.map(|(_, from, pointer, how)| (from, pointer, how));
    for (from, pointer, how) in TRANSFORMED.into_iter().chain(of_host) {
        ledger.dropped_if_empty(&at(from));
        let there = existing(record, pointer);
        if !there.is_empty() {
            ledger.transformed(&at(from), &to(there), how);
        }
    }
    if !server.pointer.is_empty() {
        carry(
            document,
            &at("/description"),
            record,
            "/description",
            ledger,
        );
        claim_others(source.package, document, server, ledger);
        claim_package(source, document, record, ledger);
        return;
    }
    for (from, pointer) in [
        ("/description", "/description"),
        ("/version", "/version"),
        ("/display_name", "/display_name"),
        ("/title", "/display_name"),
        ("/author/name", "/author"),
        ("/author", "/author"),
        ("/keywords", "/tags"),
    ] {
        carry(document, &at(from), record, pointer, ledger);
    }
    ledger.transformed(&at("/name"), &to("/name"), "as the name of the skill");
    ledger.transformed(&at("/license"), "SKILL.md#license", "as one word");
    ledger.transformed(
        &at("/tools"),
        "SKILL.md",
        "as a list, until the server was asked",
    );
    ledger.transformed(&at("/long_description"), "SKILL.md", "as its beginning");
    for unit in &source.package.units {
        let (file, pointer) = unit.file.split_once('#').unwrap_or_default();
        if file == &*server.file {
            ledger.dropped(&at(pointer), "it is a prompt, which has a skill of its own");
        }
    }
    for key in ["/$schema", "/manifest_version", "/dxt_version"] {
        ledger.dropped(&at(key), "it is the version of the format");
    }
    claim_registry(server, ledger);
}

/// Returns the nearest place at or above a pointer that the record has.
fn existing<'p>(record: &Value, mut pointer: &'p str) -> &'p str {
    while record.pointer(pointer).is_none() {
        pointer = pointer.rsplit_once('/').map_or("", |(above, _)| above);
    }
    pointer
}

/// Claims a value that the record has at a pointer, as it is or as text. Anything else stays unclaimed.
fn carry(
    document: &Document<'_>,
    place: &Place,
    record: &Value,
    pointer: &str,
    ledger: &mut Ledger<'_>,
) {
    let value = document.root.at(&place.pointer).map(Node::to_value);
    let (Some(value), Some(there)) = (value, record.pointer(pointer)) else {
        return;
    };
    let is_text = there
        .as_str()
        .is_some_and(|text| *text == *value.to_string());
    if *there == value || is_text {
        ledger.moved(place, &format!("{METADATA}{pointer}"), !is_text, "as text");
    }
}

/// Claims the parts of a server of the registry: the one that was chosen.
fn claim_registry(server: &Server, ledger: &mut Ledger<'_>) {
    let to = format!("{METADATA}/entry/mcp");
    if let Some(pointer) = &server.chosen {
        let place = Place::new(&server.file, pointer.clone());
        ledger.transformed(&place, &to, "as the start of the server");
    }
}

/// Claims what the manifest of another host says of the whole package.
fn claim_package(
    source: &Source<'_>,
    document: &Document<'_>,
    record: &Value,
    ledger: &mut Ledger<'_>,
) {
    let identity = &source.package.identity;
    for (field, to) in [
        (&identity.version, "/version"),
        (&identity.author, "/author"),
    ] {
        if let Some(field) = field {
            carry(document, &field.place, record, to, ledger);
        }
    }
    if let Some(license) = &identity.license {
        ledger.moved(&license.place, "SKILL.md#license", license.exact, "as text");
    }
    for key in document.keys {
        let place = Place::new(&document.file, format!("/{}", escape_pointer(key.name)));
        match key.role {
            Role::Name => {
                let to = format!("{METADATA}/legacy/directory");
                ledger.transformed(&place, &to, "as the package");
            }
            Role::Layout => {
                ledger.transformed(&place, "SKILL.md", "it decides which files are read");
            }
            Role::Dropped(reason) => ledger.dropped(&place, reason),
            _ => {}
        }
    }
}

/// Leaves the other servers of a list to their own skills.
fn claim_others(
    package: &Package<'_>,
    document: &Document<'_>,
    server: &Server,
    ledger: &mut Ledger<'_>,
) {
    let is_server = |pointer: &str| {
        package.units.iter().any(|unit| match &unit.kind {
            UnitKind::Server(it) => *it.file == *server.file && it.pointer == pointer,
            _ => false,
        })
    };
    let (above, _) = server.pointer.rsplit_once('/').unwrap_or_default();
    let list = document.root.at(above).map_or(&[][..], Node::members);
    for member in list {
        let pointer = format!("{above}/{}", escape_pointer(&member.key));
        if pointer != server.pointer {
            let why = if is_server(&pointer) {
                "it is another server, which has a skill of its own"
            } else {
                "it is not a server: it has neither a command nor an address"
            };
            ledger.dropped(&Place::new(&server.file, pointer), why);
        }
    }
}
