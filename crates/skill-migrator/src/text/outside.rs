//! Paths of a text that lead out of its package: `~/notes.md`, `../data.csv`.

use std::collections::BTreeSet;

use skill_diagnostics::Diagnostic;

use crate::codes::PATHS_OUTSIDE;

use super::TextUnit;

/// The most paths that the finding names.
const MAX_NAMED: usize = 6;

/// Returns the finding about paths of the text that lead to nothing in the package. `is_known` is true
/// for paths that are written as others, or that another finding names.
pub(super) fn finding(unit: &TextUnit<'_>, is_known: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
    if !unit.text.body.contains("~/") && !unit.text.body.contains("../") {
        return None;
    }
    let found: BTreeSet<&str> = paths(&unit.text.body)
        .filter(|path| !is_known(path))
        .collect();
    let n_more = found.len().saturating_sub(MAX_NAMED);
    let named: Vec<String> = found
        .iter()
        .take(MAX_NAMED)
        .map(|path| format!("`{}`", path.escape_debug()))
        .collect();
    let mut list = named.join(", ");
    if n_more > 0 {
        list = format!("{list} and {n_more} more");
    }
    let message = format!("the text names paths outside of the package: {list}");
    let finding = Diagnostic::note(PATHS_OUTSIDE, message).in_file(&*unit.document.file);
    let help =
        "the skill has no copies of them; an agent finds them only where the author meant them";
    (!found.is_empty()).then(|| finding.with_help(help))
}

/// Returns the paths that begin in the home directory of the user, or above the directory of the text.
fn paths(body: &str) -> impl Iterator<Item = &str> {
    let is_of_path =
        |c: char| c.is_alphanumeric() || matches!(c, '~' | '/' | '.' | '-' | '_' | '@');
    let tokens = body.split(move |c| !is_of_path(c));
    let tokens = tokens.map(|token| token.trim_start_matches('@').trim_end_matches(['.', '@']));
    tokens.filter(|token| {
        let rest = token.strip_prefix("~/");
        let rest = rest.or_else(|| {
            token
                .strip_prefix("../")
                .map(|rest| rest.trim_start_matches("../"))
        });
        rest.is_some_and(|rest| rest.contains(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_paths_that_begin_elsewhere() {
        let body =
            "Read @~/.claude/notes.md, `../x.md`. cd ../.. && ls ~ (../../a/b.csv) 5~/10 a/../b.";
        let found: Vec<&str> = paths(body).collect();
        assert_eq!(found, ["~/.claude/notes.md", "../x.md", "../../a/b.csv"]);
    }
}
