//! A secret that was found.

use std::ops::Range;

/// The kind of base64 that decodes to a known secret.
pub(super) const IN_BASE64: &str = "a secret in base 64";

/// A secret in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SecretHit {
    /// The kind of secret, with its article: `a GitHub token`.
    pub kind: &'static str,
    /// Byte range of the secret. Never display these bytes.
    pub range: Range<usize>,
}

impl SecretHit {
    /// Returns true for base64 that decodes to a known secret: nothing but the secret is lost where
    /// it is taken out. Random bytes, which may be any other constant, do not count.
    pub fn is_encoded(&self) -> bool {
        self.kind == IN_BASE64
    }
}
