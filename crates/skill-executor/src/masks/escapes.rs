//! A form of a secret in a text, whatever the text does to its characters: any of them may be escaped, a
//! line may end inside, and the text may be UTF-16.

/// The shortest form in which a line may end, in bytes: parts of a shorter one are in every text.
const MIN_BROKEN: usize = 8;

/// The bytes that an escape, or a character of UTF-16, begins with.
pub(super) const BEGINS: [u8; 6] = [0, b'%', b'=', b'\\', b'&', b'+'];

/// The most bytes that a form of this length takes in a text: an escape such as `&#x000061;` for each
/// character, in UTF-16.
pub(super) fn longest(form: usize) -> usize {
    form.saturating_mul(24)
}

/// The bytes of a character of ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// UTF-8 and most others.
    One,
    /// UTF-16, the low byte first.
    Little,
    /// UTF-16, the high byte first.
    Big,
}

impl Width {
    pub(super) const ALL: [Self; 3] = [Self::One, Self::Little, Self::Big];

    /// Returns the number of bytes.
    fn bytes(self) -> usize {
        if self == Self::One { 1 } else { 2 }
    }

    /// Returns true if the bytes may begin with a character of ASCII.
    pub(super) fn is_ascii(self, data: &[u8]) -> bool {
        self == Self::One || self.at(data, 0).is_some()
    }

    /// Returns the character of ASCII, or the byte, at a place.
    fn at(self, data: &[u8], at: usize) -> Option<u8> {
        match self {
            Self::One => data.get(at).copied(),
            Self::Little => (*data.get(at + 1)? == 0).then_some(data[at]),
            Self::Big => (*data.get(at)? == 0).then(|| data.get(at + 1).copied())?,
        }
        .filter(|byte| self == Self::One || byte.is_ascii())
    }
}

/// Returns the first bytes of the forms that some bytes may begin with: as they are, and as an escape.
pub(super) fn firsts(data: &[u8], width: Width) -> [Option<u8>; 2] {
    if !width.is_ascii(data) {
        return [wide(data, width).map(|(it, _)| it.bytes[0]), None];
    }
    let escape = Text { data, width }.escape(0);
    [width.at(data, 0), escape.map(|(it, _)| it.bytes[0])]
}

/// Returns the number of bytes that a form takes at the beginning of some bytes; `None` if it is not there.
pub(super) fn length(form: &[u8], data: &[u8], width: Width) -> Option<usize> {
    let text = Text { data, width };
    // A secret may look like an escape or the end of a line itself.
    let read = text.length(form, false).or_else(|| text.plain(form));
    read.or_else(|| text.length(form, true))
}

/// The bytes in UTF-8 that an escape stands for.
#[derive(Clone, Copy, Default)]
struct Escaped {
    bytes: [u8; 4],
    len: usize,
}

impl Escaped {
    fn byte(byte: u8) -> Self {
        Self {
            bytes: [byte, 0, 0, 0],
            len: 1,
        }
    }

    fn char(c: char) -> Self {
        let mut bytes = [0; 4];
        let len = c.encode_utf8(&mut bytes).len();
        Self { bytes, len }
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Returns a character of UTF-16 that is not of ASCII, and the number of its bytes.
fn wide(data: &[u8], width: Width) -> Option<(Escaped, usize)> {
    let unit = |at: usize| -> Option<u16> {
        let bytes = [*data.get(at)?, *data.get(at + 1)?];
        match width {
            Width::One => None,
            Width::Little => Some(u16::from_le_bytes(bytes)),
            Width::Big => Some(u16::from_be_bytes(bytes)),
        }
    };
    let units = [unit(0)?, unit(2).unwrap_or_default()];
    let c = char::decode_utf16(units).next()?.ok()?;
    Some((Escaped::char(c), 2 * c.len_utf16()))
}

/// Bytes in which a form is looked for.
struct Text<'d> {
    data: &'d [u8],
    width: Width,
}

impl Text<'_> {
    /// Returns the length of a form that is there as it is.
    fn plain(&self, form: &[u8]) -> Option<usize> {
        let n = self.width.bytes();
        let mut bytes = form.iter().enumerate();
        let is_there = bytes.all(|(at, byte)| self.width.at(self.data, at * n) == Some(*byte));
        is_there.then_some(form.len() * n)
    }

    fn length(&self, form: &[u8], is_literal: bool) -> Option<usize> {
        let can_break = form.len() >= MIN_BROKEN;
        let (mut at, mut done) = (0, 0);
        while done < form.len() {
            if done > 0 && can_break {
                at = self.after_break(at, form[done]);
            }
            let (bytes, n) = self.unit(at, form[done], is_literal)?;
            if !form[done..].starts_with(bytes.as_slice()) {
                return None;
            }
            done += bytes.len;
            at += n;
        }
        (at <= longest(form.len())).then_some(at)
    }

    /// Returns the bytes that a place stands for, and how many it takes: an escape, if it stands for what is
    /// expected.
    fn unit(&self, at: usize, expected: u8, is_literal: bool) -> Option<(Escaped, usize)> {
        let escape = self.escape(at).filter(|_| !is_literal);
        if let Some(escape) = escape.filter(|(it, _)| it.bytes[0] == expected) {
            return Some(escape);
        }
        let plain = self.width.at(self.data, at);
        match plain {
            Some(byte) => Some((Escaped::byte(byte), self.width.bytes())),
            None => wide(self.data.get(at..)?, self.width),
        }
    }

    /// Returns the place after the end of a line and the blanks that begin the next one.
    fn after_break(&self, at: usize, expected: u8) -> usize {
        let n = self.width.bytes();
        let byte = |at: usize| self.width.at(self.data, at);
        let mut next = at;
        // A line of quoted-printable ends with `=`, one of a shell with `\`.
        let is_end = |at: usize| matches!(byte(at), Some(b'\r' | b'\n'));
        let is_written =
            |at: usize| byte(at) == Some(b'\\') && matches!(byte(at + n), Some(b'r' | b'n'));
        let is_sign = matches!(byte(at), Some(b'=' | b'\\')) && byte(at) != Some(expected);
        if is_sign && is_end(at + n) {
            next += n;
        }
        if is_written(next) && !matches!(expected, b'\\' | b'\r' | b'\n') {
            while is_written(next) {
                next += 2 * n;
            }
        } else if is_end(next) && !matches!(expected, b'\r' | b'\n') {
            while is_end(next) {
                next += n;
            }
        } else {
            return at;
        }
        while matches!(byte(next), Some(b' ' | b'\t')) && !matches!(expected, b' ' | b'\t') {
            next += n;
        }
        next
    }

    /// Returns the bytes that an escape stands for, and how many bytes it takes.
    fn escape(&self, at: usize) -> Option<(Escaped, usize)> {
        let n = self.width.bytes();
        let byte = |index: usize| self.width.at(self.data, at + index * n);
        let (bytes, len) = match (byte(0)?, byte(1)?) {
            (b'%' | b'=', _) => (Escaped::byte(self.hex(at + n, 2)?.try_into().ok()?), 3),
            (b'\\', b'x') => (Escaped::byte(self.hex(at + 2 * n, 2)?.try_into().ok()?), 4),
            (b'\\', b'u') => self.unicode(at)?,
            (b'\\', b'n') => (Escaped::byte(b'\n'), 2),
            (b'\\', b'r') => (Escaped::byte(b'\r'), 2),
            (b'\\', b't') => (Escaped::byte(b'\t'), 2),
            (b'\\', c) if c.is_ascii_punctuation() => (Escaped::byte(c), 2),
            (b'&', _) => self.entity(at)?,
            (b'+', _) => (Escaped::byte(b' '), 1),
            _ => return None,
        };
        Some((bytes, len * n))
    }

    /// Returns the number of some digits in hex.
    fn hex(&self, at: usize, n_digits: usize) -> Option<u32> {
        let n = self.width.bytes();
        let mut digits = (0..n_digits).map(|it| self.width.at(self.data, at + it * n));
        digits.try_fold(0, |all, digit| {
            Some(all * 16 + char::from(digit?).to_digit(16)?)
        })
    }

    /// Returns a character that is written as `\u0061`, or as two of these.
    fn unicode(&self, at: usize) -> Option<(Escaped, usize)> {
        let n = self.width.bytes();
        let unit = |at: usize| u16::try_from(self.hex(at + 2 * n, 4)?).ok();
        let first = unit(at)?;
        if let Some(c) = char::from_u32(first.into()) {
            return Some((Escaped::char(c), 6));
        }
        let c = char::decode_utf16([first, unit(at + 6 * n)?])
            .next()?
            .ok()?;
        Some((Escaped::char(c), 12))
    }

    /// Returns a character that HTML names or numbers: `&amp;`, `&#97;`, `&#x61;`.
    fn entity(&self, at: usize) -> Option<(Escaped, usize)> {
        const MAX: usize = 10;
        let n = self.width.bytes();
        let bytes = (1..=MAX).map_while(|it| self.width.at(self.data, at + it * n));
        let name: String = bytes.take_while(|it| *it != b';').map(char::from).collect();
        let end = self.width.at(self.data, at + (name.len() + 1) * n)?;
        let number = name.strip_prefix('#');
        let c = match (name.as_str(), number) {
            ("amp", _) => '&',
            ("lt", _) => '<',
            ("gt", _) => '>',
            ("quot", _) => '"',
            ("apos", _) => '\'',
            (_, Some(number)) => {
                let hex = number.strip_prefix(['x', 'X']);
                let code = match hex {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
            _ => return None,
        };
        (end == b';').then_some((Escaped::char(c), name.len() + 2))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Masks;

    const SECRET: &str = "Tq7+x/9 k'z&Ü1";

    /// Compares a text with what remains of it, each letter of `***` for a secret.
    #[track_caller]
    fn check(text: impl AsRef<[u8]>, expected: impl AsRef<[u8]>) {
        let masks = Masks::new([SECRET, "%41plain"].into_iter());
        let found = masks.masked(text.as_ref());
        assert_eq!(
            String::from_utf8_lossy(&found),
            String::from_utf8_lossy(expected.as_ref()),
            "{}",
            String::from_utf8_lossy(text.as_ref())
        );
    }

    fn each(write: impl Fn(u8) -> String) -> String {
        SECRET.bytes().map(write).collect()
    }

    #[test]
    fn every_escape_is_read() {
        check(format!("a {SECRET}."), "a ***.");
        check(each(|byte| format!("%{byte:02X}")), "***");
        check(each(|byte| format!("%{byte:02x}")), "***");
        check(each(|byte| format!("={byte:02X}")), "***");
        check(each(|byte| format!("\\x{byte:02x}")), "***");
        check("Tq7%2Bx%2F9+k%27z%26%C3%9C1", "***");
        check("T%717%2bx/9%20k'z&%c3%9c1", "***");
        let unicode = |c: char| format!("\\u{:04x}", u32::from(c));
        check(SECRET.chars().map(unicode).collect::<String>(), "***");
        check(r#""Tq7\u002bx\/9 k\'z\u0026\u00DC1""#, r#""***""#);
        let number = |c: char| format!("&#x{:x};", u32::from(c));
        check(SECRET.chars().map(number).collect::<String>(), "***");
        check("Tq7&#43;x/9 k&apos;z&amp;&#220;1", "***");
        check("%41plain %2541plain", "*** ***");
        check("Tq7+x/9 k'z&U1", "Tq7+x/9 k'z&U1");
    }

    #[test]
    fn lines_end_inside() {
        check("Tq7+\r\n x/9\n k'z=\r\n&Ü1", "***");
        check(r"Tq7+x/9 k'\nz&Ü1", "***");
        check("Tq7+x/9 k'\n", "Tq7+x/9 k'\n");
    }

    #[test]
    fn secrets_that_look_like_the_end_of_a_line() {
        for secret in [
            "c2VjcmV0a2V5MTIzNDU=",
            "c2VjcmV0a2V5MTIzNA==",
            "pa55word!xyz\\",
            "line=\nnext=",
        ] {
            let masks = Masks::new([secret].into_iter());
            let escaped = secret.replace('\\', "\\\\").replace('\n', "\\n");
            for after in ["\n", "\r\n", "\n\n", "", " x"] {
                for form in [secret, &escaped] {
                    let found = masks.masked(format!("a {form}{after}").as_bytes());
                    let found = String::from_utf8(found).unwrap();
                    assert_eq!(found, format!("a ***{after}"), "{form:?}{after:?}");
                }
            }
        }
    }

    #[test]
    fn utf_16_is_read() {
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let wide = |text: &str| text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>();
            let expected = [b"***".to_vec(), wide(" b")].concat();
            check(wide(&format!("{SECRET} b")), expected);
        }
    }
}
