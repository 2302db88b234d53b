//! Text as JavaScript sees it.

/// Returns true for white space of JavaScript, which has its own list, neither Unicode's nor
/// ASCII's. U+0085 and the zero-width space are not in it, the byte order mark is.
pub fn is_js_space(char: char) -> bool {
    matches!(
        char,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{feff}'
    )
}

/// `String.prototype.trim`.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// The first `units` UTF-16 units; a pair that would be cut in two is left out.
pub fn utf16_prefix(text: &str, units: usize) -> &str {
    let mut seen = 0;
    for (at, char) in text.char_indices() {
        seen += char.len_utf16();
        if seen > units {
            return &text[..at];
        }
    }
    text
}
