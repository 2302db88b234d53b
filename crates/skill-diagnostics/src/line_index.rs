//! Converts byte offsets to lines and columns.

use std::ops::Range;

use crate::steps;

/// A position in a text as people count it: both numbers start at 1, and columns are code points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1. Lines end with `\n`; a `\r` before it belongs to the line.
    pub line: u32,
    /// The column, from 1, in code points.
    pub column: u32,
}

/// A range of a text in bytes, with the position of its start.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The position of `start`.
    pub position: Position,
}

/// Converts byte offsets of one text to positions; built once for many lookups.
///
/// ```
/// use skill_diagnostics::{LineIndex, Position};
///
/// let index = LineIndex::new("name: tea\nparams: 茶 x");
/// assert_eq!(index.position(22), Position { line: 2, column: 11 });
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// The number of characters before each [`BLOCK`] of bytes, so that a long line is not counted
    /// from its start.
    before: Vec<usize>,
}

/// The number of bytes between two counts of characters.
const BLOCK: usize = 1 << 10;

impl<'a> LineIndex<'a> {
    /// Builds the index in one pass over the text.
    pub fn new(text: &'a str) -> Self {
        steps::count(text.len());
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(newlines.map(|(at, _)| at + 1))
            .collect();
        let mut before = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            before.push(before[before.len() - 1] + n_chars(block));
        }
        Self {
            text,
            starts,
            before,
        }
    }

    /// Returns the position of a byte offset. An offset past the end, or inside a character, counts
    /// as the nearest character boundary before it.
    pub fn position(&self, offset: usize) -> Position {
        let offset = floor_boundary(self.text, offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = self.chars_before(offset) - self.chars_before(self.starts[line - 1]) + 1;
        Position {
            line: saturate(line),
            column: saturate(column),
        }
    }

    /// Returns the number of characters before a character boundary.
    fn chars_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        let rest = &self.text.as_bytes()[block * BLOCK..offset];
        steps::count(rest.len());
        self.before[block] + n_chars(rest)
    }

    /// Returns the span of a byte range.
    pub fn span(&self, range: Range<usize>) -> Span {
        let position = self.position(range.start);
        Span {
            start: range.start,
            end: range.end,
            position,
        }
    }

    /// Returns the byte offset of the start of a line (from 1), if the line exists.
    pub fn line_start(&self, line: u32) -> Option<usize> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        self.starts.get(at).copied()
    }
}

/// Returns the number of characters that start in these bytes of UTF-8.
fn n_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, offset: usize, line: u32, column: u32) {
        assert_eq!(
            LineIndex::new(text).position(offset),
            Position { line, column }
        );
    }

    #[test]
    fn counts_lines_and_code_points() {
        check("", 0, 1, 1);
        check("ab\ncd", 2, 1, 3);
        check("ab\ncd", 3, 2, 1);
        check("参数\nx", 3, 1, 2);
        check("参数\nx", 4, 1, 2);
        check("a\n", 99, 2, 1);
    }
}
