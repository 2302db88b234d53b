//! Decodes and encodes texts in the encodings that occur in plugins.

use std::borrow::Cow;

/// The encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// Any other superset of ASCII (GBK, Latin 1): each byte is read as one character.
    Bytes,
    /// Binary data.
    Binary,
}

/// The number of bytes at the beginning that decide whether a file is a text.
const HEAD: usize = 8000;

impl Encoding {
    /// Detects the encoding of a file from its first bytes.
    pub(crate) fn detect(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(HEAD)];
        match head {
            [0xFF, 0xFE, ..] => Self::Utf16Le,
            [0xFE, 0xFF, ..] => Self::Utf16Be,
            _ if has_zeros_at(head, 1) => Self::Utf16Le,
            _ if has_zeros_at(head, 0) => Self::Utf16Be,
            _ if head.contains(&0) => Self::Binary,
            _ => match std::str::from_utf8(bytes) {
                // A part of a file may end within a character.
                Err(error) if error.error_len().is_some() => Self::Bytes,
                _ => Self::Utf8,
            },
        }
    }
}

/// Returns true if nearly every second byte from `first` is zero and the others are not, as in
/// English text in UTF-16.
fn has_zeros_at(head: &[u8], first: usize) -> bool {
    let n_zeros = |first: usize| {
        head.iter()
            .skip(first)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    head.len() >= 8 && 5 * n_zeros(first) >= 2 * head.len() && n_zeros(1 - first) == 0
}

/// Decodes a file. Bytes that are not valid in its encoding become U+FFFD.
pub(crate) fn decode(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    match encoding {
        Encoding::Utf8 | Encoding::Binary => String::from_utf8_lossy(bytes),
        Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes),
        Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes),
        Encoding::Bytes => bytes.iter().copied().map(char::from).collect(),
    }
}

fn utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Cow<'static, str> {
    let pairs = bytes.chunks_exact(2);
    let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Encodes a text that [`decode`] returned.
pub(crate) fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 | Encoding::Binary => text.as_bytes().to_vec(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Encoding::Bytes => text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], encoding: Encoding, text: &str) {
        assert_eq!(Encoding::detect(bytes), encoding);
        assert_eq!(decode(bytes, encoding), text);
        assert_eq!(encode(text, encoding), bytes);
    }

    #[test]
    fn texts_come_back_as_they_were() {
        check("käse".as_bytes(), Encoding::Utf8, "käse");
        check(b"\xFF\xFEa\0b\0", Encoding::Utf16Le, "\u{FEFF}ab");
        check(b"\xFE\xFF\0a\0b", Encoding::Utf16Be, "\u{FEFF}ab");
        check(b"k\0e\0y\0=\0", Encoding::Utf16Le, "key=");
        check(b"k\xE4se", Encoding::Bytes, "k\u{E4}se");
        check(b"\x7FELF\0\0\0\0", Encoding::Binary, "\x7FELF\0\0\0\0");
    }
}
