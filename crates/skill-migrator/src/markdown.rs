//! Embedding text of a plugin in Markdown, so that it stays text.
//!
//! - [`inline`] and [`cell`]: one line of a paragraph, heading, list or table.
//! - [`fenced`]: several lines, unchanged.
//! - [`defuse`]: applied to every text first; invisible characters become visible, and commands
//!   that an agent would run while it renders a skill are broken (`SECURITY.md`, M8 and M9).

use std::{borrow::Cow, fmt::Write as _};

/// The changes that [`defuse`] had to make.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct DefuseReport {
    /// True if invisible characters were made visible.
    pub(crate) hidden: bool,
    /// True if ``!`command` `` was broken.
    pub(crate) command: bool,
}

/// Returns the text with hidden characters written as `\u{…}`, line ends as `\n`, and ``!` ``
/// broken.
pub(crate) fn defuse<'a>(text: &'a str, seen: &mut DefuseReport) -> Cow<'a, str> {
    let needs_work = |c: char| c == '\r' || may_hide(c);
    let has_command = text.contains("!`") || text.contains("`!");
    if !has_command && !text.contains(needs_work) {
        return Cow::Borrowed(text);
    }
    let mut res = String::with_capacity(text.len());
    let mut before = '\0';
    let mut sight = VisibleContext::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_seen = sight.shows(c);
        match c {
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    res.push('\n');
                }
            }
            '`' if before == '!' => {
                seen.command = true;
                res.push_str(" `");
            }
            '!' if before == '`' => {
                seen.command = true;
                res.push_str(" !");
            }
            _ if !is_seen => {
                seen.hidden = true;
                let _ = write!(res, "\\u{{{:04X}}}", u32::from(c));
            }
            _ => res.push(c),
        }
        before = c;
    }
    Cow::Owned(res)
}

/// Returns the text with hidden characters written as `\u{…}` and without other changes, for
/// finished documents, whatever the origin of their texts.
pub(crate) fn reveal(text: String, seen: &mut DefuseReport) -> String {
    if !text.contains(may_hide) {
        return text;
    }
    let mut res = String::with_capacity(text.len() + 8);
    let mut sight = VisibleContext::default();
    for c in text.chars() {
        if sight.shows(c) {
            res.push(c);
        } else {
            seen.hidden = true;
            let _ = write!(res, "\\u{{{:04X}}}", u32::from(c));
        }
    }
    res
}

/// Tracks the visible context, character by character.
#[derive(Default)]
struct VisibleContext {
    before: char,
    is_in_flag: bool,
}

impl VisibleContext {
    /// Returns whether the next character is visible, or is an ordinary part of its visible
    /// context.
    fn shows(&mut self, c: char) -> bool {
        let before = std::mem::replace(&mut self.before, c);
        self.is_in_flag = c == FLAG || self.is_in_flag && is_flag_part(c);
        if is_flag_part(c) {
            return self.is_in_flag;
        }
        // One joiner between joined letters, or after an emoji, is ordinary.
        let is_stray = is_joiner(c) && (may_hide(before) || before.is_ascii_alphanumeric());
        !is_hidden(c) && !is_stray
    }
}

fn may_hide(c: char) -> bool {
    is_hidden(c) || is_joiner(c)
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}'..='\u{200D}')
}

/// The black flag that tag characters may follow (England, Scotland, Wales).
const FLAG: char = '\u{1F3F4}';

fn is_flag_part(c: char) -> bool {
    matches!(c, '\u{E0020}'..='\u{E007F}')
}

/// Returns true for characters that are invisible or change the display of others, and that no
/// ordinary text needs. Joiners, direction marks and variation selectors are ordinary.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{B}'..='\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{AD}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{200B}'
        | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}' | '\u{E0000}'..='\u{E007F}'
    )
}

/// Escapes text as part of one line: white space becomes one blank, and nothing starts HTML, an
/// image, a heading, a list, a quotation or a fence.
pub(crate) fn inline(text: &str) -> String {
    let line = one_line(text);
    let mut res = String::with_capacity(line.len() + 8);
    for (at, c) in line.char_indices() {
        let starts_block = at == 0
            && (matches!(c, '#' | '>' | '-' | '+' | '*' | '=' | '~' | '|' | ':')
                || line.starts_with("```"));
        let starts_markup = c == '<' || c == '!' && line[at + 1..].starts_with('[');
        if starts_block || starts_markup {
            res.push('\\');
        }
        res.push(c);
    }
    escape_ordered_list(res)
}

/// Escapes `1.` at the start of a line, which would be a list.
fn escape_ordered_list(line: String) -> String {
    let n_digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_list = n_digits > 0 && line[n_digits..].starts_with(['.', ')']);
    if is_list {
        format!("{}\\{}", &line[..n_digits], &line[n_digits..])
    } else {
        line
    }
}

/// Escapes text as a table cell, where nothing can start a block.
pub(crate) fn cell(text: &str) -> String {
    let mut res = String::with_capacity(text.len() + 8);
    let line = one_line(text);
    for (at, c) in line.char_indices() {
        let starts_markup = c == '<' || c == '!' && line[at + 1..].starts_with('[');
        if starts_markup || c == '|' {
            res.push('\\');
        }
        res.push(c);
    }
    if res.is_empty() {
        "–".to_owned()
    } else {
        res
    }
}

/// Formats text as inline code, in more backticks than it contains.
pub(crate) fn code(text: &str) -> String {
    let line = one_line(text).replace('|', "\\|");
    let ticks = "`".repeat(longest_run(&line, '`') + 1);
    let pad = if line.starts_with('`') || line.ends_with('`') {
        " "
    } else {
        ""
    };
    if line.is_empty() {
        String::new()
    } else {
        format!("{ticks}{pad}{line}{pad}{ticks}")
    }
}

/// Formats text as a code block, unchanged, in a fence that it cannot close.
pub(crate) fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat((longest_run(text, '`') + 1).max(3));
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Replaces white space of any kind by single blanks.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_defuse(text: &str, expected: &str, hidden: bool, command: bool) {
        let mut seen = DefuseReport::default();
        assert_eq!(defuse(text, &mut seen), expected);
        assert_eq!(seen, DefuseReport { hidden, command });
    }

    #[test]
    fn defuses_what_is_hidden_or_run() {
        check_defuse("a\r\nb\rc", "a\nb\nc", false, false);
        check_defuse("a\u{202E}b", "a\\u{202E}b", true, false);
        check_defuse(
            "\u{1F3F4}\u{E0067}\u{E007F}",
            "\u{1F3F4}\u{E0067}\u{E007F}",
            false,
            false,
        );
        check_defuse("x\u{E0067}", "x\\u{E0067}", true, false);
        check_defuse("run !`id` now", "run ! `id` now", false, true);
        check_defuse("```!\nid\n```", "``` !\nid\n```", false, true);
        check_defuse("x\u{E0067}\u{E0068}", "x\\u{E0067}\\u{E0068}", true, false);
        check_defuse("a\u{200D}b", "a\\u{200D}b", true, false);
        check_defuse("x \u{200C}\u{200D}", "x \u{200C}\\u{200D}", true, false);
        check_defuse("می\u{200C}خواهم", "می\u{200C}خواهم", false, false);
        check_defuse("👩\u{200D}🚀 参数", "👩\u{200D}🚀 参数", false, false);
    }

    #[test]
    fn inline_text_stays_in_its_line() {
        let check = |text: &str, expected: &str| assert_eq!(inline(text), expected);
        check("a\nb\t c", "a b c");
        check("# x", "\\# x");
        check("1. x", "1\\. x");
        check("<!-- x", "\\<!-- x");
        check("see ![x](y)", "see \\![x](y)");
        check("``` x", "\\``` x");
        assert_eq!(cell("a|b"), "a\\|b");
        assert_eq!(cell("0.5"), "0.5");
        assert_eq!(cell(" "), "–");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn fences_cannot_be_closed_from_within() {
        assert_eq!(fenced("x\n```\ny\n", "text"), "````text\nx\n```\ny\n````");
        assert_eq!(fenced("x", ""), "```\nx\n```");
    }
}
