//! The conflicts that are marked in a text.

use skill_diagnostics::{Diagnostic, LineIndex};
use skill_model::conflict::first_mark_left;

use super::tree::Kind;
use crate::conflict::CONFLICT;

/// Returns a finding with its line for every conflict that is marked in a text.
pub(super) fn marks(name: &str, path: &str, text: &str) -> Vec<Diagnostic> {
    let index = LineIndex::new(text);
    let starts = text
        .match_indices("<<<<<<< ")
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    // Only the line itself is looked at, or a text with many such lines would be read for each.
    let line_at = |at: usize| text[at..].split_inclusive('\n').next().unwrap_or_default();
    let mut starts: Vec<usize> = starts
        .filter(|at| first_mark_left(line_at(*at)) == Some(0))
        .collect();
    if starts.is_empty() {
        starts.extend(first_mark_left(text));
    }
    let finding = |at: usize| {
        let message = format!(
            "`{name}/{}`, line {}: {}",
            path.escape_debug(),
            index.position(at).line,
            Kind::Lines.phrase()
        );
        Diagnostic::error(CONFLICT, message)
            .in_file(format!("{name}/{path}"))
            .at(index.span(at..at))
            .with_help(
                "choose between the markers in the file and run again, or run with --ours or --theirs",
            )
    };
    starts.into_iter().map(finding).collect()
}
