//! A finding as text, with the line of the source that it refers to.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use skill_diagnostics::{Diagnostic, Severity};
use skill_language::Language;

use crate::{Paint, printable, visible};

/// Formats a finding in the manner of `rustc`. `source` is the text that its span refers to; with it,
/// the line is shown.
pub fn excerpt(finding: &Diagnostic, source: Option<&str>, paint: Paint) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let (level, help_level) = match paint.language {
        Language::English => (level, Level::HELP),
        Language::Chinese => (
            level.with_name(paint.say(finding.severity.word()).into_owned()),
            Level::HELP.with_name(paint.say("help").into_owned()),
        ),
    };
    let message = printable(&paint.say(&finding.message));
    let help = finding
        .help
        .as_deref()
        .map(|help| printable(&paint.say(help)));
    let title = level.primary_title(message.as_str()).id(finding.code.0);
    let mut group = annotate_snippets::Group::with_title(title);
    let file = printable(finding.place.file.as_deref().unwrap_or_default());
    if let (Some(source), Some(span)) = (source, &finding.place.span) {
        let (text, range) = window(source, span.start, span.end);
        let snippet = Snippet::source(visible(text))
            .line_start(span.position.line as usize)
            .path(file.as_str())
            .annotation(AnnotationKind::Primary.span(range));
        group = group.element(snippet);
    }
    if let Some(help) = &help {
        group = group.element(help_level.message(help.as_str()));
    }
    let renderer = if paint.on {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = renderer.render(&[group]);
    let shows_file = source.is_some() && finding.place.span.is_some();
    if !shows_file && !file.is_empty() {
        text.push('\n');
        text = text.replacen('\n', &format!("\n --> {file}\n"), 1);
        text.truncate(text.trim_end().len());
    }
    text
}

/// The longest excerpt of a line, in bytes: manifests in one line are common.
const MAX_EXCERPT: usize = 160;

/// Returns the line of a span, cut to a window around it, and the span within. Nothing outside the
/// window is read, because a file can have as many findings as lines.
fn window(source: &str, start: usize, end: usize) -> (&str, std::ops::Range<usize>) {
    let start = floor(source, start.min(source.len()));
    let first = floor(source, start.saturating_sub(MAX_EXCERPT / 2));
    let last = floor(source, source.len().min(start + MAX_EXCERPT / 2));
    let first = source[first..start]
        .rfind('\n')
        .map_or(first, |at| first + at + 1);
    let last = source[start..last].find('\n').map_or(last, |at| start + at);
    let end = floor(source, end.clamp(start, last));
    (&source[first..last], start - first..end - first)
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill_diagnostics::{Code, LineIndex, steps};

    #[track_caller]
    fn check(source: &str, range: std::ops::Range<usize>, expected: &str) {
        let finding = Diagnostic::error(Code("x"), "wrong")
            .in_file("a.json")
            .at(LineIndex::new(source).span(range))
            .with_help("mend it");
        assert_eq!(excerpt(&finding, Some(source), Paint::NONE), expected);
    }

    #[test]
    fn names_cannot_forge_lines_or_control_the_terminal() {
        let finding = Diagnostic::error(Code("x"), "wrong \u{1B}[31m")
            .in_file("p/\u{1B}]0;x\u{7}\nINFO fake/a.json")
            .at(LineIndex::new("{\u{202E}}").span(0..1));
        for source in [None, Some("{\u{202E}}")] {
            let text = excerpt(&finding, source, Paint::NONE);
            let is_raw = |c| matches!(c, '\u{1B}' | '\u{7}' | '\u{202E}');
            assert!(!text.contains(is_raw) && !text.contains("\nINFO"), "{text}");
        }
    }

    #[test]
    fn shows_the_line() {
        check(
            "{\n  \"a\": 1,\n}",
            12..13,
            "error[x]: wrong\n --> a.json:3:1\n  |\n3 | }\n  | ^\n  |\n  = help: mend it",
        );
        check(
            "",
            0..0,
            "error[x]: wrong\n --> a.json:1:1\n  |\n1 |\n  | ^\n  |\n  = help: mend it",
        );
    }

    /// A file can have as many findings as lines, so the cost of one must not grow with the file.
    #[test]
    fn a_finding_costs_the_same_in_a_longer_file() {
        let steps = [100, 10_000].map(|n| {
            let source = "参数 a\n".repeat(n);
            let start = source.len() / 2;
            let finding = Diagnostic::error(Code("x"), "wrong")
                .at(LineIndex::new(&source).span(start..start + 3));
            steps::of(|| drop(excerpt(&finding, Some(&source), Paint::NONE)))
        });
        assert_eq!(steps[0], steps[1]);
        assert!(steps[0] > 0, "nothing was counted");
    }
}
