//! The scanner: from mark to mark, asking the dialect for a token.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::Dialect;
use crate::code::Code;
use crate::piece::{Piece, PieceKind};

/// The text that is read, and what is known about all of it.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) dialect: Dialect,
    pub(super) names: BTreeSet<&'a str>,
    pub(super) code: Code,
    /// True for a Codex prompt with named placeholders, where numbers are text.
    pub(super) is_named: bool,
    /// The first `!{` or `@{` of Gemini CLI without its closing brace.
    pub(super) unclosed: Option<usize>,
}

/// The surroundings in which a token is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// In the body: every token.
    Body,
    /// Inside a command: no further command.
    Command,
    /// Inside a path: only arguments and values of the host.
    Path,
}

impl Scan<'_> {
    /// Returns the pieces of a part of the text.
    pub(super) fn pieces(&mut self, range: Range<usize>, depth: Depth) -> Vec<Piece> {
        let mut res = Vec::new();
        let mut plain = range.start;
        let mut at = range.start;
        while let Some(offset) = next_mark(&self.text.as_bytes()[at..range.end]) {
            at += offset;
            match self.token(at, range.end, depth) {
                Some(piece) => {
                    push_text(&mut res, plain..piece.range.start);
                    plain = piece.range.end;
                    at = plain;
                    res.push(piece);
                }
                None => at += self.skip(at, range.end),
            }
        }
        push_text(&mut res, plain..range.end);
        res
    }

    /// Returns the length of a mark that is not a token. A pair `$$` is text in Codex.
    fn skip(&self, at: usize, end: usize) -> usize {
        let is_pair = self.dialect == Dialect::Codex && !self.is_named;
        1 + usize::from(is_pair && self.rest(at, end).starts_with("$$"))
    }

    pub(super) fn rest(&self, at: usize, end: usize) -> &str {
        &self.text[at..end]
    }
}

/// Returns the position of the next byte that begins a token of any dialect.
fn next_mark(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|b| b"$!@{`~#\\".contains(b))
}

fn push_text(pieces: &mut Vec<Piece>, range: Range<usize>) {
    if !range.is_empty() {
        pieces.push(Piece::new(range, PieceKind::Text));
    }
}
