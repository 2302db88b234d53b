//! Fenced code, inline code and lines of a Markdown text, read in one pass.

use std::ops::Range;

/// The code of a text.
#[derive(Default, Debug)]
pub(crate) struct Code {
    /// The fenced blocks, in order.
    pub(crate) fences: Vec<Fence>,
    /// The inline code with its backticks, in order.
    pub(crate) spans: Vec<Range<usize>>,
}

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Fence {
    /// From the opening fence to the end of the closing one.
    pub(crate) range: Range<usize>,
    /// The text behind the opening fence, trimmed.
    pub(crate) info: Range<usize>,
    /// The lines between the fences.
    pub(crate) content: Range<usize>,
    /// False if the text ends before the closing fence.
    pub(crate) is_closed: bool,
}

/// An opening fence.
struct Open {
    start: usize,
    mark: u8,
    n_marks: usize,
    info: Range<usize>,
    content: usize,
}

impl Code {
    pub(crate) fn read(text: &str) -> Self {
        let mut res = Self::default();
        let mut open: Option<Open> = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let Some((indent, mark, n_marks)) = fence_of(line) else {
                if open.is_none() {
                    spans(line, start, &mut res.spans);
                }
                continue;
            };
            let after = start + indent + n_marks;
            let rest = text[after..at].trim();
            match &open {
                Some(begun)
                    if rest.is_empty() && begun.mark == mark && n_marks >= begun.n_marks =>
                {
                    let begun = open.take().expect("matched above");
                    res.fences.push(begun.close(start, after, true));
                }
                Some(_) => {}
                None if mark == b'`' && rest.contains('`') => spans(line, start, &mut res.spans),
                None => {
                    let from = after + text[after..at].find(rest).unwrap_or_default();
                    let info = from..from + rest.len();
                    let (start, content) = (start + indent, at);
                    open = Some(Open {
                        start,
                        mark,
                        n_marks,
                        info,
                        content,
                    });
                }
            }
        }
        if let Some(begun) = open {
            res.fences.push(begun.close(text.len(), text.len(), false));
        }
        res
    }

    /// Returns the number of the fenced block around a position.
    pub(crate) fn fence_index_at(&self, at: usize) -> Option<usize> {
        let index = self.fences.partition_point(|fence| fence.range.end <= at);
        let fence = self.fences.get(index)?;
        fence.range.contains(&at).then_some(index)
    }

    /// Returns the fenced block around a position.
    pub(crate) fn fence_at(&self, at: usize) -> Option<&Fence> {
        self.fence_index_at(at).map(|index| &self.fences[index])
    }

    /// Returns the inline code around a position.
    pub(crate) fn span_at(&self, at: usize) -> Option<Range<usize>> {
        let index = self.spans.partition_point(|span| span.end <= at);
        let span = self.spans.get(index)?;
        span.contains(&at).then(|| span.clone())
    }

    /// Returns whether a position is in inline code.
    pub(crate) fn is_in_span(&self, at: usize) -> bool {
        self.span_at(at).is_some()
    }
}

impl Open {
    fn close(self, content_end: usize, end: usize, is_closed: bool) -> Fence {
        Fence {
            range: self.start..end,
            info: self.info,
            content: self.content.min(content_end)..content_end,
            is_closed,
        }
    }
}

/// Returns indentation, character and length of a fence at the start of a line. Fences in lists are
/// indented further than Markdown allows at the top level.
fn fence_of(line: &str) -> Option<(usize, u8, usize)> {
    let bare = line.trim_start_matches([' ', '\t']);
    let mark = bare.bytes().next().filter(|b| matches!(b, b'`' | b'~'))?;
    let n_marks = bare.bytes().take_while(|b| *b == mark).count();
    (n_marks >= 3).then_some((line.len() - bare.len(), mark, n_marks))
}

/// Adds the inline code of a line.
fn spans(line: &str, start: usize, res: &mut Vec<Range<usize>>) {
    let runs = backtick_runs(line);
    let mut missing: Vec<usize> = Vec::new();
    let mut next = 0;
    while let Some(&(from, len)) = runs.get(next) {
        next += 1;
        if missing.contains(&len) {
            continue;
        }
        match runs[next..].iter().position(|run| run.1 == len) {
            Some(offset) => {
                next += offset;
                res.push(start + from..start + runs[next].0 + len);
                next += 1;
            }
            None => missing.push(len),
        }
    }
}

/// Returns start and length of each run of backticks.
fn backtick_runs(line: &str) -> Vec<(usize, usize)> {
    let mut res = Vec::new();
    let mut at = 0;
    while let Some(found) = line[at..].find('`') {
        let start = at + found;
        let rest = line[start..].bytes();
        let len = rest.take_while(|byte| *byte == b'`').count();
        res.push((start, len));
        at = start + len;
    }
    res
}

/// Returns a text as inline code.
pub(crate) fn in_code(text: &str) -> String {
    let quotes = "`".repeat(longest_run(text) + 1);
    let has_edge = text.starts_with('`') || text.ends_with('`');
    let pad = if has_edge { " " } else { "" };
    format!("{quotes}{pad}{text}{pad}{quotes}")
}

/// Returns the length of the longest run of backticks.
pub(crate) fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// The number of bytes in which the rest of a line is looked at: the work for a placeholder must not
/// grow with the length of its line.
const WINDOW: usize = 300;

/// Returns the part of a line before a position.
pub(crate) fn line_before(text: &str, at: usize) -> &str {
    let from = text.floor_char_boundary(at.saturating_sub(WINDOW));
    let part = &text[from..at];
    &part[part.rfind('\n').map_or(0, |found| found + 1)..]
}

/// Returns the part of a line behind a position.
pub(crate) fn line_after(text: &str, at: usize) -> &str {
    let to = text.ceil_char_boundary((at + WINDOW).min(text.len()));
    let part = &text[at..to];
    &part[..part.find('\n').unwrap_or(part.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_fences_and_spans() {
        let text = "a `b` ``c`d``\n  ```sh x\n`e`\n```\n~~~\nf\n";
        let code = Code::read(text);
        let spans: Vec<&str> = code.spans.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(spans, ["`b`", "``c`d``"]);
        let found: Vec<_> = code
            .fences
            .iter()
            .map(|fence| {
                (
                    &text[fence.info.clone()],
                    &text[fence.content.clone()],
                    fence.is_closed,
                )
            })
            .collect();
        assert_eq!(found, [("sh x", "`e`\n", true), ("", "f\n", false)]);
        assert!(code.fence_at(text.find("`e`").unwrap()).is_some());
        assert!(code.is_in_span(3) && !code.is_in_span(0));
    }
}
