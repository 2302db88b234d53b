//! The form of a slot: one short line of plain text. Sentences by hand have to pass this gate too.

use crate::slots::SlotKind;

/// Checks the form of a text.
pub(crate) fn check(kind: SlotKind, text: &str) -> Result<(), String> {
    let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    if text.trim().is_empty() {
        return Err("is empty".to_owned());
    }
    if text.chars().any(char::is_control) {
        return Err("has a line break or a control character, expected one line".to_owned());
    }
    if text.chars().any(is_hidden) {
        return Err("has an invisible character".to_owned());
    }
    if width > kind.max_width() {
        let max = kind.max_width();
        return Err(format!("has a length of {width}, expected at most {max}"));
    }
    if let Some(mark) = markup(text) {
        return Err(format!(
            "has `{mark}`, expected plain text without Markdown"
        ));
    }
    phrase(kind, text)
}

fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}' | '\u{FE00}'..='\u{FE0F}')
}

/// Returns the first mark that Markdown, HTML or a template would read.
fn markup(text: &str) -> Option<&'static str> {
    const ANYWHERE: [&str; 9] = ["<", ">", "`", "{", "}", "](", "**", "__", "|"];
    const FIRST: [&str; 5] = ["#", "- ", "* ", "+ ", "!"];
    let anywhere = ANYWHERE.into_iter().find(|mark| text.contains(mark));
    anywhere.or_else(|| FIRST.into_iter().find(|mark| text.starts_with(mark)))
}

/// Checks that a need or a title is a phrase, because a sentence is built around it.
fn phrase(kind: SlotKind, text: &str) -> Result<(), String> {
    if !matches!(kind, SlotKind::When | SlotKind::Title) {
        return Ok(());
    }
    if text.ends_with(['。', '.', '！', '!', '；', ';', '：', ':', '，', ',']) {
        return Err("ends with a stop, expected a phrase".to_owned());
    }
    let lower = text.to_lowercase();
    let frames = [
        "当",
        "use ",
        "when ",
        "to ",
        "the user",
        "用户要",
        "如果",
        "if ",
    ];
    match frames.iter().find(|frame| lower.starts_with(*frame)) {
        Some(frame) if kind == SlotKind::When => Err(format!(
            "begins with `{}`, expected what follows \"when the user wants to\"",
            frame.trim()
        )),
        _ => Ok(()),
    }
}
