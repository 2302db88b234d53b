//! Estimating the number of tokens of a text.

/// Estimates the tokens of a text. About four ASCII characters make a token; a Chinese character
/// makes about three quarters of one (`docs/disclosure.md`, "Tokens": bytes/4 counts up to 26 % too few for Chinese).
pub(crate) fn estimate(text: &str) -> usize {
    if text.is_ascii() {
        return text.len() / 4;
    }
    let ascii = text.bytes().filter(u8::is_ascii).count();
    // Every byte except continuation bytes starts a character.
    let wide = text.bytes().filter(|byte| *byte >= 0xC0).count();
    ascii / 4 + wide * 3 / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_scripts_apart() {
        assert_eq!(estimate(&"word ".repeat(8)), 10);
        assert_eq!(estimate(&"计算".repeat(8)), 12);
    }
}
