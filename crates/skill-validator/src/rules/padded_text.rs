//! Text is pushed out of sight by many blank lines or blanks.

use skill_diagnostics::{Code, Diagnostic};
use std::ops::Range;

use crate::context::{Context, is_markdown};
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("padded-text"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text is pushed out of sight by many blank lines or blanks.",
    why: "A reviewer does not scroll that far, but the model reads it.",
    example: "2000 empty lines, then instructions",
    source: "docs/design/security.md, \"Signals\"",
    check: Check::Skill(check),
};

/// Maximum number of consecutive line ends.
const MAX_LINES: usize = 60;
/// Maximum number of consecutive blanks inside a line.
const MAX_BLANKS: usize = 160;
/// Maximum number of consecutive no-break spaces.
const MAX_NO_BREAK: usize = 12;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let texts = cx.texts().filter(|(path, _)| is_markdown(path));
    texts
        .filter_map(|(path, text)| {
            let (range, what) = find(text)?;
            Some(cx.at_file(
                RULE.code,
                (path, text),
                range,
                format!("{what} in a row hide what follows"),
            ))
        })
        .collect()
}

/// Returns the first run of blanks that is too long and precedes other text.
///
/// A run that is long enough covers a sample position, so most bytes are never examined.
fn find(text: &str) -> Option<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let run = if is_blank(*byte) {
            run_around(text, at)
        } else {
            at..at
        };
        if run.end == bytes.len() {
            // Nothing follows that could be hidden.
            return None;
        }
        if let Some(what) = text.get(run.clone()).and_then(excess) {
            return Some((run, what));
        }
        at = run.end.max(at) + MAX_NO_BREAK;
    }
    None
}

/// Returns whether a byte can be a part of a blank: ASCII blanks, and parts of U+00A0, U+2000 and
/// the like.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0x80..)
}

/// Returns the range of white space around a byte.
fn run_around(text: &str, at: usize) -> Range<usize> {
    let mut middle = at;
    while !text.is_char_boundary(middle) {
        middle -= 1;
    }
    let rest = text[middle..].trim_start();
    let end = text.len() - rest.len();
    let start = text[..end].trim_end().len();
    if end == middle { at..at } else { start..end }
}

fn excess(blanks: &str) -> Option<String> {
    if blanks.len() <= MAX_NO_BREAK {
        return None;
    }
    let n_lines = blanks.bytes().filter(|b| *b == b'\n').count();
    let n_no_break = blanks
        .chars()
        .filter(|c| *c == '\u{a0}' || matches!(c, '\u{2000}'..='\u{200a}'))
        .count();
    let n_blanks = blanks.chars().count() - n_lines;
    if n_lines > MAX_LINES {
        Some(format!("{n_lines} line ends"))
    } else if n_no_break > MAX_NO_BREAK {
        Some(format!("{n_no_break} no-break spaces"))
    } else if n_lines == 0 && n_blanks > MAX_BLANKS {
        Some(format!("{n_blanks} blanks"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn counts_blanks() {
        check_rule(&RULE, &body("a\n\n\nb   c\n"), &[]);
        check_rule(
            &RULE,
            &body(&format!("a{}b\n", "\n".repeat(100))),
            &["SKILL.md:5:2 100 line ends in a row hide what follows"],
        );
        check_rule(
            &RULE,
            &body(&format!("a{}b\n", "\u{a0} ".repeat(20))),
            &["SKILL.md:5:2 20 no-break spaces in a row hide what follows"],
        );
        check_rule(
            &RULE,
            &body(&format!("a{}b\n", " ".repeat(300))),
            &["SKILL.md:5:2 300 blanks in a row hide what follows"],
        );
    }
}
