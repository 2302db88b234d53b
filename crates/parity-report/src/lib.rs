//! The result of a comparison with the plugins, and the stage of each plugin.

mod status;
mod verify;

use skill_language::{Language, columns, say};
use skill_report::printable;

pub use status::{json as status_json, text as status_text};
pub use verify::{json, short_line, text};

/// Returns a text that is filled with blanks to `width` columns.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns a line with the files of which both sides had the skill's version, because the migration took
/// secrets out of them.
fn without_secrets(files: &[String], language: Language) -> String {
    if files.is_empty() {
        return String::new();
    }
    let files = printable(&files.join(&language.say(", ")));
    let line = say!(
        language,
        "both had these files without their secrets, as the skill has them: {files}"
    );
    format!("    {line}\n")
}

/// Returns the last line: the number of plugins, and how many of them are of each kind.
fn totals(n_plugins: usize, counts: &[String], language: Language) -> String {
    let plugins = if n_plugins == 1 { "plugin" } else { "plugins" };
    let plugins = language.say(&format!("{n_plugins} {plugins}")).into_owned();
    let (colon, comma) = (language.say(": "), language.say(", "));
    format!("{plugins}{colon}{}\n", counts.join(&comma))
}
