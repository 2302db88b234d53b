//! The fates of the documents of a service.

use plugin_model::{Place, Role, escape_pointer};

use crate::fate::{Ledger, METADATA};

use super::Service;

/// Parts of an operation that only its description in `references/` or the copy of the document has.
const NOT_IN_REQUESTS: [&str; 4] = ["responses", "callbacks", "externalDocs", "tags"];

/// Gives every leaf of the documents its fate.
pub(super) fn claim(service: &Service<'_>, ledger: &mut Ledger<'_>) {
    let main = &service.source.unit.file;
    let at = |pointer: &str| Place::new(main, pointer);
    let to = |pointer: &str| format!("{METADATA}{pointer}");
    let carried = [
        ("/info/title", "/display_name"),
        ("/info/description", "/description"),
        ("/info/version", "/version"),
    ];
    for (from, pointer) in carried {
        ledger.carried(&at(from), &to(pointer));
    }
    ledger.transformed(
        &at("/info/summary"),
        "SKILL.md#description",
        "as one sentence",
    );
    ledger.transformed(&at("/info/license"), "SKILL.md#license", "as one word");
    ledger.transformed(&at("/info/contact"), &to("/author"), "as a name");
    ledger.dropped(&at("/openapi"), "it is the version of the format");
    for setting in &service.api.settings {
        let key = format!("/config/schema/properties/{}", escape_pointer(&setting.key));
        ledger.transformed(&setting.place, &to(&key), "as a setting");
    }
    claim_operations(service, ledger);
    ledger.transformed(&at("/servers/0"), &to("/entry/endpoint"), "as the address");
    ledger.transformed(
        &at("/security"),
        &to("/commands"),
        "into the request of each command",
    );
    ledger.transformed(
        &at("/components/securitySchemes"),
        &to("/entry/credentials"),
        "as the places of secrets",
    );
    for part in ["schemas", "parameters", "requestBodies"] {
        ledger.transformed(
            &at(&format!("/components/{part}")),
            &to("/commands"),
            "into the schema of each command that refers to it",
        );
    }
    claim_manifest(service, ledger);
    claim_rest(service, ledger);
}

fn claim_operations(service: &Service<'_>, ledger: &mut Ledger<'_>) {
    for (number, operation) in service.api.operations.iter().enumerate() {
        let command = format!("{METADATA}/commands/{number}");
        for part in NOT_IN_REQUESTS {
            let place = operation.place.child(part);
            match part {
                "responses" | "tags" => {
                    ledger.transformed(&place, "references/", "as a page of its group");
                }
                _ => keep(service, &place, ledger),
            }
        }
        ledger.transformed(&operation.place, &command, "as a command");
    }
}

/// Gives the keys of `ai-plugin.json` their fates.
fn claim_manifest(service: &Service<'_>, ledger: &mut Ledger<'_>) {
    let manifests = service.documents.iter().filter(|it| !it.keys.is_empty());
    for manifest in manifests {
        for key in manifest.keys {
            let place = Place::new(&manifest.file, format!("/{}", escape_pointer(key.name)));
            let to = |pointer: &str| format!("{METADATA}{pointer}");
            match key.role {
                Role::Name => ledger.transformed(&place, &to("/name"), "as the name of the skill"),
                Role::DisplayName => ledger.carried(&place, &to("/display_name")),
                Role::Description => {
                    ledger.transformed(&place, "SKILL.md#description", "as what it does");
                }
                Role::WhenToUse => {
                    ledger.transformed(&place, "SKILL.md#description", "as when to use it");
                }
                Role::Layout => ledger.transformed(
                    &place,
                    &service.source.unit.file,
                    "it decides which files are read",
                ),
                Role::Becomes(_) => {
                    let tokens = place.child("verification_tokens");
                    ledger.dropped(&tokens, "it proves the plugin to its old host only");
                    ledger.transformed(&place, &to("/entry/credentials"), "as a credential");
                }
                _ => {}
            }
        }
    }
}

/// Keeps everything else in the copy of its document, or says that there is none.
fn claim_rest(service: &Service<'_>, ledger: &mut Ledger<'_>) {
    for document in service.documents.iter().filter(|it| it.keys.is_empty()) {
        if document.file != service.source.unit.file {
            ledger.transformed(
                &Place::new(&document.file, ""),
                &format!("{METADATA}/commands"),
                "into each command that refers to it",
            );
        }
        keep(service, &Place::new(&document.file, ""), ledger);
    }
}

fn keep(service: &Service<'_>, place: &Place, ledger: &mut Ledger<'_>) {
    let at = service
        .documents
        .iter()
        .position(|it| it.file == place.file);
    let copies = service.copies();
    match at
        .zip(copies.as_ref())
        .and_then(|(at, copies)| copies.get(at))
    {
        Some(path) => ledger.kept(place, &format!("{path}#{}", place.pointer)),
        None if service.api.group.is_some() => {
            ledger.dropped(
                place,
                "it belongs to other parts of the service, or to none",
            );
        }
        None => ledger.dropped(place, "the document is too long for a copy"),
    }
}
