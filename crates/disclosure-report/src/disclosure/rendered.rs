//! A prompt whose placeholders were resolved.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};
use skill_disclosure::placeholders::RenderedText;
use skill_language::{Language, say};

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// Writes one line for each placeholder of the file at `path` that was not resolved.
pub fn unknown(
    rendered: &RenderedText,
    path: &Path,
    language: Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    let path = path.display();
    for unknown in &rendered.unknown {
        let (key, line, column) = (&unknown.key, unknown.line, unknown.column);
        let reason = match &unknown.provider {
            Some(skill) => format!("its value comes from a run of `{skill}`"),
            None => "no skill has this name".to_owned(),
        };
        let text = say!(language, "{{{{{key}}}}} is not replaced: {reason}");
        writeln!(out, "{path}:{line}:{column}: {text}")?;
    }
    Ok(())
}

/// Returns the text and what was resolved, for programs.
pub fn json(rendered: &RenderedText) -> Value {
    let unknown = rendered.unknown.iter().map(
        |it| json!({"key": it.key, "line": it.line, "column": it.column, "provider": it.provider}),
    );
    json!({
        "schema": SCHEMA,
        "text": rendered.text,
        "resolved": rendered.resolved,
        "unknown": unknown.collect::<Vec<_>>(),
    })
}
