//! The entries of MCP servers in a document, of which a unit is one.

use std::ops::Range;

use plugin_model::{Unit, UnitKind, parse_json};
use skill_diagnostics::{Diagnostic, Severity};

/// The place of the servers in a document of a host, for units that are something else.
const LIST: &str = "/mcpServers";
/// The help about a secret in the entry of a server, which becomes a setting.
pub(crate) const HELP: &str = "its value is not carried: the skill has a setting in its place, and `skills-run configure` stores the value";

/// The places of entries in the text of a document.
#[derive(Default)]
pub(crate) struct ServerEntries {
    own: Option<Range<usize>>,
    others: Vec<Range<usize>>,
}

impl ServerEntries {
    /// Returns the entries of the list that a unit is from, or of the list of servers that its document
    /// has besides the unit. A document of one server has none.
    pub(crate) fn of(unit: Option<&Unit>, file: &str, text: &str) -> Self {
        let server = unit.and_then(|unit| match &unit.kind {
            UnitKind::Server(server) if *server.file == *file => Some(server),
            _ => None,
        });
        let own = server.map(|server| server.pointer.as_str());
        let list = match own {
            Some("") => return Self::default(),
            Some(pointer) => pointer.rsplit_once('/').unwrap_or_default().0,
            None => LIST,
        };
        let root = parse_json(text).0;
        let mut res = Self::default();
        let Some(list_node) = root.as_ref().and_then(|root| root.at(list)) else {
            return res;
        };
        for member in list_node.members() {
            let pointer = format!("{list}/{}", plugin_model::escape_pointer(&member.key));
            let span = member.value.span.clone();
            if own == Some(pointer.as_str()) {
                res.own = Some(span);
            } else {
                res.others.push(span);
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
            if self.own.as_ref().is_some_and(|span| span.contains(&at)) {
                finding.severity = Severity::Warning;
                finding.help = Some(HELP.to_owned());
            }
            Some(finding)
        });
        findings.collect()
    }
}
