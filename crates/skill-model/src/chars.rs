//! Invisible characters.

/// Returns whether a character is invisible or changes how its neighbors are displayed: controls,
/// line separators, format characters (bidi, zero width, tags), fillers, variation selectors,
/// private use and noncharacters. A plain space is visible.
///
/// Such characters are never written raw into YAML: U+0085 in a plain scalar became a new key under
/// three YAML libraries, and a reviewer cannot see the others.
pub fn is_inkless(c: char) -> bool {
    match u32::from(c) {
        0x00..=0x1F
        | 0x7F..=0xA0
        | 0xAD
        | 0x034F
        | 0x0600..=0x0605
        | 0x061C
        | 0x06DD
        | 0x070F
        | 0x0890..=0x0891
        | 0x08E2
        | 0x115F..=0x1160
        | 0x1680
        | 0x17B4..=0x17B5
        | 0x180B..=0x180F
        | 0x2000..=0x200F
        | 0x2028..=0x202F
        | 0x205F..=0x206F
        | 0x2800
        | 0x3164
        | 0xE000..=0xF8FF
        | 0xFDD0..=0xFDEF
        | 0xFE00..=0xFE0F
        | 0xFEFF
        | 0xFFA0
        | 0xFFF0..=0xFFFB
        | 0x110BD
        | 0x110CD
        | 0x13430..=0x1345F
        | 0x1BCA0..=0x1BCAF
        | 0x1D173..=0x1D17A
        | 0xE0000..=0x0010_FFFF => true,
        code => code & 0xFFFE == 0xFFFE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        for c in text.chars() {
            assert_eq!(is_inkless(c), expected, "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn knows_ink_from_none() {
        check("aZ9 é参数。「」🙂½", false);
        check("\u{0}\t\n\r\u{1b}\u{7f}\u{85}\u{a0}", true);
        check(
            "\u{200b}\u{200d}\u{202e}\u{2028}\u{2066}\u{feff}\u{fe0f}",
            true,
        );
        check(
            "\u{3164}\u{e0041}\u{e0100}\u{f0001}\u{fffe}\u{1ffff}\u{10ffff}",
            true,
        );
    }
}
