//! Classes of characters that every production shares.

/// Returns true if a character may start the name of an argument.
pub(crate) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Returns true if a character may occur inside the name of an argument.
pub(crate) fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns true if a character belongs to the Chinese, Japanese or Korean scripts (no punctuation).
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}')
}

/// Returns true if a character ends a clause.
pub(crate) fn ends_clause(c: char) -> bool {
    matches!(
        c,
        ',' | '，' | ';' | '；' | '。' | '、' | '\n' | '!' | '！' | '?' | '？'
    )
}

/// Returns true if a character ends a sentence in any position (`.` does so only before a blank).
pub(crate) fn ends_sentence(c: char) -> bool {
    matches!(c, '。' | '；' | ';' | '\n' | '!' | '！' | '?' | '？')
}

/// Returns the closing partner of an opening bracket.
pub(crate) fn closer(c: char) -> Option<char> {
    Some(match c {
        '(' => ')',
        '（' => '）',
        '[' => ']',
        '【' => '】',
        '{' => '}',
        _ => return None,
    })
}

/// Returns true if a character closes a bracket.
pub(crate) fn closes(c: char) -> bool {
    matches!(c, ')' | '）' | ']' | '】' | '}')
}

/// Returns the closing partner of an opening quote.
pub(crate) fn quote_end(c: char) -> Option<char> {
    Some(match c {
        '\'' => '\'',
        '"' => '"',
        '`' => '`',
        '「' => '」',
        '『' => '』',
        '“' => '”',
        '‘' => '’',
        _ => return None,
    })
}

/// Returns the last byte position not after `at` that is a character boundary.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the first `limit` bytes of a text, cut between characters.
pub(crate) fn head(text: &str, limit: usize) -> &str {
    &text[..floor(text, limit)]
}

/// Strips a prefix without regard to ASCII case.
pub(crate) fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// Returns the position of `needle` (lower case) in `text`, without regard to ASCII case.
pub(crate) fn find_word(text: &str, needle: &str, from: usize) -> Option<usize> {
    let hay = text.as_bytes();
    let needle = needle.as_bytes();
    let last = hay.len().checked_sub(needle.len())?;
    let first = needle.first()?;
    (from..=last).find(|&at| {
        hay[at].eq_ignore_ascii_case(first)
            && hay[at..at + needle.len()].eq_ignore_ascii_case(needle)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters() {
        assert_eq!(head("参数abc", 4), "参");
        assert_eq!(head("ab", 40), "ab");
    }

    #[test]
    fn finds_without_case() {
        assert_eq!(find_word("参 Default 1", "default", 0), Some(4));
        assert_eq!(find_word("x", "default", 0), None);
        assert_eq!(strip_word("Required: a", "required"), Some(": a"));
        assert_eq!(strip_word("参", "re"), None);
    }
}
