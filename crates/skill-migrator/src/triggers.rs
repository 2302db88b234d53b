//! The first tests of the requests that trigger a skill.
//!
//! The form is that of the skill `skill-creator` of github.com/anthropics/skills; each row is one line.

use serde_json::json;

use crate::plan::GeneratedFile;

/// The path of the tests in a skill.
pub const TRIGGERS: &str = "evals/triggers.json";

/// Returns the tests for requests in the words of the plugin; `None` without such words.
pub(crate) fn tests(requests: &[String]) -> Option<GeneratedFile> {
    let rows = requests.iter();
    let rows: Vec<String> = rows.map(|request| row(request)).collect();
    (!rows.is_empty()).then(|| GeneratedFile {
        path: TRIGGERS.to_owned(),
        text: triggers_text(&rows),
    })
}

/// Returns the text of a file with rows that are JSON objects.
pub fn triggers_text<T: AsRef<str>>(rows: &[T]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| format!("  {}", row.as_ref()))
        .collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

fn row(request: &str) -> String {
    let query = json!(request);
    format!("{{\"query\": {query}, \"should_trigger\": true}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_is_a_row() {
        let file = tests(&["泡一壶茶".to_owned(), "say \"tea\"".to_owned()]).expect("it has rows");
        assert_eq!(
            file.text,
            "[\n  {\"query\": \"泡一壶茶\", \"should_trigger\": true},\n  \
             {\"query\": \"say \\\"tea\\\"\", \"should_trigger\": true}\n]\n"
        );
        assert_eq!(tests(&[]), None);
    }
}
