//! Cuts a text into pieces that tokens never cross.
//!
//! The rules are those of the o200k split pattern
//! (<https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py>), implemented by
//! hand with the character classes of the standard library.

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// Letters, with one sign or space before them.
    Word,
    /// One to three digits.
    Number,
    /// Signs, with one space before them and line ends after them.
    Signs,
    /// White space.
    Space,
}

/// The class of a character in the pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Upper,
    Lower,
    /// A letter without case, or a mark.
    Caseless,
    Digit,
    /// `\r` or `\n`.
    LineEnd,
    Space,
    Sign,
}

/// The classes of the first 128 characters.
static ASCII: [Class; 128] = {
    let mut res = [Class::Sign; 128];
    let mut at = 0;
    while at < 128 {
        res[at as usize] = match at {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'\r' | b'\n' => Class::LineEnd,
            b' ' | b'\t' | 0x0b | 0x0c => Class::Space,
            _ => Class::Sign,
        };
        at += 1;
    }
    res
};

fn class(c: char) -> Class {
    match c {
        '\u{4e00}'..='\u{9fff}' => Class::Caseless,
        '\u{3001}'..='\u{3003}' | '\u{ff01}'..='\u{ff0f}' => Class::Sign,
        _ => class_by_table(c),
    }
}

fn class_by_table(c: char) -> Class {
    if c.is_whitespace() {
        Class::Space
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_uppercase() {
        Class::Upper
    } else if c.is_lowercase() {
        Class::Lower
    } else if c.is_alphabetic() || is_mark(c) {
        Class::Caseless
    } else {
        Class::Sign
    }
}

/// Returns true for marks that are not alphabetic: accents, viramas, tone marks, variation
/// selectors.
fn is_mark(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0300..=0x036f
            | 0x0483..=0x0489
            | 0x0591..=0x05c7
            | 0x064b..=0x065f
            | 0x093c
            | 0x094d
            | 0x09bc
            | 0x09cd
            | 0x0a4d
            | 0x0acd
            | 0x0b4d
            | 0x0bcd
            | 0x0c4d
            | 0x0ccd
            | 0x0d4d
            | 0x0e47..=0x0e4e
            | 0x1039..=0x103a
            | 0x17c9..=0x17d3
            | 0x1ab0..=0x1aff
            | 0x1dc0..=0x1dff
            | 0x20d0..=0x20ff
            | 0x302a..=0x302f
            | 0x3099..=0x309a
            | 0xfe00..=0xfe0f
            | 0xfe20..=0xfe2f
    )
}

/// Cuts a text into pieces, which together are the whole text.
pub fn pieces(text: &str) -> impl Iterator<Item = (Piece, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (kind, len) = first(rest)?;
        let (piece, after) = rest.split_at(len);
        rest = after;
        Some((kind, piece))
    })
}

/// A position in a text.
#[derive(Clone, Copy)]
struct At<'t> {
    text: &'t str,
    at: usize,
}

impl At<'_> {
    /// Returns the character here, its class, and the position after it.
    fn next(self) -> Option<(char, Class, Self)> {
        let byte = *self.text.as_bytes().get(self.at)?;
        if byte < 0x80 {
            let at = self.at + 1;
            let class = ASCII[usize::from(byte)];
            return Some((char::from(byte), class, Self { at, ..self }));
        }
        let c = self.text[self.at..].chars().next()?;
        let at = self.at + c.len_utf8();
        Some((c, class(c), Self { at, ..self }))
    }

    fn class(self) -> Option<Class> {
        self.next().map(|(_, class, _)| class)
    }

    fn skip(mut self, mut keep: impl FnMut(char, Class) -> bool) -> Self {
        while let Some((c, class, after)) = self.next()
            && keep(c, class)
        {
            self = after;
        }
        self
    }
}

/// Returns the kind and the length of the first piece of a text.
fn first(text: &str) -> Option<(Piece, usize)> {
    let start = At { text, at: 0 };
    let (c, class, second) = start.next()?;
    let is_letter = |class| matches!(class, Class::Upper | Class::Lower | Class::Caseless);
    let after_one = second.class();
    Some(match class {
        Class::Upper | Class::Lower | Class::Caseless => (Piece::Word, word(start).at),
        Class::Digit => (Piece::Number, number(start).at),
        Class::Space | Class::Sign if after_one.is_some_and(is_letter) => {
            (Piece::Word, word(second).at)
        }
        Class::Sign => (Piece::Signs, signs(start).at),
        Class::Space if c == ' ' && after_one == Some(Class::Sign) => {
            (Piece::Signs, signs(second).at)
        }
        Class::Space | Class::LineEnd => (Piece::Space, space(start)),
    })
}

/// Skips upper-case, then lower-case letters; letters without case count as both.
fn word(start: At<'_>) -> At<'_> {
    if let Some(end) = plain_word(start) {
        return end;
    }
    let (mut here, mut last_caseless) = (start, None);
    while let Some((_, class @ (Class::Upper | Class::Caseless), after)) = here.next() {
        here = after;
        if class == Class::Caseless {
            last_caseless = Some(after);
        }
    }
    let end = match here.class() {
        Some(Class::Lower) => here.skip(|_, c| matches!(c, Class::Lower | Class::Caseless)),
        _ => last_caseless.unwrap_or(here),
    };
    contraction(end)
}

/// Handles the common case quickly: one letter, then lower case up to a sign or a space.
fn plain_word(start: At<'_>) -> Option<At<'_>> {
    let rest = &start.text.as_bytes()[start.at..];
    let n_lower = rest[1..]
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase());
    let len = 1 + n_lower.count();
    let is_plain = rest[0].is_ascii_alphabetic() && (len > 1 || rest[0].is_ascii_lowercase());
    let is_end = |byte: &u8| *byte < 0x80 && *byte != b'\'' && !byte.is_ascii_lowercase();
    let at = start.at + len;
    (is_plain && rest.get(len).is_none_or(is_end)).then_some(At { at, ..start })
}

/// Skips a contraction: `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll`, `'d`.
fn contraction(here: At<'_>) -> At<'_> {
    let rest = &here.text.as_bytes()[here.at..];
    let len = match rest {
        [b'\'', a, b, ..]
            if matches!(
                [a.to_ascii_lowercase(), b.to_ascii_lowercase()],
                [b'r' | b'v', b'e'] | [b'l', b'l']
            ) =>
        {
            3
        }
        [b'\'', a, ..] if matches!(a.to_ascii_lowercase(), b's' | b't' | b'm' | b'd') => 2,
        _ => 0,
    };
    At {
        at: here.at + len,
        ..here
    }
}

fn number(start: At<'_>) -> At<'_> {
    let mut n_digits = 0;
    start.skip(|_, class| {
        n_digits += 1;
        class == Class::Digit && n_digits <= 3
    })
}

fn signs(start: At<'_>) -> At<'_> {
    let end = start.skip(|_, class| class == Class::Sign);
    end.skip(|c, class| class == Class::LineEnd || c == '/')
}

/// Up to the last line end; without one, all but the last space, which the next word takes.
fn space(start: At<'_>) -> usize {
    let (mut last_line_end, mut last_start) = (0, 0);
    let mut here = start;
    while let Some((_, class @ (Class::Space | Class::LineEnd), after)) = here.next() {
        if class == Class::LineEnd {
            last_line_end = after.at;
        }
        last_start = here.at;
        here = after;
    }
    match (last_line_end, last_start) {
        (0, 0) => here.at,
        (0, _) if here.at == here.text.len() => here.at,
        (0, before) => before,
        (end, _) => end,
    }
}
