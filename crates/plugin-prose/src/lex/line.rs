//! A line, split into indentation, bullet and text.

/// One line of prose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line<'a> {
    /// The width of the leading blanks; a tab counts as four.
    pub(crate) indent: usize,
    /// True if the line starts with a bullet or a number.
    pub(crate) bullet: bool,
    /// The text after indentation and bullet, trimmed.
    pub(crate) text: &'a str,
    /// The whole line.
    pub(crate) whole: &'a str,
}

impl<'a> Line<'a> {
    /// Splits one line.
    pub(crate) fn new(line: &'a str) -> Self {
        let body = line.trim_start();
        let indent = line[..line.len() - body.len()]
            .chars()
            .map(|c| if c == '\t' { 4 } else { 1 })
            .sum();
        match strip_bullet(body) {
            Some(text) => Self {
                indent,
                bullet: true,
                text: text.trim(),
                whole: line,
            },
            None => Self {
                indent,
                bullet: false,
                text: body.trim_end(),
                whole: line,
            },
        }
    }

    /// Returns true if the line is a row of dashes or equals signs.
    pub(crate) fn is_underline(&self) -> bool {
        let row = |sign: u8| self.text.bytes().all(|b| b == sign);
        self.text.len() > 2 && (row(b'-') || row(b'='))
    }

    /// Returns true if the line is blank.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// Returns the text after a bullet (`-`, `*`, `•`, `1.`, `2)`, `①`), if there is one.
pub(crate) fn strip_bullet(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    match first {
        '•' | '·' | '●' | '○' | '▪' | '◦' | '‣' | '・' | '◆' | '■' | '▶' | '①'..='⑳' => {
            Some(rest)
        }
        '(' | '（' => strip_enclosed(rest),
        '-' | '*' | '+' | '–' => {
            (rest.is_empty() || rest.starts_with([' ', '\t', '`']) || dash_word(first, rest))
                .then_some(rest)
        }
        '0'..='9' => strip_number(text),
        _ => None,
    }
}

/// Returns true for `-name` without a blank, which is a bullet as well; `--flag` and `-1` are not.
fn dash_word(bullet: char, rest: &str) -> bool {
    bullet == '-' && rest.starts_with(|c: char| c.is_ascii_alphabetic() || !c.is_ascii())
}

/// Returns the text after `1)` of `(1)`.
fn strip_enclosed(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text[digits..].strip_prefix([')', '）'])?;
    (digits > 0 && digits < 3).then_some(after)
}

/// Returns the text after `12.`, `3、` or `4)`; a decimal such as `1.5` is not the number of a list
/// item.
fn strip_number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 3 {
        return None;
    }
    let rest = &text[digits..];
    let mark = rest.chars().next()?;
    let after = &rest[mark.len_utf8()..];
    match mark {
        '、' | '）' | ')' => Some(after),
        '.' | '．' => (!after.starts_with(|c: char| c.is_ascii_digit())).then_some(after),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, indent: usize, bullet: bool, text: &str) {
        assert_eq!(
            Line::new(line),
            Line {
                indent,
                bullet,
                text,
                whole: line,
            }
        );
    }

    #[test]
    fn bullets_and_numbers_are_stripped() {
        check("  - a: 甲 ", 2, true, "a: 甲");
        check("*   **名**", 0, true, "**名**");
        check("\t3. x", 4, true, "x");
        check("2） y", 0, true, "y");
        check("-name: x", 0, true, "name: x");
        check("(1) z", 0, true, "z");
        check("（12）z", 0, true, "z");
        check("・茶葉", 0, true, "茶葉");
    }

    #[test]
    fn emphasis_and_figures_are_not_bullets() {
        check("**参数:**", 0, false, "**参数:**");
        check("1.5 倍", 0, false, "1.5 倍");
        check("--flag", 0, false, "--flag");
        check("2024 年", 0, false, "2024 年");
        check("(2024) 年", 0, false, "(2024) 年");
    }
}
