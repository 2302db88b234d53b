//! Runs of suspicious characters with their neighbors.

use std::ops::Range;

use super::scripts::is_suspicious;

/// Adjacent suspicious characters.
#[derive(Debug)]
pub(super) struct Run {
    /// The characters with their byte ranges.
    pub(super) chars: Vec<(char, Range<usize>)>,
    /// The character before.
    pub(super) before: Option<char>,
    /// The character after.
    pub(super) after: Option<char>,
}

/// An iterator over the runs of a text.
pub(super) struct Runs<'a> {
    text: &'a str,
    at: usize,
    before: Option<char>,
    has_line_feeds: bool,
}

/// Maximum length of a numeric entity: `&#x10FFFF;` and some zeros.
const MAX_ENTITY: usize = 14;

impl<'a> Runs<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            before: None,
            has_line_feeds: text.contains('\n'),
        }
    }

    /// Returns the next character with its length; an entity counts as the character that it stands
    /// for.
    fn peek(&self) -> Option<(char, usize)> {
        let rest = &self.text[self.at..];
        let c = rest.chars().next()?;
        if c == '&'
            && rest.as_bytes().get(1) == Some(&b'#')
            && let Some(entity) = entity(rest)
        {
            return Some(entity);
        }
        Some((c, c.len_utf8()))
    }

    /// Returns whether a single carriage return occurs in a text with other line ends: terminals
    /// return to the start and overwrite the line. (In a text without any other, it is the line
    /// end.)
    fn overwrites(&self, c: char) -> bool {
        let next = self.text.as_bytes().get(self.at + 1);
        c == '\r' && next.is_some_and(|b| *b != b'\n') && self.has_line_feeds
    }

    /// Advances to the next character that could be suspicious; fast for plain ASCII.
    fn skip_plain(&mut self) {
        let bytes = &self.text.as_bytes()[self.at..];
        let chunks = bytes.chunks_exact(CHUNK);
        let n_chunks = chunks.take_while(|chunk| is_plain(chunk)).count();
        let mut rest = bytes[n_chunks * CHUNK..].iter();
        let n_more = rest.position(|b| !PLAIN[usize::from(*b)]);
        let n = n_more.map_or(bytes.len(), |n_more| n_chunks * CHUNK + n_more);
        if n > 0 {
            self.at += n;
            self.before = Some(char::from(bytes[n - 1]));
        }
    }
}

/// Number of bytes that are examined together.
const CHUNK: usize = 32;

/// Returns whether all bytes are plain, without a branch per byte, so that the compiler can
/// vectorize it. White space and `&` are examined one by one.
fn is_plain(chunk: &[u8]) -> bool {
    let is_odd = |b: &u8| !(0x20..0x7F).contains(b) && *b != b'\n' || *b == b'&';
    chunk.iter().filter(|b| is_odd(b)).count() == 0
}

/// ASCII characters that are neither suspicious nor start an entity.
static PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7F {
        table[byte] = byte != b'&' as usize;
        byte += 1;
    }
    table[b'\n' as usize] = true;
    table[b'\t' as usize] = true;
    table
};

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        loop {
            self.skip_plain();
            let (c, width) = self.peek()?;
            if is_suspicious(c) || self.overwrites(c) {
                return Some(self.run());
            }
            self.at += width;
            self.before = Some(c);
        }
    }
}

impl Runs<'_> {
    fn run(&mut self) -> Run {
        let before = self.before;
        let mut chars = Vec::new();
        loop {
            let next = self.peek();
            match next {
                Some((c, width)) if is_suspicious(c) || self.overwrites(c) => {
                    chars.push((c, self.at..self.at + width));
                    self.at += width;
                    self.before = Some(c);
                }
                _ => {
                    let after = next.map(|(c, _)| c);
                    return Run {
                        chars,
                        before,
                        after,
                    };
                }
            }
        }
    }
}

/// Parses `&#123;` or `&#x7B;` at the start of a text into the character and the length.
fn entity(text: &str) -> Option<(char, usize)> {
    let start = &text.as_bytes()[..text.len().min(MAX_ENTITY)];
    let end = start.iter().position(|b| *b == b';')?;
    let digits = text.get(2..end)?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(code)?, end + 1))
}
