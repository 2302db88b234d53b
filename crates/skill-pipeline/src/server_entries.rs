//! The entries of MCP servers in a document, of which a unit is one.

use std::collections::BTreeSet;
use std::ops::Range;

use plugin_model::{Node, Unit, UnitKind, escape_pointer};
use plugin_readers::{has_settings, settings_root};
use skill_diagnostics::{Diagnostic, Severity};

/// The help about a secret in the entry of a server, which becomes a setting.
pub(crate) const HELP: &str = "its value is not carried: the skill has a setting in its place, and `skills-run configure` stores the value";

/// The help about a secret of the login of a server, which nothing takes the place of.
const LOGIN_HELP: &str = "its value is not carried, and no setting has it: the login of the server belongs to the old host";
/// The keys of logins.
const LOGINS: [&str; 2] = ["auth", "oauth"];

/// Returns the help about a secret in the entry of a server.
fn help(finding: &Diagnostic) -> &'static str {
    let pointer = finding.place.pointer.as_deref().unwrap_or_default();
    // `/mcpServers/NAME/auth/CLIENT_SECRET`; the key of a table can have more parts.
    let mut parts = pointer.split('/').rev().skip(1).take(1);
    if parts.any(|part| LOGINS.contains(&part)) {
        LOGIN_HELP
    } else {
        HELP
    }
}

/// The unit that is planned, among those of its package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned<'u> {
    pub(crate) unit: Option<&'u Unit>,
    /// All units of the package.
    pub(crate) units: &'u [Unit],
}

/// The places of entries in the text of a document.
#[derive(Default)]
pub(crate) struct ServerEntries {
    own: Option<Range<usize>>,
    others: Vec<Range<usize>>,
    /// True if nothing else of the document is carried: the settings of a host.
    are_all: bool,
}

impl ServerEntries {
    /// Returns the entries of the tables in which the package has a server, whatever the format calls
    /// them. A document of one server has none.
    pub(crate) fn of(planned: Planned<'_>, file: &str, text: &str) -> Self {
        let own = planned.unit.and_then(|unit| pointer(unit, file));
        let all = planned.units.iter().filter_map(|unit| pointer(unit, file));
        let tables: BTreeSet<&str> = all
            .filter_map(|it| it.rsplit_once('/').map(|(table, _)| table))
            .collect();
        let mut res = Self {
            are_all: own.is_some() && has_settings(file),
            ..Self::default()
        };
        if own == Some("") || tables.is_empty() {
            return res;
        }
        let Some(root) = settings_root(file, text) else {
            return res;
        };
        for table in tables {
            for member in root.at(table).map_or(&[][..], Node::members) {
                let pointer = format!("{table}/{}", escape_pointer(&member.key));
                let span = member.value.span.clone();
                if own == Some(pointer.as_str()) {
                    res.own = Some(span);
                } else {
                    res.others.push(span);
                }
            }
        }
        res
    }

    /// Returns the findings, each with its offset in the text, that are about the unit. Those in its own
    /// entry are warnings, because every secret there becomes a setting.
    pub(crate) fn about_unit(&self, findings: Vec<(usize, Diagnostic)>) -> Vec<Diagnostic> {
        let findings = findings.into_iter().filter_map(|(at, mut finding)| {
            if self.others.iter().any(|span| span.contains(&at)) {
                return None;
            }
            let is_own = self.own.as_ref().is_some_and(|span| span.contains(&at));
            if self.are_all && !is_own {
                return None;
            }
            if is_own {
                finding.severity = Severity::Warning;
                finding.help = Some(help(&finding).to_owned());
            }
            Some(finding)
        });
        findings.collect()
    }
}

/// Returns the place of a server in a document.
fn pointer<'u>(unit: &'u Unit, file: &str) -> Option<&'u str> {
    match &unit.kind {
        UnitKind::Server(server) if *server.file == *file => Some(&server.pointer),
        _ => None,
    }
}
