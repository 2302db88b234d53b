//! The unit of a server, and what naming needs of it.

use std::sync::Arc;

use plugin_model::{Server, Unit, UnitKey, UnitKind};

use super::list::SERVER;
use crate::reader::UnitHead;

/// Returns the unit of a server.
pub(crate) fn unit(server: Server) -> Unit {
    Unit {
        key: unit_key(&server),
        file: Arc::clone(&server.file),
        kind: UnitKind::Server(Box::new(server)),
    }
}

/// Returns the head of the unit. `package` is the name of the package.
pub(super) fn head(server: &Server, package: &str) -> UnitHead {
    UnitHead {
        unit: unit_key(server),
        file: String::new(),
        name: server.name.clone(),
        alternatives: vec![
            format!("{package}-{}", server.name),
            format!("{}-mcp", server.name),
        ],
        call: String::new(),
        aliases: Vec::new(),
        type_word: SERVER.to_owned(),
        likeness: likeness(server),
        list: server.file.to_string(),
    }
}

/// Returns what a server is, without the place of its entry.
fn likeness(server: &Server) -> String {
    let settings = server.settings.iter();
    let settings: Vec<_> = settings
        .map(|it| {
            (
                &it.key,
                &it.default,
                &it.choices,
                it.is_secret,
                it.is_required,
            )
        })
        .collect();
    let program = (
        &server.package,
        &server.command,
        &server.args,
        &server.directory,
        &server.env,
    );
    let address = (&server.url, &server.headers, server.protocol);
    format!(
        "{program:?} {address:?} {settings:?} {:?} {}",
        server.replaced, server.is_enabled
    )
}

fn unit_key(server: &Server) -> UnitKey {
    UnitKey::new(SERVER, &server.name)
}
