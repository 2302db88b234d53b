//! Text is pushed out of sight by many blank lines or blanks.

use skill_diagnostics::{Code, Diagnostic};
use std::ops::Range;

use crate::context::{Context, is_markdown};
use crate::rule::{Check, Group, Levels, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: Code("padded-text"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text is pushed out of sight by many blank lines or blanks.",
    why: "A reviewer does not scroll that far; the model reads on.",
    example: "2000 empty lines, then instructions",
    source: "HT004",
    check: Check::Skill(check),
};

/// Most line ends in a row.
const MAX_LINES: usize = 60;
/// Most blanks in a row inside a line.
const MAX_BLANKS: usize = 160;
/// Most no-break spaces in a row.
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

/// The first stretch of blanks that is too long and has something after it.
fn find(text: &str) -> Option<(Range<usize>, String)> {
    let mut at = 0;
    while let Some(start) = next_blanks(text, at) {
        let run = &text[start..];
        let length = run.find(|c: char| !c.is_whitespace())?;
        if let Some(what) = excess(&run[..length]) {
            return Some((start..start + length, what));
        }
        at = start + length;
    }
    None
}

/// Where the next stretch starts that is long enough to look at. Long stretches hold two blanks
/// side by side, single ones between words are passed over quickly.
fn next_blanks(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r') || byte >= 0xC2;
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| is_blank(*byte))?;
        if text[at..].starts_with(char::is_whitespace)
            && bytes
                .get(at + 1)
                .is_some_and(|b| is_blank(*b) || *b >= 0x80)
        {
            return Some(at);
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
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
