//! The fates of the document of a server.

use plugin_model::{Place, Role, Server, escape_pointer};

use crate::{
    fate::{Ledger, METADATA},
    plugin::Source,
};

/// The places of an entry, or of a bundle or server of the registry, and what they become.
const TRANSFORMED: [(&str, &str, &str); 20] = [
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

/// Gives every leaf of the document its fate; the rest is kept.
pub(super) fn claim(source: &Source<'_>, server: &Server, ledger: &mut Ledger<'_>) {
    let at = |pointer: &str| Place::new(&server.file, format!("{}{pointer}", server.pointer));
    let to = |pointer: &str| format!("{METADATA}{pointer}");
    for setting in &server.settings {
        let key = format!("/config/schema/properties/{}", escape_pointer(&setting.key));
        ledger.transformed(&setting.place, &to(&key), "as a setting");
    }
    for (from, pointer, how) in TRANSFORMED {
        ledger.transformed(&at(from), &to(pointer), how);
    }
    if !server.pointer.is_empty() {
        ledger.carried(&at("/description"), &to("/description"));
        claim_others(source, server, ledger);
        claim_package(source, server, ledger);
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
        ledger.carried(&at(from), &to(pointer));
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

/// Claims the parts of a server of the registry: the one that was chosen.
fn claim_registry(server: &Server, ledger: &mut Ledger<'_>) {
    let to = format!("{METADATA}/entry/mcp");
    if let Some(pointer) = &server.chosen {
        let place = Place::new(&server.file, pointer.clone());
        ledger.transformed(&place, &to, "as the start of the server");
    }
}

/// Claims what the manifest of another host says of the whole package.
fn claim_package(source: &Source<'_>, server: &Server, ledger: &mut Ledger<'_>) {
    let identity = &source.package.identity;
    let to = |pointer: &str| format!("{METADATA}{pointer}");
    let fields = [
        (&identity.version, to("/version")),
        (&identity.author, to("/author")),
        (&identity.license, "SKILL.md#license".to_owned()),
    ];
    for (field, to) in fields {
        if let Some(field) = field {
            ledger.moved(&field.place, &to, field.exact, "as text");
        }
    }
    let Some(document) = source.package.document(&server.file) else {
        return;
    };
    for key in document.keys {
        let place = Place::new(&server.file, format!("/{}", escape_pointer(key.name)));
        match key.role {
            Role::Name => ledger.transformed(&place, &to("/legacy/directory"), "as the package"),
            Role::Layout => {
                ledger.transformed(&place, "SKILL.md", "it decides which files are read");
            }
            Role::Dropped(reason) => ledger.dropped(&place, reason),
            _ => {}
        }
    }
}

/// Leaves the other servers of a list to their own skills.
fn claim_others(source: &Source<'_>, server: &Server, ledger: &mut Ledger<'_>) {
    let Some(document) = source.package.document(&server.file) else {
        return;
    };
    let (above, _) = server.pointer.rsplit_once('/').unwrap_or_default();
    let list = document
        .root
        .at(above)
        .map_or(&[][..], plugin_model::Node::members);
    for member in list {
        let pointer = format!("{above}/{}", escape_pointer(&member.key));
        if pointer != server.pointer {
            ledger.dropped(
                &Place::new(&server.file, pointer),
                "it is another server, which has a skill of its own",
            );
        }
    }
}
