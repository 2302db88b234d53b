//! `$ARGUMENTS`, `$1` and `$name`.

use super::scan::Scan;
use crate::piece::{Piece, PieceKind};

/// The placeholder for everything that the user typed.
const ALL: &str = "$ARGUMENTS";
/// The longest declared name that is found, in characters.
const MAX_NAME: usize = 64;

impl Scan<'_> {
    /// Reads a placeholder of Claude Code.
    pub(super) fn claude_argument(&self, at: usize, end: usize) -> Option<Piece> {
        let rest = self.rest(at, end);
        if let Some(after) = rest.strip_prefix(ALL) {
            let range = at..at + ALL.len();
            return Some(match bracketed(after) {
                Some((index, length)) => Piece::index(at..range.end + length, index),
                None => Piece::new(range, PieceKind::Arguments),
            });
        }
        let after = &rest[1..];
        if let Some((index, length)) = number(after) {
            let is_whole = !after[length..].starts_with(is_word);
            return is_whole.then(|| Piece::index(at..at + 1 + length, index));
        }
        let name = self.declared_name(after)?;
        Some(Piece::name(at..at + 1 + name.len(), name))
    }

    /// Returns the longest declared name at the start of a text. As in the host, no ASCII word
    /// character may follow; `$file翻译` is the argument `file`.
    fn declared_name<'t>(&self, text: &'t str) -> Option<&'t str> {
        if self.names.is_empty() {
            return None;
        }
        let ends = text.char_indices().map(|(at, _)| at).skip(1);
        let ends = ends.chain([text.len()]).take(MAX_NAME);
        let names = ends.map(|end| text.split_at(end));
        let names =
            names.filter(|(name, rest)| !rest.starts_with(is_word) && self.names.contains(name));
        names.last().map(|(name, _)| name)
    }

    /// Reads `\$1`: one backslash before a placeholder makes it text.
    pub(super) fn escaped(&self, at: usize, end: usize) -> Option<Piece> {
        let is_one = !self.text[..at].ends_with('\\');
        let is_dollar = self.rest(at, end)[1..].starts_with('$');
        let piece = (is_one && is_dollar).then(|| self.claude_argument(at + 1, end))??;
        Some(Piece::new(at..piece.range.end, PieceKind::Escaped))
    }

    /// Reads a placeholder of OpenCode; numbers have any length and can begin an amount.
    pub(super) fn opencode_argument(&self, at: usize, end: usize) -> Option<Piece> {
        let rest = self.rest(at, end);
        if rest.starts_with(ALL) {
            return Some(Piece::new(at..at + ALL.len(), PieceKind::Arguments));
        }
        let (index, length) = number(&rest[1..])?;
        Some(Piece::index(at..at + 1 + length, index))
    }

    /// Reads a placeholder of Codex. With any `$NAME`, only those are placeholders; otherwise `$1`
    /// to `$9` and `$ARGUMENTS` are, and `$$` is text.
    pub(super) fn codex_argument(&self, at: usize, end: usize) -> Option<Piece> {
        if self.is_named {
            let name = upper_name(self.text, at)?;
            let is_inside = at + 1 + name.len() <= end;
            return is_inside.then(|| Piece::name(at..at + 1 + name.len(), name));
        }
        let rest = self.rest(at, end);
        if rest.starts_with(ALL) {
            return Some(Piece::new(at..at + ALL.len(), PieceKind::Arguments));
        }
        let digit = rest
            .as_bytes()
            .get(1)
            .filter(|b| matches!(b, b'1'..=b'9'))?;
        Some(Piece::index(at..at + 2, usize::from(digit - b'0')))
    }
}

/// Returns whether a Codex prompt has a named placeholder.
pub(super) fn has_names(text: &str) -> bool {
    let mut dollars = text.match_indices('$');
    dollars.any(|(at, _)| upper_name(text, at).is_some())
}

/// Returns the name of a `$NAME` that no `$` precedes; `$ARGUMENTS` is none.
fn upper_name(text: &str, at: usize) -> Option<&str> {
    let after = &text[at + 1..];
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let name = &after[..after.find(|c| !is_part(c)).unwrap_or(after.len())];
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) && name != "ARGUMENTS";
    (is_name && !text[..at].ends_with('$')).then_some(name)
}

/// Reads digits: the number and their length.
fn number(text: &str) -> Option<(usize, usize)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| (text[..length].parse().unwrap_or(usize::MAX), length))
}

/// Reads `[N]`.
fn bracketed(text: &str) -> Option<(usize, usize)> {
    let (index, length) = number(text.strip_prefix('[')?)?;
    text[1 + length..]
        .starts_with(']')
        .then_some((index, length + 2))
}

/// Returns whether the character is one of `\w` in JavaScript, by which the host decides: a
/// placeholder can be next to Chinese text.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
