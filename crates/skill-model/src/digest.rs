//! SHA-256 digests in the form of `skills.lock`: `sha256:` and 64 hex digits.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The prefix of the hex digits.
const PREFIX: &str = "sha256:";

/// A SHA-256 digest. Displayed as `sha256:` and 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Computes the digest of `bytes`.
    pub fn from_content(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Parses the displayed form; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix(PREFIX)?.as_bytes();
        if hex.len() != 64 {
            return None;
        }
        let mut res = [0; 32];
        for (byte, pair) in res.iter_mut().zip(hex.chunks_exact(2)) {
            *byte = (nibble(pair[0])? << 4) | nibble(pair[1])?;
        }
        Some(Self(res))
    }

    /// Returns the 64 hex digits without the prefix, as in `METADATA.yml`.
    pub fn hex(&self) -> String {
        self.to_string().split_off(PREFIX.len())
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
            pair[1] = b"0123456789abcdef"[usize::from(byte & 15)];
        }
        f.write_str(PREFIX)?;
        f.write_str(std::str::from_utf8(&text).expect("hex digits are ASCII"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An incremental digest, for content that is read in pieces.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all pieces.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hasher")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn shows_the_form_of_the_lock() {
        assert_eq!(Digest::from_content(b"").to_string(), EMPTY);
        assert_eq!(format!("sha256:{}", Digest::from_content(b"").hex()), EMPTY);
        assert_eq!(Hasher::default().finish(), Digest::from_content(b""));
    }

    #[test]
    fn parses_only_that_form() {
        assert_eq!(Digest::parse(EMPTY), Some(Digest::from_content(b"")));
        for bad in [
            "",
            "sha256:",
            &EMPTY[7..],
            &EMPTY[..70],
            &EMPTY.to_uppercase(),
        ] {
            assert_eq!(Digest::parse(bad), None, "{bad}");
        }
    }
}
