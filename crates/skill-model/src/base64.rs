//! Tolerant decoding of base64.

use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};

/// Both alphabets (RFC 4648 §4, §5), without padding; the bits of an incomplete byte are ignored.
static EITHER: LazyLock<Encoding> = LazyLock::new(|| {
    let mut res = Specification::new();
    res.symbols
        .push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    res.translate.from.push_str("-_");
    res.translate.to.push_str("+/");
    res.check_trailing_bits = false;
    res.encoding().expect("64 symbols and two translations")
});

/// Decodes base64 of either alphabet (RFC 4648 §4, §5), padded or not; an incomplete end is
/// dropped. Returns `None` if a byte is not a digit of base64.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut digits: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'=').collect();
    // One digit alone does not make a byte; with a second one it can be checked and dropped.
    let is_incomplete = digits.len() % 4 == 1;
    if is_incomplete {
        digits.push(b'A');
    }
    let mut res = EITHER.decode(&digits).ok()?;
    res.truncate(res.len() - usize::from(is_incomplete));
    Some(res)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&[u8]>) {
        assert_eq!(decode(text.as_bytes()).as_deref(), expected, "{text}");
    }

    #[test]
    fn both_alphabets_with_and_without_padding() {
        check("", Some(b""));
        check("aGk=", Some(b"hi"));
        check("aGk", Some(b"hi"));
        check("+/-_", Some(&[0xFB, 0xFF, 0xBF]));
    }

    #[test]
    fn an_incomplete_end_is_dropped() {
        check("aGlk", Some(b"hid"));
        check("aGlkZ", Some(b"hid"));
        // The last digit has bits of a byte that does not follow.
        check("aGl", Some(b"hi"));
    }

    #[test]
    fn other_bytes_are_refused() {
        check("aG k", None);
        check("aG.k", None);
        check("aGlk.", None);
    }
}
