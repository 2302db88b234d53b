//! A prompt, NUL, what a user typed: no panic, and the pieces cover the prompt without gaps.

use plugin_template::{
    Dialect, Invocation, Language, Piece, ProseSettings, Template, dead_placeholders,
    input_section, read_hint, to_text, typed_line,
};

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (prompt, typed) = text.split_once('\0').unwrap_or((text, ""));
    let names: Vec<String> = read_hint(typed).into_iter().map(|it| it.name).collect();
    for dialect in Dialect::ALL {
        let template = Template::parse(prompt, dialect, &names);
        covers(template.pieces(), 0, prompt.len());
        if let Ok(sent) = template.expand(&Invocation::new("name", typed)) {
            to_text(&sent);
        }
        let arguments = template.arguments(typed);
        let values = arguments
            .iter()
            .map(|it| (it.name.clone(), typed.to_owned()));
        typed_line(&template, &arguments, &values.collect());
        let settings = ProseSettings {
            language: Language::English,
            arguments: &arguments,
            first_index: 0,
            replace: &|_| None,
        };
        template.prose(&settings);
        input_section(&template, &settings);
    }
    for dead in dead_placeholders(prompt) {
        assert!(!prompt[dead.range].is_empty());
    }
}

fn covers(pieces: &[Piece], start: usize, end: usize) {
    let mut at = start;
    for piece in pieces {
        assert_eq!(piece.range.start, at, "a gap");
        at = piece.range.end;
        if let (Some(first), Some(last)) = (piece.inner().first(), piece.inner().last()) {
            assert!(first.range.start > piece.range.start && last.range.end <= at);
            covers(piece.inner(), first.range.start, last.range.end);
        }
    }
    assert_eq!(at, end, "the end");
}
