//! Placeholders that the host sees and the author probably did not mean: amounts of money, and
//! variables of shell scripts and other languages in examples.

use super::own::{has_own_numbers, is_script};
use crate::Dialect;
use crate::code::{Code, line_before};
use crate::piece::{Doubt, Piece, PieceKind, Selector};

/// Arguments beyond this number do not occur.
const MAX_INDEX: usize = 32;

/// The text around the placeholders.
struct Around<'a> {
    text: &'a str,
    code: &'a Code,
    /// For each fence, whether it holds code with arguments of its own.
    scripts: Vec<bool>,
}

/// Marks the doubtful numbers.
pub(super) fn mark(pieces: &mut [Piece], text: &str, code: &Code, dialect: Dialect) {
    if !matches!(
        dialect,
        Dialect::Claude | Dialect::Codex | Dialect::OpenCode
    ) {
        return;
    }
    let scripts = code.fences.iter().map(|fence| is_script(text, fence));
    let around = Around {
        text,
        code,
        scripts: scripts.collect(),
    };
    let mut used = [false; MAX_INDEX];
    around.mark_clear(pieces, &mut used);
    mark_beyond(pieces, text, highest(&used));
}

/// Returns the highest number that the run from 0 or 1 explains. A number beyond it, such as the
/// only `$5` of a text, is an amount. One number may be missing: a prompt can ignore an argument.
fn highest(used: &[bool; MAX_INDEX]) -> usize {
    let start = usize::from(!used[0]);
    let length = used[start..].iter().take_while(|used| **used).count();
    start + length.max(1)
}

/// Marks numbers beyond the highest one.
fn mark_beyond(pieces: &mut [Piece], text: &str, highest: usize) {
    for piece in pieces {
        if let Some(index) = index_of(piece, text)
            && index > highest
        {
            piece.doubt = piece.doubt.or(Some(Doubt::Amount));
        }
        mark_beyond(inner(piece), text, highest);
    }
}

fn inner(piece: &mut Piece) -> &mut [Piece] {
    match &mut piece.kind {
        PieceKind::Shell { command: inner, .. } | PieceKind::File { path: inner } => inner,
        _ => &mut [],
    }
}

/// Returns the number of `$1`; `$ARGUMENTS[1]` is never meant otherwise.
fn index_of(piece: &Piece, text: &str) -> Option<usize> {
    match piece.kind {
        PieceKind::Argument {
            selector: Selector::Index(index),
            ..
        } if !text[piece.range.clone()].ends_with(']') => Some(index),
        _ => None,
    }
}

impl Around<'_> {
    /// Marks the pieces whose surroundings say enough, and records the other numbers.
    fn mark_clear(&self, pieces: &mut [Piece], used: &mut [bool; MAX_INDEX]) {
        for piece in pieces {
            if let Some(index) = index_of(piece, self.text) {
                piece.doubt = self.doubt(piece);
                if piece.doubt.is_none() && index < MAX_INDEX {
                    used[index] = true;
                }
            }
            self.mark_clear(inner(piece), used);
        }
    }

    fn doubt(&self, piece: &Piece) -> Option<Doubt> {
        let (start, end) = (piece.range.start, piece.range.end);
        if is_amount(&self.text[end..]) {
            return Some(Doubt::Amount);
        }
        let fence = self.code.fence_index_at(start);
        let in_code = fence.is_some() || self.code.is_in_span(start);
        let is_script = fence.is_some_and(|index| self.scripts[index]);
        let has_own = || {
            let span = self.code.span_at(start).unwrap_or_default();
            let before = line_before(self.text, start);
            // Of a line with inline code, only that code counts.
            let before = if span.is_empty() {
                before
            } else {
                &self.text[span.start.max(start - before.len())..start]
            };
            has_own_numbers(before, &self.text[span])
        };
        (is_script || in_code && has_own()).then_some(Doubt::Code)
    }
}

/// The words behind an amount and a slash: `$3/day`.
const PER: [&str; 12] = [
    "day", "week", "month", "mo", "year", "yr", "hour", "hr", "user", "seat", "GB", "MTok",
];

/// Returns whether the text behind digits goes on as in `$5,000`, `$1.50`, `$10`, `$3M` or `$3/day`.
pub(crate) fn is_amount(rest: &str) -> bool {
    let mut chars = rest.chars();
    let (first, second) = (chars.next(), chars.next());
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match first {
        Some(',' | '.') => is_digit(second),
        Some('/') => {
            let rest = &rest[1..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
            PER.contains(&&rest[..end.unwrap_or(rest.len())])
        }
        Some('k' | 'K' | 'M' | 'B') => !second.is_some_and(char::is_alphanumeric),
        _ => is_digit(first),
    }
}
