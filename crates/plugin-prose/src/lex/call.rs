//! Fields of call blocks: `key:「始」value「末」`.
//!
//! The host ends a value at the first end mark. A value without an end mark ends at the next field
//! or at the end of the block, so that one slip does not swallow the rest.

use crate::lex::chars::{in_name, starts_name};

/// Start of a call block.
pub(crate) const BLOCK_START: &str = "<<<[TOOL_REQUEST]>>>";
/// End of a call block.
pub(crate) const BLOCK_END: &str = "<<<[END_TOOL_REQUEST]>>>";
const VALUE_START: &str = "「始";
const VALUE_END: &str = "「末」";
const ESCAPED_END: &str = "「末ESCAPE」";

/// One field of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field<'a> {
    /// The name of the argument.
    pub(crate) key: &'a str,
    /// The text between the marks, untrimmed.
    pub(crate) value: &'a str,
    /// The text before the key on its line.
    pub(crate) before: &'a str,
    /// The text after the end mark on its line.
    pub(crate) after: &'a str,
    /// True if the end mark is in its place.
    pub(crate) closed: bool,
}

/// Finds repeated occurrences of one needle, reading each byte once.
#[derive(Clone, Debug)]
pub(crate) struct Finder {
    needle: &'static str,
    cached: usize,
}

impl Finder {
    /// Creates a finder at the beginning of `text`.
    pub(crate) fn new(text: &str, needle: &'static str) -> Self {
        let cached = text.find(needle).unwrap_or(usize::MAX);
        Self { needle, cached }
    }

    /// Returns the first position of the needle at or after `from`.
    pub(crate) fn next(&mut self, text: &str, from: usize) -> Option<usize> {
        if self.cached < from {
            self.cached = text[from..]
                .find(self.needle)
                .map_or(usize::MAX, |at| from + at);
        }
        (self.cached != usize::MAX).then_some(self.cached)
    }
}

/// Reads fields out of a text from left to right.
#[derive(Clone, Debug)]
pub(crate) struct FieldReader<'a> {
    text: &'a str,
    starts: Finder,
    ends: Finder,
    escaped: Finder,
    blocks: Finder,
    lines: Finder,
}

impl<'a> FieldReader<'a> {
    /// Creates a reader at the beginning of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            starts: Finder::new(text, VALUE_START),
            ends: Finder::new(text, VALUE_END),
            escaped: Finder::new(text, ESCAPED_END),
            blocks: Finder::new(text, BLOCK_END),
            lines: Finder::new(text, "\n"),
        }
    }

    /// Reads the first field whose key is between `from` and `line_end`, if `accepts` returns true
    /// for the text before the key. Returns the field and the end of its value.
    pub(crate) fn read(
        &mut self,
        from: usize,
        line_end: usize,
        accepts: impl Fn(&str) -> bool,
    ) -> Option<(Field<'a>, usize)> {
        let mut at = from;
        loop {
            let mark = self
                .starts
                .next(self.text, at)
                .filter(|&at| at < line_end)?;
            if let Some((key_at, key)) = key_before(self.text, from, mark) {
                if !accepts(&self.text[from..key_at]) {
                    return None;
                }
                return self.value(from, key_at, key, mark);
            }
            at = mark + VALUE_START.len();
        }
    }

    fn value(
        &mut self,
        from: usize,
        key_at: usize,
        key: &'a str,
        mark: usize,
    ) -> Option<(Field<'a>, usize)> {
        let after_mark = mark + VALUE_START.len();
        let (start, escaped) = if let Some(rest) = self.text[after_mark..].strip_prefix("ESCAPE」")
        {
            (self.text.len() - rest.len(), true)
        } else {
            let rest = self.text[after_mark..].strip_prefix('」')?;
            (self.text.len() - rest.len(), false)
        };
        let (end, next, closed) = self.end_of(start, escaped);
        let line_end = self.line_end(next);
        let mut stop = self
            .starts
            .next(self.text, next)
            .map_or(line_end, |at| at.min(line_end));
        let mut rest = next;
        // Other values of the same field: `「始」true「末」 或 「始」false「末」`.
        while stop < line_end
            && matches!(
                self.text[rest..stop].trim(),
                "或" | "或者" | "or" | "/" | "、"
            )
        {
            let end = self.text[stop..line_end].find(VALUE_END);
            let Some(end) = end else { break };
            rest = stop + end + VALUE_END.len();
            let after = self.text[rest..line_end].find(VALUE_START);
            stop = after.map_or(line_end, |at| rest + at);
        }
        let field = Field {
            key,
            value: &self.text[start..end],
            before: &self.text[from..key_at],
            after: trim_after(&self.text[next..stop], stop < line_end),
            closed,
        };
        Some((field, next))
    }

    fn line_end(&mut self, from: usize) -> usize {
        self.lines.next(self.text, from).unwrap_or(self.text.len())
    }

    /// Returns the end of the value, the position to continue from, and true if there was an end
    /// mark.
    fn end_of(&mut self, start: usize, escaped: bool) -> (usize, usize, bool) {
        let mark = if escaped { ESCAPED_END } else { VALUE_END };
        let ends = if escaped {
            &mut self.escaped
        } else {
            &mut self.ends
        };
        let end = ends.next(self.text, start);
        let block = self
            .blocks
            .next(self.text, start)
            .unwrap_or(self.text.len());
        let Some(end) = end.filter(|&end| end < block) else {
            let cut = self.line_end(start).min(block);
            return (cut, cut, false);
        };
        match next_field(&self.text[start..end]) {
            Some(cut) => (start + cut, start + cut, false),
            None => (end, end + mark.len(), true),
        }
    }
}

/// Returns the key that ends right before a value's start mark.
fn key_before(text: &str, from: usize, mark: usize) -> Option<(usize, &str)> {
    let head = text[from..mark].trim_end();
    let head = head.strip_suffix([':', '：', '='])?.trim_end();
    let head = head.trim_end_matches(['`', '"', '*']);
    let length = head
        .bytes()
        .rev()
        .take_while(|&b| in_name(char::from(b)))
        .count();
    let key = &head[head.len() - length..];
    let key = key.trim_start_matches(|c: char| c.is_ascii_digit());
    (key.starts_with(starts_name) && key.len() <= 64).then(|| (from + head.len() - key.len(), key))
}

/// Returns the position inside a value where another field starts on its own line.
fn next_field(value: &str) -> Option<usize> {
    let breaks = value.match_indices('\n').map(|(at, _)| at);
    breaks.into_iter().find(|&at| {
        let line = value[at + 1..].trim_start_matches([' ', '\t']);
        let name = line.trim_start_matches(|c: char| in_name(c));
        let mark = name.trim_start_matches([' ', '\t', ':', '：', '=']);
        line.starts_with(starts_name)
            && name.len() < line.len()
            && mark.len() < name.len()
            && mark.starts_with("「始」")
    })
}

/// Returns the text after a value, without the comma and without the key of a following field.
fn trim_after(text: &str, field_follows: bool) -> &str {
    let text = text.trim().trim_start_matches([',', '，']).trim();
    if !field_follows {
        return text;
    }
    let body = text
        .trim_end()
        .trim_end_matches([':', '：', '='])
        .trim_end();
    let length = body
        .bytes()
        .rev()
        .take_while(|&b| in_name(char::from(b)))
        .count();
    body[..body.len() - length].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, bool)]) {
        let mut reader = FieldReader::new(text);
        let (mut at, mut found) = (0, Vec::new());
        while let Some((field, next)) = reader.read(at, text.len(), |_| true) {
            found.push((field.key, field.value, field.closed));
            at = next;
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn fields_of_one_and_of_many_lines() {
        check(
            "a:「始」1「末」,\nb: 「始」x\ny「末」",
            &[("a", "1", true), ("b", "x\ny", true)],
        );
        check(
            "a:「始」1「末」,\tb:「始」2「末」",
            &[("a", "1", true), ("b", "2", true)],
        );
    }

    #[test]
    fn escaped_marks_belong_together() {
        check(
            "a:「始ESCAPE」x「末」y「末ESCAPE」",
            &[("a", "x「末」y", true)],
        );
    }

    #[test]
    fn a_missing_end_does_not_swallow_the_next_field() {
        check(
            "a:「始」1\nb:「始」2「末」",
            &[("a", "1", false), ("b", "2", true)],
        );
        check("a:「始」1", &[("a", "1", false)]);
    }

    #[test]
    fn marks_without_a_key_are_prose() {
        check("用「始」和「末」包裹", &[]);
    }

    #[test]
    fn text_after_a_value_is_kept() {
        let text = "a:「始」1「末」 (必需), b:「始」2「末」 // 备注";
        let mut reader = FieldReader::new(text);
        let (first, at) = reader.read(0, text.len(), |_| true).unwrap();
        let (second, _) = reader.read(at, text.len(), |_| true).unwrap();
        assert_eq!((first.after, second.after), ("(必需),", "// 备注"));
    }
}
