//! Embedding text of a plugin in Markdown, so that it stays text.
//!
//! - [`inline`] and [`cell`]: one line of a paragraph, heading, list or table.
//! - [`fenced`]: several lines, unchanged.
//! - [`Paragraphs`]: several lines as prose.
//! - [`defuse`]: applied to every text first; invisible characters become visible, and commands
//!   that an agent would run while it renders a skill are broken (`SECURITY.md`, M8 and M9).

use std::{borrow::Cow, fmt::Write as _};

use skill_diagnostics::Diagnostic;

use crate::codes::{COMMAND_TEXT, HIDDEN_CHARACTERS};

/// The changes that [`defuse`] had to make.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct DefuseReport {
    /// True if invisible characters were made visible.
    pub(crate) hidden: bool,
    /// True if ``!`command` `` was broken.
    pub(crate) command: bool,
}

impl DefuseReport {
    /// Returns the findings on what was changed in a text.
    pub(crate) fn findings(self) -> Vec<Diagnostic> {
        let mut res = Vec::new();
        if self.hidden {
            let message = "the text contains invisible characters; they are written as \\u{…}";
            res.push(Diagnostic::warning(HIDDEN_CHARACTERS, message));
        }
        if self.command {
            let message = "the text contains !`…`, which some agents run while they render a skill; a space was inserted to prevent that";
            res.push(Diagnostic::warning(COMMAND_TEXT, message));
        }
        res
    }
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

/// Formats text as inline code, also for a cell of a table.
pub(crate) fn code(text: &str) -> String {
    call(text).replace('|', "\\|")
}

/// Formats text as inline code outside of tables, in more backticks than it contains.
pub(crate) fn call(text: &str) -> String {
    let line = one_line(text);
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

/// Formats names as inline code.
pub(crate) fn codes(names: &[String]) -> String {
    let codes: Vec<String> = names.iter().map(|name| code(name)).collect();
    codes.join(", ")
}

/// Formats text as a code block, unchanged, in a fence that it cannot close.
pub(crate) fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat((longest_run(text, '`') + 1).max(3));
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Collects lines of a text as Markdown: paragraphs, lists, tables and fences stay what they are.
/// Headings become bold, so that the text stays in its section, and nothing starts HTML, an image or a
/// link.
#[derive(Default, Debug)]
pub(crate) struct Paragraphs {
    text: String,
    fence: Option<String>,
    is_in_list: bool,
}

impl Paragraphs {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) {
        let bare = line.trim();
        let n_ticks = bare.len() - bare.trim_start_matches('`').len();
        if let Some(fence) = &self.fence {
            let closes = n_ticks >= fence.len() && n_ticks == bare.len();
            self.push(line.trim_end());
            if closes {
                self.fence = None;
            }
        } else if n_ticks >= 3 && !bare[n_ticks..].contains('`') {
            self.fence = Some(bare[..n_ticks].to_owned());
            self.push(line.trim_end());
        } else if bare.is_empty() || is_rule(bare) {
            self.push("");
        } else if let Some(title) = heading(bare) {
            self.push("");
            self.push(&format!("**{}**", prose_line(title)));
            self.push("");
        } else {
            self.prose(line);
        }
    }

    fn prose(&mut self, line: &str) {
        let bare = line.trim();
        let is_item = is_item(bare);
        let is_indented = line.starts_with([' ', '\t']);
        // Without a blank line, it would go on with the last item.
        if self.is_in_list && !is_item && !is_indented && !self.text.ends_with("\n\n") {
            self.push("");
        }
        self.is_in_list = is_item || self.is_in_list && is_indented;
        // Elsewhere, an indented line would be code.
        let indent = if self.is_in_list {
            &line[..line.len() - line.trim_start().len()]
        } else {
            ""
        };
        if bare.starts_with('|') && !self.last_line().starts_with('|') {
            self.push("");
        }
        let text = prose_line(bare);
        let item = text.strip_prefix(BULLETS).or_else(|| {
            let rest = text.strip_prefix('-');
            rest.filter(|_| dash_word(bare))
        });
        self.push(&match item {
            Some(item) => format!("{indent}- {}", item.trim_start()),
            None => format!("{indent}{text}"),
        });
    }

    /// Adds Markdown to the last line.
    pub(crate) fn append(&mut self, markdown: &str) {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        self.text.push(' ');
        self.text.push_str(markdown);
        self.text.push_str("\n\n");
    }

    /// Adds a code block.
    pub(crate) fn block(&mut self, text: &str, language: &str) {
        self.push("");
        self.push(&fenced(text, language));
        self.push("");
        self.is_in_list = false;
    }

    /// Returns the text.
    pub(crate) fn finish(mut self) -> String {
        if let Some(fence) = self.fence.take() {
            self.push(&fence);
        }
        self.text.trim().to_owned()
    }

    fn last_line(&self) -> &str {
        self.text
            .trim_end_matches('\n')
            .lines()
            .next_back()
            .unwrap_or_default()
    }

    /// Adds a line; blank ones only between others.
    fn push(&mut self, line: &str) {
        let is_blank = line.is_empty();
        if !is_blank || !(self.text.is_empty() || self.text.ends_with("\n\n")) {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }
}

/// Returns true for a line that divides sections or underlines a heading.
fn is_rule(line: &str) -> bool {
    let is_row = |sign: char| line.chars().all(|c| c == sign || c == ' ');
    line.len() > 2 && ['-', '=', '*', '_'].into_iter().any(is_row)
}

/// Returns the text of a heading.
fn heading(line: &str) -> Option<&str> {
    let n_marks = line.len() - line.trim_start_matches('#').len();
    let title = line[n_marks..].strip_prefix(' ')?;
    let title = title.trim().trim_matches('*');
    ((1..=6).contains(&n_marks) && !title.is_empty()).then_some(title)
}

/// Bullets that Markdown does not have.
const BULLETS: [char; 7] = ['•', '●', '○', '▪', '◆', '■', '·'];

fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len() && rest.starts_with(['.', ')', '、']);
    let is_marked = ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
    is_numbered || is_marked || line.starts_with(BULLETS) || dash_word(line)
}

/// Returns true for `-名称`, an item without a blank.
fn dash_word(line: &str) -> bool {
    let rest = line.strip_prefix('-');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '`'))
}

/// Escapes what starts HTML, an image or a link outside of code.
fn prose_line(line: &str) -> String {
    let mut res = String::with_capacity(line.len() + 8);
    let mut is_code = false;
    for (at, c) in line.char_indices() {
        let next = &line[at + c.len_utf8()..];
        if c == '`' {
            is_code = if is_code { false } else { next.contains('`') };
        }
        let is_tag = next.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
        let is_link = c == '(' && line[..at].ends_with(']');
        let is_markup = c == '<' && is_tag || c == '!' && next.starts_with('[') || is_link;
        if is_markup && !is_code {
            res.push('\\');
        }
        res.push(c);
    }
    res
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

    #[track_caller]
    fn check_paragraphs(text: &str, expected: &str) {
        let mut res = Paragraphs::default();
        text.lines().for_each(|line| res.line(line));
        assert_eq!(res.finish(), expected);
    }

    #[test]
    fn prose_stays_in_its_section() {
        check_paragraphs("## a\nb", "**a**\n\nb");
        check_paragraphs("a\n---\n\n\nb", "a\n\nb");
        check_paragraphs("    a\n- b\n    c", "a\n- b\n    c");
        check_paragraphs("-a\n--b\n●c", "- a\n\n--b\n- c");
        check_paragraphs("a\n| b |", "a\n\n| b |");
        check_paragraphs("see <b> ![x](y) `<c>`", "see \\<b> \\![x]\\(y) `<c>`");
        check_paragraphs("```js\n# x\n<b>", "```js\n# x\n<b>\n```");
    }
}
