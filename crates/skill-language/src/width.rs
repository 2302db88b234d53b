//! The width of a text on a terminal.

/// The signs that do not begin a line.
const CLOSING: &str = "，。；：、！？）》」』”";

/// Returns the number of terminal columns of a text: wide characters take two, codes for colours
/// none.
pub fn columns(text: &str) -> usize {
    let mut res = 0;
    let mut is_code = false;
    for c in text.chars() {
        match (is_code, c) {
            (false, '\u{1b}') => is_code = true,
            (true, 'm') => is_code = false,
            (true, _) => {}
            (false, c) => res += if is_wide(c) { 2 } else { 1 },
        }
    }
    res
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// Splits a text into lines of at most `width` columns: between words, and between wide characters
/// unless the second one is punctuation that closes.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for unit in units(text) {
        let needed = columns(unit);
        if used > 0 && used + needed > width {
            if let Some(line) = lines.last_mut() {
                line.truncate(line.trim_end().len());
            }
            lines.push(String::new());
            used = 0;
            if unit == " " {
                continue;
            }
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(unit);
        }
        used += needed;
    }
    lines
}

/// Splits a text into words, blanks, and wide characters with the punctuation that closes them.
fn units(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_end = |c: char| c == ' ' || is_wide(c);
        let mut end = match first {
            c if is_end(c) => c.len_utf8(),
            _ => rest.find(is_end).unwrap_or(rest.len()),
        };
        while let Some(c) = rest[end..].chars().next().filter(|c| CLOSING.contains(*c)) {
            end += c.len_utf8();
        }
        let (unit, after) = rest.split_at(end);
        rest = after;
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_take_no_columns() {
        assert_eq!(columns("\u{1b}[1ma茶\u{1b}[0m"), 3);
    }

    #[test]
    fn lines_end_between_words_and_wide_characters() {
        for (text, width, expected) in [
            ("a bc def", 4, &["a bc", "def"][..]),
            ("此技能目前", 4, &["此技", "能目", "前"]),
            ("技能，目前", 4, &["技", "能，", "目前"]),
            ("用 --out 写入", 8, &["用 --out", "写入"]),
            ("", 4, &[""]),
        ] {
            assert_eq!(wrap(text, width), expected, "{text}");
        }
    }
}
