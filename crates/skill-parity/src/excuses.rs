//! Texts that the code of a program has for failures: those in its `catch` blocks and `except` suites.

use crate::sources::{Language, Source};

/// The shortest text that is recognised, in characters.
const MIN_TEXT: usize = 6;

/// Returns the texts that the code of a plugin has for failures and for nothing else.
pub(crate) fn texts(sources: &[Source]) -> Vec<String> {
    let mut all: Vec<(String, bool)> = Vec::new();
    for source in sources {
        all.extend(literals(source.language, &source.text));
    }
    let is_elsewhere = |text: &String| {
        let mut others = all.iter();
        others.any(|(other, is_excuse)| !is_excuse && other.contains(text.as_str()))
    };
    let excuses = all
        .iter()
        .filter(|(text, is_excuse)| *is_excuse && !is_elsewhere(text));
    excuses.map(|(text, _)| text.clone()).collect()
}

/// Returns the texts of a source, each with true if it is in a block for failures. Slots of a text divide
/// it.
fn literals(language: Language, source: &str) -> Vec<(String, bool)> {
    let mut res = Vec::new();
    // The blocks that are open, with true for those for failures.
    let mut braces: Vec<bool> = Vec::new();
    let mut excused_indent: Option<usize> = None;
    for line in source.lines() {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim_start();
        if language == Language::Indents && !text.is_empty() {
            if excused_indent.is_some_and(|outer| indent <= outer) {
                excused_indent = None;
            }
            if excused_indent.is_none() && text.starts_with("except") {
                excused_indent = Some(indent);
            }
        }
        let mut rest = line;
        while let Some(at) = rest.find(['"', '\'', '`', '{', '}', '/', '#']) {
            let (before, found) = rest.split_at(at);
            let mark = found.as_bytes()[0];
            rest = &found[1..];
            match mark {
                b'{' => {
                    let head = before.trim_end();
                    let is_handler = [")", "catch", "=>"].iter().any(|end| head.ends_with(end));
                    braces.push(is_handler && line_so_far(line, rest).contains("catch"));
                }
                b'}' => drop(braces.pop()),
                b'/' if rest.starts_with('/') && language == Language::Braces => break,
                b'#' if language == Language::Indents => break,
                b'/' | b'#' => {}
                quote => {
                    let (text, end) = quoted(rest, quote);
                    let is_excuse = excused_indent.is_some() || braces.contains(&true);
                    let parts = text.split('\0').map(|part| part.trim().to_owned());
                    let parts = parts.filter(|part| part.chars().count() >= MIN_TEXT);
                    res.extend(parts.map(|part| (part, is_excuse)));
                    rest = end;
                }
            }
        }
    }
    res
}

/// Returns the beginning of a line up to `rest`.
fn line_so_far<'l>(line: &'l str, rest: &str) -> &'l str {
    &line[..line.len() - rest.len()]
}

/// Returns the text up to the closing quote on the same line, with a NUL for each slot and escape, and
/// what follows.
fn quoted(source: &str, quote: u8) -> (String, &str) {
    let mut text = String::new();
    let mut depth = 0;
    let mut chars = source.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
                text.push('\0');
            }
            '{' => {
                depth += 1;
                if text.ends_with('$') {
                    text.pop();
                }
                text.push('\0');
            }
            '}' if depth > 0 => {
                depth -= 1;
                text.push('\0');
            }
            c if c as u32 == u32::from(quote) && depth == 0 => {
                return (text, &source[at + c.len_utf8()..]);
            }
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: Language, source: &str, expected: &[&str]) {
        let all = literals(language, source);
        let excuses: Vec<&str> = all
            .iter()
            .filter(|(_, is_excuse)| *is_excuse)
            .map(|(text, _)| text.as_str())
            .collect();
        assert_eq!(excuses, expected, "{source}");
    }

    #[test]
    fn texts_in_blocks_for_failures_are_found() {
        let source = "try {\n  show('sunny today');\n} catch (error) {\n  if (x) { show(`weather of ${city} later on`); }\n}\nshow('the end of it');\n";
        check(Language::Braces, source, &["weather of", "later on"]);
        let source = "load().catch(e => { show(\"nothing yet\"); }); show('after that');";
        check(Language::Braces, source, &["nothing yet"]);
        let source = "load().catch((e) => {\n  show(\"nothing yet\");\n});\n";
        check(Language::Braces, source, &["nothing yet"]);
        let source = "try:\n    show('sunny today')\nexcept OSError:\n    show('no data here')  # 'a comment'\nshow('the end of it')\n";
        check(Language::Indents, source, &["no data here"]);
        let source = "run(() => { // catch\n  show('sunny today')\n})";
        check(Language::Braces, source, &[]);
    }
}
