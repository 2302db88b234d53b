//! Reading the pieces of a template: one scanner, and the tokens of each dialect.
//!
//! - `scan`: the scanner; `tokens`: the tokens of each dialect; `dollar`: `$…` of Claude Code, Codex
//!   and OpenCode; `braces`: `${…}`, `{{args}}`, `!{…}` and `@{…}`; `at_path`: `@path` and
//!   `#file:path`.
//! - `doubt`: placeholders that their authors probably did not mean; `own`: code with numbers of its
//!   own.

mod at_path;
mod braces;
mod dollar;
mod doubt;
mod own;
mod scan;
mod tokens;

use crate::Dialect;
use crate::code::Code;
use crate::piece::Piece;
pub(crate) use braces::ARGS;
pub(crate) use doubt::is_amount;
use scan::{Depth, Scan};

/// Returns the pieces of a text, and the position of an unclosed `!{` or `@{`.
pub(crate) fn lex(text: &str, dialect: Dialect, names: &[String]) -> (Vec<Piece>, Option<usize>) {
    let mut scan = Scan {
        text,
        dialect,
        names: names.iter().map(String::as_str).collect(),
        code: Code::read(text),
        is_named: dialect == Dialect::Codex && dollar::has_names(text),
        unclosed: None,
    };
    let mut pieces = scan.pieces(0..text.len(), Depth::Body);
    doubt::mark(&mut pieces, text, &scan.code, dialect);
    (pieces, scan.unclosed)
}
