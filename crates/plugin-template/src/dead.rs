//! Placeholders that are left in the body of a skill, where no host replaces them.
//!
//! Most agents read a body as it is. A skill also shows code, and explains placeholders in code, so
//! fenced code is never searched, and inline code only for what has a single meaning.

use std::ops::Range;

use crate::code::{Code, line_before};
use crate::piece::{Doubt, Piece, PieceKind, Selector};
use crate::{Dialect, Template};

/// A placeholder in a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeadPlaceholder {
    /// Its byte range in the body.
    pub range: Range<usize>,
    /// The dialect that it belongs to.
    pub dialect: Dialect,
}

/// Returns the placeholders of other hosts in the body of a skill, in order.
///
/// ```
/// use plugin_template::dead_placeholders;
///
/// let body = "Fix $ARGUMENTS for $5,000.\n\n```sh\necho $ARGUMENTS\n```\n";
/// let found = dead_placeholders(body);
/// assert_eq!(found.len(), 1);
/// assert_eq!(&body[found[0].range.clone()], "$ARGUMENTS");
/// ```
pub fn dead_placeholders(body: &str) -> Vec<DeadPlaceholder> {
    let mut res = Vec::new();
    if !MARKS.iter().any(|mark| body.contains(mark)) {
        return res;
    }
    let code = Code::read(body);
    let is_manual = explains(body, &code);
    for dialect in [
        Dialect::Claude,
        Dialect::Gemini,
        Dialect::Copilot,
        Dialect::Mcpb,
    ] {
        let template = Template::parse(body, dialect, &[]);
        let has_numbers = has_numbers(&template, &code);
        let is_name = |piece: &Piece| {
            matches!(
                piece.kind,
                PieceKind::Arguments | PieceKind::Argument { .. }
            )
        };
        let is_explained =
            |piece: &Piece| is_manual && dialect == Dialect::Claude && is_name(piece);
        let dead = template
            .pieces()
            .iter()
            .filter(|piece| is_dead(piece, &template, &code, has_numbers) && !is_explained(piece));
        res.extend(dead.map(|piece| {
            let range = piece.range.clone();
            DeadPlaceholder { range, dialect }
        }));
    }
    res.sort_by_key(|dead| (dead.range.start, dead.range.end));
    res.dedup_by(|next, last| next.range.start < last.range.end);
    res
}

/// Returns the dialect of a skill of a host with this dialect. A skill that came from another host
/// may have the placeholders of that one; those of its own host count first.
///
/// ```
/// use plugin_template::{Dialect, dialect_of_skill};
///
/// let of = |body| dialect_of_skill(body, Some(Dialect::Claude));
/// assert_eq!(of("Write ${input:file}."), Some(Dialect::Copilot));
/// assert_eq!(of("Write $ARGUMENTS to ${input:file}."), Some(Dialect::Claude));
/// assert_eq!(of("Write."), Some(Dialect::Claude));
/// ```
pub fn dialect_of_skill(body: &str, host: Option<Dialect>) -> Option<Dialect> {
    let dead = dead_placeholders(body);
    let is_own = dead.iter().any(|dead| Some(dead.dialect) == host);
    let first = dead.first().map(|dead| dead.dialect);
    first.filter(|_| !is_own).or(host)
}

/// Parts of every placeholder; most bodies have none of them.
const MARKS: [&str; 11] = [
    "$ARGUMENTS",
    "{{args}}",
    "!`",
    "!{",
    "@{",
    "${",
    "```!",
    "$0",
    "$1",
    "#file:",
    "#selection",
];

/// Names with which texts about prompts explain `${input:…}`. Source: the documentation of VS Code.
const METAVARIABLES: [&str; 4] = ["variableName", "variable", "name", "inputName"];

fn is_dead(piece: &Piece, template: &Template, code: &Code, has_numbers: bool) -> bool {
    let at = piece.range.start;
    if let PieceKind::Shell { is_block: true, .. } = piece.kind {
        return true;
    }
    if code.fence_at(at).is_some() {
        return false;
    }
    let is_span = code.is_in_span(at);
    let is_name = matches!(
        piece.kind,
        PieceKind::Arguments | PieceKind::Argument { .. }
    );
    if is_name && is_heading(template.text(), at) {
        return false;
    }
    match (&piece.kind, template.dialect()) {
        (PieceKind::Shell { .. } | PieceKind::File { .. }, Dialect::Gemini) => {
            !is_span && is_free(template.text(), at) && has_content(template, piece)
        }
        // `@$1`: a file that the user names.
        (PieceKind::File { path }, Dialect::Claude) => !is_span && has_argument(path),
        (PieceKind::Shell { .. }, _) => !is_span,
        (PieceKind::Arguments, _) => !is_span,
        (
            PieceKind::Argument {
                selector: Selector::Index(_),
                ..
            },
            _,
        ) => !is_span && piece.doubt.is_none() && has_numbers,
        (
            PieceKind::Argument {
                selector: Selector::Name(name),
                ..
            },
            Dialect::Copilot,
        ) => !METAVARIABLES.contains(&name.as_str()),
        (PieceKind::Argument { .. }, _) => !is_span,
        (PieceKind::Variable { name, path }, Dialect::Claude) => {
            let is_place = name.ends_with("_ROOT") || name.ends_with("_DIR");
            let has_braces = template.source(piece).starts_with("${");
            has_braces && path.is_some() || !is_span && !is_place
        }
        (PieceKind::Variable { name, .. }, Dialect::Copilot) => {
            !is_span && !name.starts_with("tool:")
        }
        // `#file:{{file}}` is a name in a text about such references.
        (PieceKind::File { .. }, Dialect::Copilot) => {
            !is_span && !template.source(piece).contains(['{', '<'])
        }
        _ => false,
    }
}

/// Returns whether a path has an argument that its author meant.
fn has_argument(path: &[Piece]) -> bool {
    path.iter().any(|piece| {
        let is_argument = matches!(
            piece.kind,
            PieceKind::Arguments | PieceKind::Argument { .. }
        );
        is_argument && piece.doubt.is_none()
    })
}

/// Returns whether a text is about placeholders: it shows `$ARGUMENTS` in code, several times and
/// more often than elsewhere.
fn explains(body: &str, code: &Code) -> bool {
    const WORD: &str = "$ARGUMENTS";
    let places = body.match_indices(WORD).map(|(at, _)| at);
    let (shown, used): (Vec<usize>, Vec<usize>) =
        places.partition(|at| code.is_in_span(*at) || code.fence_at(*at).is_some());
    shown.len() > 2 && shown.len() >= used.len()
}

/// Returns whether a text explains how prompts are written: it shows a whole one in code, with its
/// frontmatter and a placeholder, and has no placeholder of its own elsewhere.
///
/// ```
/// use plugin_template::explains_prompts;
///
/// let shown = "Commands:\n\n```md\n---\ndescription: Fixes\n---\nFix $ARGUMENTS.\n```\n";
/// assert!(explains_prompts(shown));
/// assert!(!explains_prompts(&format!("Take `$ARGUMENTS`.\n\n{shown}")));
/// ```
pub fn explains_prompts(body: &str) -> bool {
    let code = Code::read(body);
    let mut fences = code.fences.iter();
    let mut places = body.match_indices("$ARGUMENTS").map(|(at, _)| at);
    let has_own = places.any(|at| code.is_in_span(at) && code.fence_at(at).is_none());
    fences.any(|fence| is_prompt(&body[fence.content.clone()]))
        && (!has_own || explains(body, &code))
        && dead_placeholders(body).is_empty()
}

/// Returns whether a text is a prompt with a frontmatter and a placeholder.
fn is_prompt(text: &str) -> bool {
    const KEYS: [&str; 4] = ["description:", "argument-hint:", "allowed-tools:", "model:"];
    let header = text
        .trim_start()
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"));
    header.is_some_and(|(header, body)| {
        let mut lines = header.lines();
        let has_key = lines.any(|line| KEYS.iter().any(|key| line.starts_with(key)));
        has_key && ["$ARGUMENTS", "$1"].iter().any(|mark| body.contains(mark))
    })
}

/// Returns whether a text has two numbers in a row outside of code, such as `$1` and `$2`. One
/// alone can be an amount, and all are in a text with amounts.
fn has_numbers(template: &Template, code: &Code) -> bool {
    let is_amount = |piece: &Piece| {
        let at = piece.range.start;
        let is_code = code.is_in_span(at) || code.fence_at(at).is_some();
        piece.doubt == Some(Doubt::Amount) && !is_code
    };
    if template.pieces().iter().any(is_amount) {
        return false;
    }
    let numbers = template
        .pieces()
        .iter()
        .filter_map(|piece| match piece.kind {
            PieceKind::Argument {
                selector: Selector::Index(index),
                ..
            } if piece.doubt.is_none() => {
                let at = piece.range.start;
                let is_code = code.is_in_span(at) || code.fence_at(at).is_some();
                (!is_code).then_some(index)
            }
            _ => None,
        });
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    matches!(numbers.as_slice(), [0 | 1, next, ..] if *next <= 2)
}

/// Returns whether a position is in a heading, which names what a text explains.
fn is_heading(text: &str, at: usize) -> bool {
    line_before(text, at).starts_with('#')
}

/// Returns whether a blank or an opening bracket is before a position. `HEAD@{1}` is a revision.
fn is_free(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '"' | ':' | '：'))
}

/// Returns whether the braces hold a command, or a path with a slash or an extension.
fn has_content(template: &Template, piece: &Piece) -> bool {
    let inner = piece.inner();
    let (Some(first), Some(last)) = (inner.first(), inner.last()) else {
        return false;
    };
    let content = &template.text()[first.range.start..last.range.end];
    match piece.kind {
        PieceKind::File { .. } => content.contains(['/', '.']) && !content.contains('='),
        _ => content.starts_with(|c: char| c.is_alphabetic()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let found = dead_placeholders(body);
        let found = found.iter().map(|dead| &body[dead.range.clone()]);
        assert_eq!(found.collect::<Vec<_>>(), expected, "{body}");
    }

    #[test]
    fn amounts_of_money_are_alive() {
        check(
            "The jump from $1 to $0 is bigger. \"$3/day\" is less than \"$90/month\".\n",
            &[],
        );
        check("From $1 to $0, not $2 to $1; it costs $30/month.\n", &[]);
        check("Free ($0), then $1/user.\n", &[]);
        check("Copy $0 to $1.\n", &["$0", "$1"]);
        check(
            "Read @$1 and @src/$ARGUMENTS.md.\n",
            &["@$1", "@src/$ARGUMENTS.md"],
        );
        check("Read `@$1` and @src/a.md for $1.\n", &[]);
        check("Copy $0/src to $1/day1.\n", &["$0", "$1"]);
    }

    #[test]
    fn references_of_copilot_are_dead() {
        check(
            "Explain #selection with #file:'a b.md' and ${env:HOME}.\n",
            &["#selection", "#file:'a b.md'", "${env:HOME}"],
        );
        check("- **#file:{{file}}** (required)\n", &[]);
        check(
            "See [the part](#selection) and `#file:a.md`.\n\n# selection\n",
            &[],
        );
    }

    #[test]
    fn texts_about_placeholders_are_alive() {
        let manual = "Use $ARGUMENTS and ($1, $2).\n\n`$ARGUMENTS` is all.\n\n```md\nFix $ARGUMENTS\n$ARGUMENTS\n```\n";
        check(manual, &[]);
        check(
            "Fix $ARGUMENTS.\n\n```sh\nrun $ARGUMENTS\n```\n",
            &["$ARGUMENTS"],
        );
    }
}
