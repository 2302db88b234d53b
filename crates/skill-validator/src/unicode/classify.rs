//! Classifying runs of suspicious characters.

use super::hit::{Hit, Kind};
use super::runs::Run;
use super::scripts::{
    breaks, is_jamo, is_mongolian, is_selector, is_simple_letter, is_tag_letter, joins,
};

/// Minimum number of consecutive zero-width characters that count as data: one or two happen by
/// accident.
const MANY: usize = 3;
/// U+1F3F4, the base of flags that are written with tags.
const BLACK_FLAG: char = '\u{1F3F4}';
/// U+E007F, the end of such a flag.
const CANCEL_TAG: char = '\u{E007F}';

/// Adds the hits of a run, one for each stretch of one kind.
pub(super) fn classify(run: &Run, hits: &mut Vec<Hit>) {
    let n_unseen = run.chars.iter().filter(|(c, _)| is_zero_width(*c)).count();
    let mut last = None;
    for at in 0..run.chars.len() {
        let kind = kind_of(run, at, n_unseen);
        let (c, range) = &run.chars[at];
        if let (Some(kind), true) = (kind, kind != last) {
            hits.push(Hit {
                kind,
                range: range.clone(),
                c: *c,
            });
        }
        last = kind;
    }
}

fn kind_of(run: &Run, at: usize, n_unseen: usize) -> Option<Kind> {
    let c = run.chars[at].0;
    match u32::from(c) {
        0x00..=0x1F | 0x7F..=0x9F => Some(Kind::Control),
        0x202A..=0x202E | 0x2066..=0x2069 => Some(Kind::Bidi),
        0xE0100..=0xE01EF | 0xFE00..=0xFE0F => selector(run, at),
        0xE0000..=0xE0FFF => (!is_flag(run)).then_some(Kind::Tag),
        0x115F..=0x1160 => (!beside(run, is_jamo)).then_some(Kind::Filler),
        0x17B4..=0x17B5 | 0x206A..=0x206F | 0x3164 | 0xFFA0 | 0xFFF9..=0xFFFB => Some(Kind::Filler),
        0x180E => (!run.before.is_some_and(is_mongolian)).then_some(Kind::Filler),
        0x180B..=0x180F => (!run.before.is_some_and(is_mongolian)).then_some(Kind::Stray),
        0xFEFF if run.chars[at].1.start == 0 => None,
        _ if is_zero_width(c) => zero_width(run, c, n_unseen),
        0xAD => None,
        0xF0000.. if u32::from(c) & 0xFFFE != 0xFFFE => Some(Kind::PrivateUse),
        // One or two are icons of a font.
        0xE000..=0xF8FF => (run.chars.len() >= MANY).then_some(Kind::Stray),
        0xFDD0..=0xFDEF => Some(Kind::Noncharacter),
        code if code & 0xFFFE == 0xFFFE => Some(Kind::Noncharacter),
        0x2800 => (run.chars.len() >= MANY && !beside(run, is_braille)).then_some(Kind::Stray),
        _ => Some(Kind::Stray),
    }
}

/// Returns true for invisible characters that are harmless alone and carry data in rows.
fn is_zero_width(c: char) -> bool {
    matches!(u32::from(c), 0xAD | 0x061C | 0x200B..=0x200F | 0x2060..=0x2065 | 0xFEFF)
}

fn zero_width(run: &Run, c: char, n_unseen: usize) -> Option<Kind> {
    let between_letters =
        run.before.is_some_and(is_simple_letter) && run.after.is_some_and(is_simple_letter);
    if n_unseen >= MANY {
        return Some(Kind::ZeroWidth);
    }
    match c {
        // Soft hyphens and direction marks are normal in text.
        '\u{AD}' | '\u{61C}' | '\u{200E}' | '\u{200F}' => None,
        // Invisible operators occur between the letters of a formula.
        '\u{2061}'..='\u{2064}' => Some(Kind::Stray),
        _ if between_letters => Some(Kind::ZeroWidth),
        '\u{200C}' | '\u{200D}' if beside(run, joins) || beside_selector(run) => None,
        '\u{200B}' if beside(run, breaks) => None,
        _ => Some(Kind::Stray),
    }
}

fn beside(run: &Run, test: fn(char) -> bool) -> bool {
    run.before.is_some_and(test) || run.after.is_some_and(test)
}

/// Handles an emoji's own selector before its joiner: ❤ U+FE0F U+200D 🔥.
fn beside_selector(run: &Run) -> bool {
    run.chars.iter().any(|(c, _)| *c == '\u{FE0F}')
}

fn selector(run: &Run, at: usize) -> Option<Kind> {
    let before = match at.checked_sub(1) {
        Some(at) => Some(run.chars[at].0),
        None => run.before,
    };
    let after = run.chars.get(at + 1);
    let in_a_row = before.is_some_and(is_selector) || after.is_some_and(|(c, _)| is_selector(*c));
    // Unicode classifies U+2139 and U+24C2 as letters, but they are emoji in practice.
    let on_letter = before.is_some_and(is_simple_letter);
    match before {
        _ if in_a_row || on_letter => Some(Kind::Selector),
        None => Some(Kind::Stray),
        Some(c) if c.is_whitespace() => Some(Kind::Stray),
        _ => None,
    }
}

/// Recognizes England, Scotland, Wales: a black flag, three to six tag letters, the end.
fn is_flag(run: &Run) -> bool {
    let Some(((last, _), letters)) = run.chars.split_last() else {
        return false;
    };
    run.before == Some(BLACK_FLAG)
        && *last == CANCEL_TAG
        && (3..=6).contains(&letters.len())
        && letters.iter().all(|(c, _)| is_tag_letter(*c))
}

fn is_braille(c: char) -> bool {
    matches!(u32::from(c), 0x2801..=0x28FF)
}
