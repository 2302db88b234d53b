//! Code point ranges used by the rules.

/// Returns whether a character needs a closer look.
pub(super) fn is_suspicious(c: char) -> bool {
    match u32::from(c) {
        0x09 | 0x0A | 0x0C | 0x0D => false,
        0x00..=0x1F
        | 0x7F..=0x9F
        | 0xAD
        | 0x034F
        | 0x061C
        | 0x115F..=0x1160
        | 0x17B4..=0x17B5
        | 0x180B..=0x180F
        | 0x200B..=0x200F
        | 0x2028..=0x202E
        | 0x2060..=0x206F
        | 0x2800
        | 0x3164
        | 0xE000..=0xF8FF
        | 0xFDD0..=0xFDEF
        | 0xFE00..=0xFE0F
        | 0xFEFF
        | 0xFFA0
        | 0xFFF9..=0xFFFB
        | 0x1BCA0..=0x1BCA3
        | 0x1D173..=0x1D17A
        | 0xE0000..=0x0010_FFFF => true,
        code => code & 0xFFFE == 0xFFFE,
    }
}

/// Letters of scripts that never need a joiner: Latin, Greek, Cyrillic, Armenian.
pub(super) fn is_simple_letter(c: char) -> bool {
    c.is_alphabetic()
        && matches!(u32::from(c), 0x41..=0x058F | 0x1C80..=0x1C8F | 0x1D00..=0x1FFF | 0x2C60..=0x2C7F | 0xA640..=0xA7FF | 0xFF21..=0xFF5A)
}

/// Characters of scripts in which joiners have a meaning, and emoji.
pub(super) fn joins(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x10FF | 0x1200..=0x1BFF | 0x1CD0..=0x1CFF | 0xA800..=0xABFF | 0x10A00..=0x11FFF)
        || is_symbol(c)
}

/// Emoji and other symbols that may be part of an emoji sequence.
fn is_symbol(c: char) -> bool {
    matches!(u32::from(c), 0x203C..=0x2049 | 0x2122 | 0x2139 | 0x2190..=0x2BFF | 0x3030 | 0x303D | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF | 0xFE0F | 0x20E3)
}

/// Scripts without spaces between words, in which U+200B marks a possible line break.
pub(super) fn breaks(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0FFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x1950..=0x19FF | 0x1A20..=0x1AAF | 0x1B00..=0x1BFF | 0xA980..=0xA9FF | 0xAA00..=0xAADF)
}

/// Hangul Jamo, which need the two choseong and jungseong fillers.
pub(super) fn is_jamo(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x11FF | 0xA960..=0xA97F | 0xD7B0..=0xD7FF)
}

/// Mongolian letters, which have variants of their own.
pub(super) fn is_mongolian(c: char) -> bool {
    matches!(u32::from(c), 0x1800..=0x18AF)
}

/// Variation selectors, except the Mongolian ones.
pub(super) fn is_selector(c: char) -> bool {
    matches!(u32::from(c), 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

/// The characters of a tag sequence before its end: digits and lower-case letters.
pub(super) fn is_tag_letter(c: char) -> bool {
    matches!(u32::from(c), 0xE0030..=0xE0039 | 0xE0061..=0xE007A)
}
