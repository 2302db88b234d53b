//! SHA-256 by `sha256sum`, and its spellings.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::shell;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Returns the digest in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> Result<String> {
    let text = shell::filter(&mut Command::new("sha256sum"), bytes)?;
    let text = String::from_utf8(text)?;
    let digest = text.split_whitespace().next();
    Ok(digest.context("sha256sum printed nothing")?.to_owned())
}

/// Returns hexadecimal digits as base64 for addresses, without padding (RFC 4648, section 5).
pub(super) fn base64_url(hexadecimal: &str) -> String {
    let digit = |c: char| c.to_digit(16).unwrap_or_default();
    let bits: Vec<u32> = hexadecimal
        .chars()
        .flat_map(|c| (0..4).rev().map(move |bit| (digit(c) >> bit) & 1))
        .collect();
    let value = |bits: &[u32]| (0..6).fold(0, |acc, at| acc << 1 | bits.get(at).unwrap_or(&0));
    let digits = bits.chunks(6).map(|bits| DIGITS[value(bits) as usize]);
    digits.map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        // FIPS 180-2, appendix B.1; the base64 is by Python's `base64.urlsafe_b64encode`.
        let digest = sha256(b"abc").unwrap();
        assert_eq!(
            digest,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            base64_url(&digest),
            "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
        );
    }
}
