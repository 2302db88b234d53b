//! Shortening a body, for agents that must not get all of it.
//!
//! Every heading stays. Content is kept in order of importance until the limits are reached:
//! instructions first, then everything else, then one example; background and repeated examples are
//! never kept. A mark shows every cut.

use std::ops::Range;

use super::Outline;
use super::weight::{Weight, weigh};

/// A size in characters and lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Size {
    chars: usize,
    lines: usize,
}

impl Size {
    fn new(text: &str) -> Self {
        Self {
            chars: text.chars().count(),
            lines: text.lines().count(),
        }
    }

    fn fits(self, rest: Self) -> bool {
        self.chars <= rest.chars && self.lines <= rest.lines
    }

    fn less(self, other: Self) -> Self {
        Self {
            chars: self.chars.saturating_sub(other.chars),
            lines: self.lines.saturating_sub(other.lines),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            chars: self.chars + other.chars,
            lines: self.lines + other.lines,
        }
    }
}

/// A heading and the content up to the next one.
struct Part<'t> {
    heading: &'t str,
    content: &'t str,
    weight: Weight,
    /// Number of content bytes that are kept.
    given: usize,
}

/// Returns a shortened `text` of at most `max_chars` code points and `max_lines` lines.
pub fn trim(text: &str, outline: &Outline, max_chars: usize, max_lines: usize) -> String {
    let limit = Size {
        chars: max_chars,
        lines: max_lines,
    };
    let mut parts = parts(text, outline);
    let bare = parts.iter().map(Part::bare).reduce(Size::plus);
    let mut rest = limit.less(bare.unwrap_or(limit));
    for weight in [Weight::Needed, Weight::Other, Weight::Example] {
        for part in parts.iter_mut().filter(|part| part.weight == weight) {
            rest = part.give(rest);
        }
    }
    let res: String = parts.iter().map(Part::show).collect();
    if Size::new(&res).fits(limit) {
        res
    } else {
        cut_hard(&res, limit)
    }
}

fn parts<'t>(text: &'t str, outline: &Outline) -> Vec<Part<'t>> {
    let first = outline.sections.first();
    let mut res = vec![part(
        text,
        0..0,
        first.map_or(text.len(), |s| s.range.start),
        Weight::Needed,
    )];
    let mut n_examples = 0;
    // Weights of the enclosing sections, outermost first.
    let mut around: Vec<(usize, Option<Weight>)> = Vec::new();
    for (at, section) in outline.sections.iter().enumerate() {
        around.retain(|(level, _)| *level < section.level);
        let inherited = around.last().and_then(|(_, weight)| *weight);
        let weight = match inherited {
            Some(Weight::Background | Weight::Example) => inherited,
            _ => weigh(&section.title, &mut n_examples).or(inherited),
        };
        around.push((section.level, weight));
        let next = outline.sections.get(at + 1);
        let end = next.map_or(text.len(), |next| next.range.start);
        let weight = weight.unwrap_or(Weight::Other);
        res.push(part(text, section.heading.clone(), end, weight));
    }
    res
}

fn part(text: &str, heading: Range<usize>, end: usize, weight: Weight) -> Part<'_> {
    let content = &text[heading.end..end.max(heading.end)];
    Part {
        heading: &text[heading],
        content,
        weight,
        given: if content.trim().is_empty() {
            content.len()
        } else {
            0
        },
    }
}

impl Part<'_> {
    /// Returns the size with no content except the longest form of the mark.
    fn bare(&self) -> Size {
        if self.given == self.content.len() {
            return Size::new(self.heading).plus(Size::new(self.content));
        }
        Size::new(self.heading).plus(Size::new(&mark(self.content)))
    }

    /// Keeps as much content as fits into `rest`; returns the remaining size.
    fn give(&mut self, rest: Size) -> Size {
        let whole = Size::new(self.content);
        let marked = Size::new(&mark(self.content));
        if self.given == self.content.len() {
            return rest;
        }
        if whole.fits(rest.plus(marked)) {
            self.given = self.content.len();
            return rest.plus(marked).less(whole);
        }
        let size;
        (self.given, size) = whole_lines(self.content, rest);
        rest.less(size)
    }

    fn show(&self) -> String {
        let (given, cut) = self.content.split_at(self.given);
        if cut.is_empty() {
            return format!("{}{given}", self.heading);
        }
        format!("{}{given}{}", self.heading, mark(cut))
    }
}

/// Returns the mark for the omitted text `cut`.
fn mark(cut: &str) -> String {
    format!("\n[cut: {} characters]\n\n", cut.chars().count())
}

/// Returns the longest prefix of whole lines that fits and does not end inside a code block.
fn whole_lines(text: &str, limit: Size) -> (usize, Size) {
    let mut size = Size { chars: 0, lines: 0 };
    let mut best = (0, size);
    let (mut at, mut in_code) = (0, false);
    for line in text.split_inclusive('\n') {
        size = size.plus(Size::new(line));
        if !size.fits(limit) {
            break;
        }
        at += line.len();
        in_code ^= is_fence(line);
        if !in_code && line.ends_with('\n') {
            best = (at, size);
        }
    }
    best
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Cuts a text whose headings alone are too long.
fn cut_hard(text: &str, limit: Size) -> String {
    let note = mark(text);
    let (end, _) = whole_lines(text, limit.less(Size::new(&note)));
    let res = format!("{}{}", &text[..end], mark(&text[end..]));
    res.chars().take(limit.chars).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn short(text: &str, max_chars: usize, max_lines: usize) -> String {
        trim(text, &Outline::new(text), max_chars, max_lines)
    }

    fn body() -> String {
        let filler = "background filler line\n".repeat(40);
        format!(
            "Intro.\n\n## Background\n\n{filler}\n## Steps\n\n1. one\n2. two\n\n### 示例\n\nfirst\n\n## Examples\n\nsecond\n\n## Notes\n\nn\n\n## Self-check\n\n- ok\n\n## Resources\n\n- references/a.md\n"
        )
    }

    #[test]
    fn keeps_the_outline_and_what_is_worked_by() {
        let got = short(&body(), 500, 60);
        for kept in [
            "Intro.",
            "1. one",
            "first",
            "n\n",
            "- ok",
            "references/a.md",
            "## Background",
        ] {
            assert!(got.contains(kept), "{kept} in {got}");
        }
        assert!(!got.contains("filler") && !got.contains("second"), "{got}");
        assert_eq!(got.matches("[cut: ").count(), 2, "{got}");
        assert!(got.contains("[cut: 922 characters]"), "{got}");
    }

    #[test]
    fn a_code_block_is_cut_before_it_begins() {
        let text = format!(
            "## Steps\n\nrun\n\n```sh\n{}```\n\n## End\n\nx\n",
            "command\n".repeat(50)
        );
        let got = short(&text, 200, 100);
        assert!(got.contains("run") && got.contains("## End\n\nx"), "{got}");
        assert!(!got.contains("```"), "{got}");
    }

    #[test]
    fn lines_are_a_limit_too() {
        let text = format!("## Steps\n{}## End\n", "- a\n".repeat(100));
        let got = short(&text, 10_000, 20);
        assert!(got.lines().count() <= 20 && got.contains("## End"), "{got}");
    }

    proptest! {
        #[test]
        fn no_limit_is_passed(text in "((#{1,3} )?[a-z指]{0,9}\n|```\n|Example\n--\n){0,80}", chars in 60_usize..600, lines in 5_usize..60) {
            let got = short(&text, chars, lines);
            prop_assert!(got.chars().count() <= chars);
            prop_assert!(got.lines().count() <= lines);
        }
    }
}
