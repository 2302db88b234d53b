//! Evidence about files: user data by their name that is a part of the program, and ordinary files
//! that the program wrote.
//!
//! Two kinds are doubtful. A *database* is a part if the code opens it for reading, or names it and
//! writes to no database. A *picture of a screen* is a part if a document shows it. Version control
//! gives no evidence: the public collection of 89 plugins tracks the administrator's code and the
//! state of its monitors.

use skill_migrator::is_code_file;
use skill_model::private_path;

use crate::plugin_files::PluginFiles;
use crate::unit::{is_below, path_in};

/// The distance around the name of a file within which a mode of opening counts, in bytes.
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

/// The code of a plugin in lower case, by path.
pub(crate) type Code = Vec<(String, String)>;

/// Returns the code of a plugin in lower case; all questions about its files use it.
pub(crate) fn lower_code(collected: &PluginFiles) -> Code {
    let texts = collected.texts.iter();
    let code = texts.filter(|(path, _)| is_code_file(path));
    code.map(|(path, text)| (path.clone(), text.to_lowercase()))
        .collect()
}

/// Returns true if a file that was left out as user data belongs to the program. `code` is the
/// result of [`lower_code`].
pub(crate) fn is_part(path: &str, code: &Code, collected: &PluginFiles) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(path);
    // Files in directories of state, caches or results belong to these.
    if private_path(name).is_none() || name.len() < 4 {
        return false;
    }
    let is_database = [".db", ".sqlite", ".sqlite3", ".db3", ".duckdb"];
    if is_database.iter().any(|end| lower.ends_with(end)) {
        is_only_read(name, code)
    } else {
        PICTURES.iter().any(|end| lower.ends_with(end)) && is_shown(name, collected)
    }
}

/// Words in the names of files that a program may write and still needs.
const NEEDED: [&str; 10] = [
    "config", "setting", "preset", "template", "schema", "package", "cache", "default-",
    "default_", "defaults",
];
/// Files outside of skills that describe packages: programs that convert packages write them.
const MANIFESTS: [&str; 3] = ["plugin.json", "marketplace.json", "manifest.json"];
/// Calls that write a file, in lower case.
const WRITERS: [&str; 6] = [
    "writefile",
    "appendfile",
    "createwritestream",
    "writejson",
    "outputjson",
    "json.dump(",
];

/// Returns true if the code in the plugin writes a data file that has entries. A file of settings,
/// of defaults or a cache of public data is still needed; a `cache.json` is private by its name. In a package of texts,
/// code of a skill is about the files of that skill, and code in no skill about files in none and those of the
/// skills that it names: elsewhere in a repository, code can be about other files of the same name.
pub(crate) fn is_written(
    path: &str,
    code: &Code,
    is_program: bool,
    collected: &PluginFiles,
) -> bool {
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let is_data = [".json", ".jsonl", ".csv"];
    if !is_data.iter().any(|end| name.ends_with(end))
        || NEEDED.iter().any(|word| name.contains(word))
        || !collected.bytes.get(path).is_some_and(|b| has_entries(b))
    {
        return false;
    }
    let skill = skill_of(path, collected);
    if !is_program && skill.is_none() && MANIFESTS.contains(&name) {
        return false;
    }
    let is_about = |file: &str, text: &str| match skill {
        _ if is_program => true,
        Some(skill) if is_below(file, skill) => true,
        Some(skill) => skill_of(file, collected).is_none() && names_directory(text, skill),
        None => skill_of(file, collected).is_none(),
    };
    let mut code = code.iter();
    code.any(|(file, text)| is_about(file, text) && writes_to(text, name))
}

/// Returns true if code in lower case has the name of a directory as a word of a path.
fn names_directory(text: &str, directory: &str) -> bool {
    let name = directory.rsplit('/').next().unwrap_or(directory);
    let name = name.to_lowercase();
    let ends = ['\'', '"', '`', '/', '\\'];
    let mut found = text.match_indices(&name);
    found.any(|(at, _)| text[..at].ends_with(ends) && text[at + name.len()..].starts_with(ends))
}

/// Returns the directory of the skill that a file of a package of texts is in.
fn skill_of<'p>(path: &'p str, collected: &PluginFiles) -> Option<&'p str> {
    let above = path.rmatch_indices('/').map(|(at, _)| &path[..at]);
    let has_skill = |directory: &&str| {
        let file = path_in(directory, "SKILL.md");
        collected.texts.contains_key(&file)
    };
    above.chain([""]).find(has_skill)
}

/// Returns true if JSON contains a text or a list with an entry; for other data, if there is a
/// line.
fn has_entries(bytes: &[u8]) -> bool {
    fn holds(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::Array(items) => !items.is_empty(),
            serde_json::Value::Object(fields) => fields.values().any(holds),
            serde_json::Value::String(text) => !text.is_empty(),
            _ => false,
        }
    }
    serde_json::from_slice(bytes).map_or_else(
        |_| bytes.iter().any(|byte| !byte.is_ascii_whitespace()),
        |value| holds(&value),
    )
}

/// Returns true if code in lower case writes to a file of this name: in the line that names it, or
/// through the variable that the line sets.
fn writes_to(text: &str, name: &str) -> bool {
    let is_named = |line: &&str| {
        let mut found = line.match_indices(name);
        found.any(|(at, _)| {
            let end = line[at + name.len()..].starts_with(['\'', '"', '`']);
            end && line[..at].ends_with(['\'', '"', '`', '/'])
        })
    };
    let mut lines = text.lines().filter(is_named);
    lines.any(|line| {
        is_write(line, name)
            || variable(line).is_some_and(|variable| {
                let mut uses = text.lines();
                uses.any(|line| is_write(line, variable))
            })
    })
}

/// Returns the variable or field that a line sets.
fn variable(line: &str) -> Option<&str> {
    let (left, _) = line.split_once(['=', ':'])?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let variable = left.trim_end().rsplit(|c| !is_word(c)).next()?;
    (variable.len() > 2).then_some(variable)
}

/// Returns true if a line writes to `target`: by a call that writes, or by `open` with a mode that
/// does.
fn is_write(line: &str, target: &str) -> bool {
    let modes = ["'w", "\"w", "'a", "\"a", "'x'", "\"x\""];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = line.match_indices(target);
    found.any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + target.len()..]);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        let is_call = WRITERS.iter().any(|call| before.contains(call));
        let is_open = before.contains("open(") || after.starts_with(".open(");
        let is_opened = is_open && modes.iter().any(|mode| after.contains(mode));
        is_whole && (is_call || is_opened || after.starts_with(".write_text("))
    })
}

fn is_only_read(name: &str, code: &Code) -> bool {
    let name = name.to_lowercase();
    let mut is_named = false;
    let mut is_opened_to_read = false;
    let mut is_written = false;
    for (_, text) in code {
        for (at, _) in text.match_indices(&name) {
            is_named = true;
            let around = around(text, at, name.len());
            is_opened_to_read |= READ_ONLY.iter().any(|mark| around.contains(mark));
        }
        is_written |= WRITES.iter().any(|word| text.contains(word)) || updates(text);
    }
    is_named && (is_opened_to_read || !is_written)
}

/// Returns true if a text contains `UPDATE … SET` within a few words.
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

/// Returns true if a document of the plugin shows a picture.
fn is_shown(name: &str, collected: &PluginFiles) -> bool {
    let is_document = |path: &str| {
        let lower = path.to_ascii_lowercase();
        lower.ends_with(".md") || lower.ends_with(".html")
    };
    let documents = collected.bytes.iter().filter(|(path, _)| is_document(path));
    documents
        .into_iter()
        .any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(name))
}
