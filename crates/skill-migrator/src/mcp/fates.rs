//! The fates of the document of a server.

use plugin_model::{Place, Server, escape_pointer};

use crate::{
    fate::{Ledger, METADATA},
    plugin::Source,
};

/// The places of an entry, or of a bundle or server of the registry, and what they become.
const TRANSFORMED: [(&str, &str, &str); 16] = [
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
    ("/server", "/entry/mcp", "as the start of the server"),
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
        return;
    }
    for (from, pointer) in [
        ("/description", "/description"),
        ("/version", "/version"),
        ("/display_name", "/display_name"),
        ("/title", "/display_name"),
        ("/author/name", "/author"),
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
    for key in ["/$schema", "/manifest_version", "/dxt_version"] {
        ledger.dropped(&at(key), "it is the version of the format");
    }
    claim_registry(server, ledger);
}

/// Claims the parts of a server of the registry: the one that was chosen.
fn claim_registry(server: &Server, ledger: &mut Ledger<'_>) {
    let at = |pointer: &str| Place::new(&server.file, pointer);
    let to = format!("{METADATA}/entry/mcp");
    let chosen = server.settings.iter().map(|it| it.place.pointer.as_str());
    let chosen: Vec<&str> = chosen.collect();
    for list in ["packages", "remotes"] {
        for number in 0..8 {
            let place = format!("/{list}/{number}");
            let is_chosen = chosen.iter().any(|it| it.starts_with(&place));
            let is_only = number == 0 && chosen.is_empty();
            if is_chosen || is_only {
                ledger.transformed(&at(&place), &to, "as the start of the server");
            }
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
