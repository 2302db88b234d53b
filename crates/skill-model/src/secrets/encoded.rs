//! Secrets in base64.

use std::ops::Range;

use super::hit::{IN_BASE64, SecretHit};
use super::placeholder::entropy;
use super::value::is_wordlike;
use crate::base64;

/// Lengths of base64 texts that are decoded, in bytes: keys are short, images long.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=4096;
/// Longest base64 text that can be a binary key, in bytes.
const MAX_KEY: usize = 256;
/// Distance around a literal in which a decoding call is searched, in bytes.
const MAX_CALL: usize = 32;

/// Bytes that look random and are decoded in place.
const KIND_OF_BYTES: &str = "a key in base 64";

/// Calls that decode a literal.
const DECODERS: [&str; 9] = [
    "atob(",
    "b64decode(",
    "b64_decode(",
    "base64_decode(",
    "base64decode(",
    "decodestring(",
    "frombase64string(",
    "base64.decode(",
    "base64::decode(",
];

/// Adds the secrets that are found by decoding base64.
pub(super) fn scan(text: &str, find: impl Fn(&str) -> bool, hits: &mut Vec<SecretHit>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(range) = run(bytes, at) {
        at = range.end + 1;
        if !LENGTHS.contains(&range.len()) {
            continue;
        }
        let Some(decoded) = base64::decode(&bytes[range.clone()]) else {
            continue;
        };
        let kind = match std::str::from_utf8(&decoded) {
            Ok(plain) => find(plain).then_some(IN_BASE64),
            Err(_) => is_decoded_key(text, &range).then_some(KIND_OF_BYTES),
        };
        if let Some(kind) = kind {
            let range = range.start..range.end + padding(&bytes[range.end..]);
            hits.push(SecretHit { kind, range });
        }
    }
}

/// Returns the next run of digits that has the least length, from a position before which there is no
/// digit. A shorter run does not reach from one position that is looked at to the next.
fn run(bytes: &[u8], mut at: usize) -> Option<Range<usize>> {
    let n_least = *LENGTHS.start();
    loop {
        let probe = at + n_least - 1;
        if !is_digit(*bytes.get(probe)?) {
            at = probe + 1;
            continue;
        }
        let before = bytes[at..probe].iter().rev();
        let start = probe - before.take_while(|byte| is_digit(**byte)).count();
        let after = bytes[probe..].iter();
        let end = probe + after.take_while(|byte| is_digit(**byte)).count();
        if end - start >= n_least {
            return Some(start..end);
        }
        at = end + 1;
    }
}

/// Returns whether a random literal is decoded in place, as is usual for keys and not for words.
fn is_decoded_key(text: &str, range: &Range<usize>) -> bool {
    const IMAGES: [&str; 6] = ["iVBOR", "/9j/", "R0lGOD", "UklGR", "AGFzbQ", "T2dn"];
    let bytes = text.as_bytes();
    let literal = &text[range.clone()];
    let before = bytes[range.start.saturating_sub(MAX_CALL)..range.start].to_ascii_lowercase();
    let before = String::from_utf8_lossy(&before);
    let before = before.trim_end_matches(['"', '\'', '`', 'b', ' ']);
    let after = &bytes[range.end..bytes.len().min(range.end + MAX_CALL)];
    let after = String::from_utf8_lossy(after).to_ascii_lowercase();
    let is_buffer = before.ends_with("from(") && after.contains("base64");
    (is_buffer || DECODERS.iter().any(|call| before.ends_with(call)))
        && literal.len() <= MAX_KEY
        && !IMAGES.iter().any(|start| literal.starts_with(start))
        && entropy(literal.as_bytes()) >= 3.5
        && !is_wordlike(literal)
}

fn padding(rest: &[u8]) -> usize {
    rest.iter()
        .take(2)
        .take_while(|byte| **byte == b'=')
        .count()
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the lengths of the runs that are found in runs of these lengths with blanks between them.
    #[track_caller]
    fn check(lengths: &[usize], expected: &[usize]) {
        let runs: Vec<String> = lengths.iter().map(|n| "a".repeat(*n)).collect();
        let text = runs.join(" ");
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(range) = run(text.as_bytes(), at) {
            at = range.end + 1;
            found.push(range.len());
        }
        assert_eq!(found, expected, "{lengths:?}");
    }

    #[test]
    fn long_runs_are_found_wherever_they_begin() {
        check(&[], &[]);
        check(&[23], &[]);
        check(&[24], &[24]);
        check(&[23, 24, 23], &[24]);
        check(&[100, 5, 25, 30], &[100, 25, 30]);
        for n_before in 0..60 {
            check(&[n_before.min(23), 3, 24, n_before.min(23), 40], &[24, 40]);
            check(&[1, n_before + 24, 1], &[n_before + 24]);
        }
    }
}
