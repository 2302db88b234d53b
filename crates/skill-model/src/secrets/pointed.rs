//! Tokens of several parts separated by dots, without a prefix of their own.

use std::ops::Range;

use super::hit::SecretHit;
use super::placeholder::is_placeholder;

/// Parts of a Zhipu (`BigModel`) key, in characters: hexadecimal digits, then letters and digits.
const ZHIPU: (usize, usize) = (32, 16);
/// Parts of a Discord bot token, in characters: the id of the bot in base64, a time, a MAC.
const DISCORD: [std::ops::RangeInclusive<usize>; 3] = [23..=28, 6..=7, 27..=40];
/// Longest first part, in bytes.
const MAX_FIRST: usize = 33;

/// Adds keys of Zhipu and tokens of Discord bots.
pub(super) fn scan(text: &str, hits: &mut Vec<SecretHit>) {
    for (at, _) in text.match_indices('.') {
        let found = zhipu(text, at)
            .map(|range| ("a Zhipu key", range))
            .or_else(|| discord(text, at).map(|range| ("a Discord bot token", range)));
        if let Some((kind, range)) = found
            && !is_placeholder(&text[range.clone()])
        {
            hits.push(SecretHit { kind, range });
        }
    }
}

fn zhipu(text: &str, point: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let first = part_before(bytes, point);
    let second = part_after(bytes, point + 1, ZHIPU.1);
    let is_plain = |part: &Range<usize>| bytes[part.clone()].iter().all(u8::is_ascii_alphanumeric);
    let is_hex = bytes[first.clone()]
        .iter()
        .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte));
    let fits = (first.len(), second.len()) == ZHIPU && is_hex && is_plain(&second);
    (fits && is_mixed(&bytes[second.clone()])).then_some(first.start..second.end)
}

fn discord(text: &str, point: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let first = part_before(bytes, point);
    // Base64 of a number begins with one of these.
    let is_number = matches!(bytes.get(first.start), Some(b'M' | b'N' | b'O'));
    let time = part_after(bytes, point + 1, *DISCORD[1].end());
    if !is_number || bytes.get(time.end) != Some(&b'.') {
        return None;
    }
    let code = part_after(bytes, time.end + 1, *DISCORD[2].end());
    let fits = [&first, &time, &code]
        .iter()
        .zip(&DISCORD)
        .all(|(part, lengths)| lengths.contains(&part.len()));
    let whole = first.start..code.end;
    (fits && is_mixed(&bytes[first]) && is_mixed(&bytes[code])).then_some(whole)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_mixed(bytes: &[u8]) -> bool {
    bytes.iter().any(u8::is_ascii_digit) && bytes.iter().any(u8::is_ascii_alphabetic)
        || bytes.iter().any(u8::is_ascii_lowercase) && bytes.iter().any(u8::is_ascii_uppercase)
}

fn part_before(bytes: &[u8], end: usize) -> Range<usize> {
    let before = bytes[..end].iter().rev().take(MAX_FIRST);
    end - before.take_while(|byte| is_part(**byte)).count()..end
}

/// Returns the part that starts here; one byte more than `longest` if it is longer.
fn part_after(bytes: &[u8], start: usize, longest: usize) -> Range<usize> {
    let after = bytes[start..].iter().take(longest + 1);
    start..start + after.take_while(|byte| is_part(**byte)).count()
}
