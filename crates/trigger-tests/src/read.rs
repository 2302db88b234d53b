//! Reads the tests of a file.
//!
//! Three forms are in use: a JSON array of rows, one row a line, and an object with the rows under
//! `evals`, `tests`, `triggers` or `queries`, which may name its skill. A row has `query` (or
//! `prompt`) and either `should_trigger` (a Boolean) or `expect` (`first`, `among N`, `none`);
//! `skill` is a name or an array of names that are equally right. Of other keys, those in [`NOTES`] and
//! those that begin with `_` are notes, and the rest are errors.
//! The keys `query` and `should_trigger` are those of the skill `skill-creator` of
//! github.com/anthropics/skills.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::case::{Case, Expected};

/// The keys of a row.
const KEYS: [&str; 5] = ["query", "prompt", "should_trigger", "expect", "skill"];
/// The keys of notes.
const NOTES: [&str; 8] = [
    "id", "name", "note", "notes", "comment", "reason", "category", "tags",
];

/// A file, or a row of it, is not in the form of trigger tests.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct FormatError {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The reason, with what was expected.
    pub problem: String,
}

#[derive(Deserialize)]
struct Document<'t> {
    #[serde(alias = "skill_name")]
    skill: Option<String>,
    #[serde(borrow, alias = "evals", alias = "triggers", alias = "queries")]
    tests: Option<Vec<&'t RawValue>>,
}

#[derive(Deserialize)]
struct Row {
    #[serde(alias = "prompt")]
    query: String,
    should_trigger: Option<bool>,
    expect: Option<String>,
    skill: Option<Names>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Many(Vec<String>),
}

/// Reads the tests in the text of `file`. `skill` is the skill in whose directory the file is, for
/// rows that name none.
///
/// # Errors
///
/// The first row that is not in the form of a test, with its line; a file without tests.
///
/// ```
/// let text = r#"[{"query": "merge two PDFs", "should_trigger": true, "skill": "pdf"}]"#;
/// let cases = trigger_tests::read(text, "triggers.json", None)?;
/// assert_eq!(cases[0].skills, ["pdf"]);
/// # Ok::<(), trigger_tests::FormatError>(())
/// ```
pub fn read(text: &str, file: &str, skill: Option<&str>) -> Result<Vec<Case>, FormatError> {
    let text = text.trim_start_matches('\u{feff}');
    let fail = |line, problem: String| FormatError {
        file: file.to_owned(),
        line,
        problem,
    };
    let (rows, owner) = rows(text).map_err(|(line, problem)| fail(line, problem))?;
    if rows.is_empty() {
        return Err(fail(1, "no tests; expected rows such as {\"query\": \"TEXT\", \"should_trigger\": true, \"skill\": \"NAME\"}".to_owned()));
    }
    let owner = owner.as_deref().or(skill);
    let cases = rows.into_iter().map(|(line, row)| {
        let (skills, expected, query) = parsed(row, owner).map_err(|it| fail(line, it))?;
        Ok(Case {
            query,
            skills,
            expected,
            file: file.to_owned(),
            line,
        })
    });
    cases.collect()
}

/// The rows of a file with their lines, and the skill that the file names for them.
type Rows<'t> = (Vec<(usize, &'t str)>, Option<String>);

fn rows(text: &str) -> Result<Rows<'_>, (usize, String)> {
    if text.trim_start().starts_with('[') {
        let rows: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| syntax(&error))?;
        return Ok((placed(text, rows), None));
    }
    match serde_json::from_str::<Document<'_>>(text) {
        Ok(Document {
            tests: Some(rows),
            skill,
        }) => Ok((placed(text, rows), skill)),
        // One object that is not a row has the rows under another key.
        Ok(_) if serde_json::from_str::<Row>(text).is_err() => Err((
            1,
            "no tests; expected an array of rows, a row on each line, or an object with the rows under `tests`"
                .to_owned(),
        )),
        _ => Ok((lines(text), None)),
    }
}

fn lines(text: &str) -> Vec<(usize, &str)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .collect()
}

/// Returns each row with the number of its line in the text that it was read from.
fn placed<'t>(text: &'t str, rows: Vec<&'t RawValue>) -> Vec<(usize, &'t str)> {
    let mut at = 0;
    let mut line = 1;
    let rows = rows.into_iter().map(|row| {
        let start = row.get().as_ptr().addr() - text.as_ptr().addr();
        line += text[at..start].matches('\n').count();
        at = start;
        (line, row.get())
    });
    rows.collect()
}

fn syntax(error: &serde_json::Error) -> (usize, String) {
    (error.line(), format!("not valid JSON: {error}"))
}

/// Returns the skills, the expected behaviour and the request of a row.
fn parsed(text: &str, owner: Option<&str>) -> Result<(Vec<String>, Expected, String), String> {
    let row: Row = serde_json::from_str(text).map_err(|error| {
        format!("not a test: {error}; expected {{\"query\": \"TEXT\", \"should_trigger\": true, \"skill\": \"NAME\"}}")
    })?;
    if let Some(key) = unknown_key(text) {
        let (keys, notes) = (KEYS.join(", "), NOTES.join(", "));
        return Err(format!(
            "`{}` is not a key of a test; expected {keys}, or a note: {notes}",
            key.escape_debug()
        ));
    }
    if row.query.trim().is_empty() {
        return Err("`query` is empty; expected the text of a request".to_owned());
    }
    let expected = match (row.expect, row.should_trigger) {
        (Some(words), None) => Expected::from_words(&words).ok_or_else(|| {
            format!("`expect` is `{words}`; expected `first`, `among N` or `none`")
        })?,
        (None, Some(true)) => Expected::First,
        (None, Some(false)) => Expected::NotThese,
        (Some(_), Some(_)) => {
            return Err("both `expect` and `should_trigger`; expected one of them".to_owned());
        }
        (None, None) => {
            return Err("neither `expect` nor `should_trigger`; expected one of them".to_owned());
        }
    };
    if expected == Expected::Nothing && row.skill.is_some() {
        return Err(
            "`skill` beside `expect`: `none`, which is about all skills; expected no `skill`, or `should_trigger`: false"
                .to_owned(),
        );
    }
    let skills = match row.skill {
        Some(Names::One(name)) => vec![name],
        Some(Names::Many(names)) => names,
        None => owner.map(str::to_owned).into_iter().collect(),
    };
    match (expected, skills.is_empty()) {
        (Expected::Nothing, _) => Ok((Vec::new(), expected, row.query)),
        (_, true) => Err(
            "no `skill`, and the file is not in a skill; expected the name of a skill".to_owned(),
        ),
        (_, false) => Ok((skills, expected, row.query)),
    }
}

/// Returns the first key of a row that is neither known nor a note.
fn unknown_key(row: &str) -> Option<String> {
    let row: Map<String, Value> = serde_json::from_str(row).ok()?;
    let is_known = |key: &str| KEYS.iter().chain(&NOTES).any(|it| *it == key);
    let mut keys = row.into_iter().map(|(key, _)| key);
    keys.find(|key| !is_known(key) && !key.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, skill: Option<&str>, expected: &[&str]) {
        let found: Vec<String> = match read(text, "f", skill) {
            Ok(cases) => cases
                .iter()
                .map(|it| {
                    format!(
                        "{} {} {} {}",
                        it.line,
                        it.query,
                        it.expected,
                        it.skills.join("+")
                    )
                })
                .collect(),
            Err(error) => vec![error.to_string()],
        };
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn the_forms_of_other_projects_are_read() {
        let yes = r#"{"query": "a", "should_trigger": true, "skill": "x"}"#;
        check(yes, None, &["1 a first x"]);
        check(
            &format!("[\n{yes},\n\n{yes}]"),
            None,
            &["2 a first x", "4 a first x"],
        );
        check(
            &format!("{yes}\n\n{yes}\n"),
            None,
            &["1 a first x", "3 a first x"],
        );
        check(
            &format!(
                "{{\"skill_name\": \"y\", \"evals\": [\n{{\"prompt\": \"b\", \"should_trigger\": false, \"id\": 7}},{yes}]}}"
            ),
            None,
            &["2 b not first y", "2 a first x"],
        );
        check(
            r#"[{"query": "c", "expect": "among 3"}]"#,
            Some("z"),
            &["1 c among 3 z"],
        );
        check(
            r#"[{"query": "c", "expect": "none"}]"#,
            Some("z"),
            &["1 c none "],
        );
        check(
            "\u{feff}[{\"query\": \"d\", \"expect\": \"first\", \"skill\": [\"p\", \"q\"]}]",
            None,
            &["1 d first p+q"],
        );
    }

    #[test]
    fn what_is_no_test_is_an_error_with_its_line() {
        check("", None, &["f:1: no tests"]);
        check("[]", None, &["f:1: no tests"]);
        check(
            "{\"cases\": []}",
            None,
            &["f:1: no tests; expected an array"],
        );
        check("[\n{\"query\": 1}]", None, &["f:2: not a test: "]);
        check("[\n{\"query\"", None, &["f:2: not valid JSON: "]);
        check(
            "{\"query\": \"a\", \"should_trigger\": true}\nnonsense",
            Some("x"),
            &["f:2: not a test: "],
        );
        check(
            "[{\"query\": \" \", \"expect\": \"none\"}]",
            None,
            &["f:1: `query` is empty"],
        );
        check(
            "[{\"query\": \"a\", \"expect\": \"last\"}]",
            None,
            &["f:1: `expect` is `last`"],
        );
        check(
            "[{\"query\": \"a\", \"expect\": \"among 0\"}]",
            None,
            &["f:1: `expect` is `among 0`"],
        );
        check(
            "[{\"query\": \"a\"}]",
            Some("x"),
            &["f:1: neither `expect` nor"],
        );
        check(
            "[{\"query\": \"a\", \"should_trigger\": true}]",
            None,
            &["f:1: no `skill`"],
        );
        check(
            "[{\"query\": \"a\", \"should_trigger\": true, \"expect\": \"none\"}]",
            Some("x"),
            &["f:1: both `expect` and"],
        );
        check(
            "[{\"query\": \"a\", \"expct\": \"first\"}]",
            Some("x"),
            &["f:1: `expct` is not a key of a test; expected query, prompt,"],
        );
        check(
            "[{\"query\": \"a\", \"expect\": \"none\", \"skill\": \"x\"}]",
            None,
            &["f:1: `skill` beside `expect`: `none`"],
        );
    }
}
