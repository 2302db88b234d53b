//! Evidence that a file which looks like user data is a part of the program.
//!
//! Two kinds are in doubt. A *database* is a part when the code opens it for reading, or names it
//! and writes to no database. A *picture of a screen* is a part when a document shows it. Whether
//! a file is in version control says nothing: the public collection of 89 plugins tracks the
//! administrator's code and the state of its monitors.

use skill_migrator::is_code_file;
use skill_model::private_path;

use super::collect::Collected;

/// How far around the name of a file a mode of opening is looked for, in bytes.
const NEAR: usize = 160;
/// Marks of a database that is opened for reading, in lower case.
const READ_ONLY: [&str; 7] = [
    "readonly",
    "read_only",
    "read-only",
    "mode=ro",
    "immutable=1",
    "open_readonly",
    "sqlite_open_readonly",
];
/// Words of SQL that write, in lower case.
const WRITES: [&str; 7] = [
    "insert into",
    "insert or",
    "replace into",
    "create table",
    "delete from",
    "drop table",
    "alter table",
];
const PICTURES: [&str; 5] = [".png", ".jpg", ".jpeg", ".webp", ".gif"];

/// Whether a file that was left as user data belongs to the program.
pub(super) fn is_part(path: &str, collected: &Collected) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(path);
    // What lies among state, caches or results is theirs.
    if private_path(name).is_none() || name.len() < 4 {
        return false;
    }
    let is_database = [".db", ".sqlite", ".sqlite3", ".db3", ".duckdb"];
    if is_database.iter().any(|end| lower.ends_with(end)) {
        is_only_read(name, collected)
    } else {
        PICTURES.iter().any(|end| lower.ends_with(end)) && is_shown(name, collected)
    }
}

fn is_only_read(name: &str, collected: &Collected) -> bool {
    let code = || {
        let texts = collected.texts.iter();
        texts
            .filter(|(path, _)| is_code_file(path))
            .map(|(_, text)| text.to_lowercase())
    };
    let name = name.to_lowercase();
    let mut is_named = false;
    let mut is_opened_to_read = false;
    let mut is_written = false;
    for text in code() {
        for (at, _) in text.match_indices(&name) {
            is_named = true;
            let around = around(&text, at, name.len());
            is_opened_to_read |= READ_ONLY.iter().any(|mark| around.contains(mark));
        }
        is_written |= WRITES.iter().any(|word| text.contains(word)) || updates(&text);
    }
    is_named && (is_opened_to_read || !is_written)
}

/// Whether a text holds `UPDATE … SET` within a few words.
fn updates(text: &str) -> bool {
    let mut found = text.match_indices("update ");
    found.any(|(at, word)| around(text, at + word.len(), 0).contains(" set "))
}

fn around(text: &str, at: usize, length: usize) -> &str {
    let mut start = at.saturating_sub(NEAR);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = text.len().min(at + length + NEAR);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[start..end]
}

/// Whether a document of the plugin shows a picture.
fn is_shown(name: &str, collected: &Collected) -> bool {
    let is_document = |path: &str| {
        let lower = path.to_ascii_lowercase();
        lower.ends_with(".md") || lower.ends_with(".html")
    };
    let documents = collected.bytes.iter().filter(|(path, _)| is_document(path));
    documents
        .into_iter()
        .any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(name))
}
