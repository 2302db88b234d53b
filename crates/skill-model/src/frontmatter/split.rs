//! Splitting a `SKILL.md` into frontmatter and body.

use std::ops::Range;

/// The parts of a file, as byte ranges of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// True if the file starts with U+FEFF.
    pub has_bom: bool,
    /// The YAML between the delimiter lines.
    pub frontmatter: Range<usize>,
    /// The Markdown after the closing delimiter line.
    pub body: Range<usize>,
    /// The first delimiter with something after its three hyphens (white space only).
    pub padded_delimiter: Option<usize>,
}

/// The reason why a file has no frontmatter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitError {
    /// The first line is not `---`.
    Missing,
    /// No later line is `---`.
    Unclosed,
}

/// Splits a file.
///
/// A delimiter is a whole line with `---` in its first column; white space after it is tolerated.
/// Hence `---` inside a value, or indented in a block scalar, is part of the value. A byte order
/// mark before the first delimiter and `\r\n` line ends are accepted; the closing delimiter may end
/// the file without a line end.
pub fn split(text: &str) -> Result<Split, SplitError> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let opening = line_at(text, start);
    if !is_delimiter(&text[opening.clone()]) {
        return Err(SplitError::Missing);
    }
    let frontmatter_start = opening.end;
    let mut at = frontmatter_start;
    while at < text.len() {
        let line = line_at(text, at);
        if is_delimiter(&text[line.clone()]) {
            let padded = [opening, line.clone()]
                .into_iter()
                .find(|line| is_padded(&text[line.clone()]));
            return Ok(Split {
                has_bom: start > 0,
                frontmatter: frontmatter_start..line.start,
                body: line.end..text.len(),
                padded_delimiter: padded.map(|line| line.start),
            });
        }
        at = line.end;
    }
    Err(SplitError::Unclosed)
}

/// Returns the line that starts at an offset, with its line end.
fn line_at(text: &str, start: usize) -> Range<usize> {
    let length = memchr::memchr(b'\n', &text.as_bytes()[start..]).map(|n| n + 1);
    start..length.map_or(text.len(), |n| start + n)
}

fn is_delimiter(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| {
        rest.bytes()
            .all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
    })
}

fn is_padded(line: &str) -> bool {
    !matches!(&line[3..], "" | "\n" | "\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, frontmatter: &str, body: &str) {
        let split = split(text).unwrap();
        assert_eq!(&text[split.frontmatter], frontmatter);
        assert_eq!(&text[split.body], body);
    }

    #[test]
    fn delimiters_are_whole_lines() {
        check("---\na: b\n---\nBody\n", "a: b\n", "Body\n");
        check(
            "---\na: x --- y\n---z: 1\n---\n",
            "a: x --- y\n---z: 1\n",
            "",
        );
        check(
            "---\na: |\n  ---\n  b\n---\nx\n---\n",
            "a: |\n  ---\n  b\n",
            "x\n---\n",
        );
        check("---\n---\n", "", "");
    }

    #[test]
    fn reads_bom_crlf_and_the_end_of_the_file() {
        check("\u{feff}---\na: b\n---\nx", "a: b\n", "x");
        check("---\r\na: b\r\n---\r\nx\r\n", "a: b\r\n", "x\r\n");
        check("---\na: b\n---", "a: b\n", "");
        check("--- \na: b\n---\t\nx", "a: b\n", "x");
    }

    #[test]
    fn notices_padding() {
        assert_eq!(split("---\na: b\n---\n").unwrap().padded_delimiter, None);
        assert_eq!(
            split("---\na: b\n---  \n").unwrap().padded_delimiter,
            Some(9)
        );
    }

    #[test]
    fn reports_what_is_missing() {
        for text in [
            "",
            "\n---\na: b\n---\n",
            " ---\n---\n",
            "----\n---\n",
            "# x\n",
            "--\n",
        ] {
            assert_eq!(split(text), Err(SplitError::Missing), "{text:?}");
        }
        for text in ["---", "---\n", "---\na: b\n ---\n", "---\na: b\n\n# x\n"] {
            assert_eq!(split(text), Err(SplitError::Unclosed), "{text:?}");
        }
    }
}
