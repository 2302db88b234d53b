//! The entries of MCP servers in a document, of which a unit is one.

use std::collections::BTreeSet;
use std::ops::Range;

use plugin_model::{Node, Server, Unit, UnitKind, escape_pointer};
use plugin_readers::{has_settings, settings_root};
use skill_diagnostics::{Diagnostic, Severity};

/// The help about a secret in the entry of a server, which becomes a setting.
const HELP: &str = "its value is not carried: the skill has a setting in its place, and `skills-run configure` stores the value";

/// The help about a secret in a part of the document that starts nothing.
const REDACTED_HELP: &str = "REDACTED was written in its place: the skill starts the server by another part of the document";

/// The help about a secret of the login of a server, which nothing takes the place of.
const LOGIN_HELP: &str = "its value is not carried, and no setting has it: the login of the server belongs to the old host";
/// The keys of logins.
const LOGINS: [&str; 2] = ["auth", "oauth"];

/// Returns true for the help of a finding that says already what is in the place of the secret.
pub(crate) fn is_judged(help: Option<&str>) -> bool {
    help.is_some_and(|it| [HELP, REDACTED_HELP].contains(&it))
}

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
    own: Vec<Range<usize>>,
    others: Vec<Range<usize>>,
    /// The parts of a document of one server that are kept and start nothing.
    kept: Vec<Range<usize>>,
    /// True if nothing else of the document is carried: the settings of a host.
    are_all: bool,
}

impl ServerEntries {
    /// Returns the entries of the tables in which the package has a server, whatever the format calls
    /// them. In a document of one server, the parts that start it stand for its entry.
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
        let whole = planned.units.iter().find_map(|unit| whole(unit, file));
        if whole.is_none() && tables.is_empty() {
            return res;
        }
        let Some(root) = settings_root(file, text) else {
            return res;
        };
        if let Some(server) = whole {
            res.parts(server, &root, own.is_some());
            return res;
        }
        for table in tables {
            for member in root.at(table).map_or(&[][..], Node::members) {
                let pointer = format!("{table}/{}", escape_pointer(&member.key));
                let span = member.value.span.clone();
                if own == Some(pointer.as_str()) {
                    res.own.push(span);
                } else {
                    res.others.push(span);
                }
            }
        }
        res
    }

    /// Takes the parts of a bundle or a server of the registry. Another unit of the document, such as a prompt,
    /// has none of them.
    fn parts(&mut self, server: &Server, root: &Node, is_own: bool) {
        let span = |pointer: &str| root.at(pointer).map(|it| it.span.clone());
        let mut own = Vec::new();
        if let Some(chosen) = &server.chosen {
            own.extend(span(chosen));
            self.kept
                .extend(["/packages", "/remotes"].into_iter().filter_map(span));
        } else {
            own.extend(span("/server/mcp_config"));
            let settings = root.get("user_config").map_or(&[][..], Node::members);
            let defaults = settings.iter().filter_map(|it| it.value.get("default"));
            own.extend(defaults.map(|it| it.span.clone()));
        }
        if is_own {
            self.own = own;
        } else {
            self.others = own;
            self.others.append(&mut self.kept);
        }
    }

    /// Returns the findings, each with its offset in the text, that are about the unit. Those in its own
    /// entry are warnings, because every secret there becomes a setting.
    pub(crate) fn about_unit(&self, findings: Vec<(usize, Diagnostic)>) -> Vec<Diagnostic> {
        let findings = findings.into_iter().filter_map(|(at, mut finding)| {
            if self.others.iter().any(|span| span.contains(&at)) {
                return None;
            }
            let is_own = self.own.iter().any(|span| span.contains(&at));
            if self.are_all && !is_own {
                return None;
            }
            if is_own {
                finding.severity = Severity::Warning;
                finding.help = Some(help(&finding).to_owned());
            } else if self.kept.iter().any(|span| span.contains(&at)) {
                finding.severity = Severity::Warning;
                finding.help = Some(REDACTED_HELP.to_owned());
            }
            Some(finding)
        });
        findings.collect()
    }
}

/// Returns the server whose document a file is.
fn whole<'u>(unit: &'u Unit, file: &str) -> Option<&'u Server> {
    match &unit.kind {
        UnitKind::Server(server) if *server.file == *file && server.pointer.is_empty() => {
            Some(server)
        }
        _ => None,
    }
}

/// Returns the place of a server in a document.
fn pointer<'u>(unit: &'u Unit, file: &str) -> Option<&'u str> {
    match &unit.kind {
        UnitKind::Server(server) if *server.file == *file => Some(&server.pointer),
        _ => None,
    }
}
