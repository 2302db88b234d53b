//! The sources of a slot: its quote is in one of them, and so are its names and numbers.

use crate::sources::{Sources, bare};

/// The minimum length of a quote; a Chinese character counts as two.
const MIN_QUOTE: usize = 8;

/// Returns the source of a quote.
pub(super) fn quote(sources: &Sources, quote: &str) -> Result<&'static str, String> {
    let quote = bare(quote);
    let width: usize = quote
        .chars()
        .map(|c| if c.is_ascii() { 1 } else { 2 })
        .sum();
    if width < MIN_QUOTE {
        return Err(format!(
            "has a quote of length {width}, expected at least {MIN_QUOTE}"
        ));
    }
    sources
        .find(&quote)
        .ok_or_else(|| "has a quote that none of the plugin's texts has".to_owned())
}

/// Abbreviations that anybody may use.
const COMMON: [&str; 34] = [
    "ai", "api", "app", "ascii", "cpu", "csv", "css", "excel", "gif", "gpu", "html", "http",
    "https", "id", "ip", "jpeg", "jpg", "json", "markdown", "ok", "pdf", "png", "ppt", "sql",
    "svg", "txt", "url", "utf-8", "web", "word", "xml", "yaml", "zip", "chinese",
];

/// Checks that names, identifiers, numbers and addresses of a text are in a source.
pub(super) fn words(sources: &Sources, text: &str) -> Result<(), String> {
    let known: String = sources
        .texts()
        .map(|(_, text)| text)
        .collect::<Vec<_>>()
        .join("\n");
    let known = known.to_lowercase();
    let has_han = text.chars().any(|c| matches!(c, '\u{3400}'..='\u{9FFF}'));
    let mut is_first = true;
    for run in runs(text) {
        let starts_sentence = is_first;
        is_first = run.ends_with(['.', '!', '?', ':']);
        let run = run.trim_matches(['.', ',', ':', ';', '!', '?', '-', '\'', '"', '(', ')']);
        if is_path(run) {
            return Err(format!("has the path `{run}`; slots have none"));
        }
        let parts: Vec<&str> = if run.contains("://") || run.starts_with("www.") {
            vec![run]
        } else {
            run.split(['/', '(', ')', ',']).collect()
        };
        for part in parts {
            let lower = part.to_lowercase();
            let is_known = || contains_word(&known, &lower) || COMMON.contains(&lower.as_str());
            if needs_source(part, starts_sentence, has_han) && !is_known() {
                return Err(format!(
                    "has `{part}`, which none of the plugin's texts has"
                ));
            }
        }
    }
    Ok(())
}

/// Returns the parts of a text between blanks and wide characters.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || !c.is_ascii())
        .filter(|run| !run.is_empty())
}

fn is_path(run: &str) -> bool {
    let is_drive = run.len() > 2 && run.as_bytes()[1] == b':' && run.contains(['\\', '/']);
    let begins = ["/", "~/", "./", "../", "$"];
    let is_beginning = begins.iter().any(|begin| run.starts_with(begin)) && run.len() > 1;
    (is_beginning || is_drive || run.contains('\\') || run.contains("/..")) && !run.contains("://")
}

/// Returns true for a word that a model could have invented: a number, an identifier, a name. In Chinese
/// text that is every Latin word; in English, words with capitals inside a sentence.
fn needs_source(word: &str, starts_sentence: bool, in_chinese: bool) -> bool {
    let mut chars = word.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    let has_letter = word.chars().any(|c| c.is_ascii_alphabetic());
    let has_digit = word.chars().any(|c| c.is_ascii_digit());
    let is_identifier = has_digit || word.contains(['_', '@', '=', '.', ':', '#']);
    let has_inner_capital = chars.any(|c| c.is_ascii_uppercase());
    is_identifier && (has_letter || has_digit)
        || has_letter && word.len() > 1 && in_chinese
        || has_inner_capital
        || first.is_ascii_uppercase() && word.len() > 1 && !starts_sentence
}

/// Returns true if a text has a word, not as a part of a longer number or word.
fn contains_word(text: &str, word: &str) -> bool {
    let bounds = |c: Option<char>, own: Option<char>| match (c, own) {
        (Some(c), Some(own)) if own.is_ascii_digit() => !c.is_ascii_digit(),
        (Some(c), Some(own)) if own.is_ascii_alphabetic() => !c.is_ascii_alphabetic(),
        _ => true,
    };
    // An identifier such as `max_results` has its words, and `\n` before a word is an escape of JSON.
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let is_escaped = text[..at].ends_with("\\n") || text[..at].ends_with("\\t");
        (is_escaped || bounds(before, word.chars().next()))
            && bounds(after, word.chars().next_back())
    })
}
