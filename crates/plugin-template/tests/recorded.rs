//! Expansions against recordings of the old hosts in `../shared/formats`; skipped, saying so, where
//! the folder is absent. Files of the packages that are still packed are not looked at.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may look at files and fail"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plugin_template::{Dialect, Expanded, Invocation, Template, to_text};
use serde_json::Value;

/// The text needs the content of files in the user's project, which nothing here reads.
const READS_THE_PROJECT: [&str; 1] = ["gemini-notes-10"];

#[test]
fn expansions_are_those_of_the_old_hosts() {
    let Some(folder) = skill_testing::find::shared("formats") else {
        return;
    };
    let cases = fs::read_to_string(folder.join("expansion.jsonl")).unwrap();
    let (mut n_passed, mut failed) = (0, Vec::new());
    for case in cases.lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let package = folder.join(text("package"));
        if !package.exists() || READS_THE_PROJECT.contains(&text("id")) {
            continue;
        }
        let sent = expansion(&package, &case);
        let sent = sent.map_or_else(|error| format!("error: {error}"), |sent| to_text(&sent));
        match judge(&case["expected"], &sent) {
            None => n_passed += 1,
            Some(reason) => failed.push(format!("{}: {reason}\n{sent}", text("id"))),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(n_passed > 50, "only {n_passed} cases");
}

fn expansion(package: &Path, case: &Value) -> Result<Vec<Expanded>, plugin_template::ExpandError> {
    let text = |key: &str| case[key].as_str().unwrap_or_default();
    let dialect = Dialect::from_word(text("format")).unwrap();
    let file = fs::read_to_string(package.join(text("file"))).unwrap();
    let (body, names) = match dialect {
        Dialect::Gemini => {
            let command: toml::Value = toml::from_str(&file).unwrap();
            (command["prompt"].as_str().unwrap().to_owned(), Vec::new())
        }
        Dialect::Mcpb => {
            let manifest: Value = serde_json::from_str(&file).unwrap();
            let prompts = manifest["prompts"].as_array().unwrap();
            let is_named = |prompt: &&Value| prompt["name"] == text("command");
            let prompt = prompts.iter().find(is_named).unwrap();
            (prompt["text"].as_str().unwrap().to_owned(), Vec::new())
        }
        _ => without_frontmatter(&file),
    };
    let template = Template::parse(&body, dialect, &names);
    let mut invocation = Invocation::new(text("command"), text("arguments"));
    invocation.variables = BTreeMap::new();
    template.expand(&invocation)
}

/// Returns the body of a command and the names that `arguments: [a, b]` declares.
fn without_frontmatter(file: &str) -> (String, Vec<String>) {
    let lines: Vec<&str> = file.split_inclusive('\n').collect();
    if lines.first().is_none_or(|line| line.trim_end() != "---") {
        return (file.to_owned(), Vec::new());
    }
    let close = lines[1..]
        .iter()
        .position(|line| line.trim_end() == "---")
        .unwrap()
        + 1;
    let declared = lines[..close]
        .iter()
        .find_map(|line| line.strip_prefix("arguments:"));
    let names = declared.unwrap_or_default().trim().trim_matches(['[', ']']);
    let names = names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    (
        lines[close + 1..].concat(),
        names.map(str::to_owned).collect(),
    )
}

/// Returns what is wrong, by the rules of `score_expansion.py`.
fn judge(expected: &Value, sent: &str) -> Option<String> {
    if expected["text"]
        .as_str()
        .is_some_and(|text| normal(text) == normal(sent))
    {
        return None;
    }
    let flat_sent = flat(sent);
    let absent = expected["absent"].as_array().into_iter().flatten();
    if let Some(found) = absent
        .filter_map(Value::as_str)
        .find(|text| flat_sent.contains(&flat(text)))
    {
        return Some(format!("holds {found:?}"));
    }
    let groups: Vec<Vec<&str>> = if let Some(pieces) = expected["pieces"].as_array() {
        pieces.iter().map(alternatives).collect()
    } else if let Some(facts) = expected["contains"].as_array() {
        facts
            .iter()
            .filter_map(|fact| Some(vec![fact.as_str()?]))
            .collect()
    } else {
        return Some(format!("expected {:?}", expected["text"]));
    };
    let mut at = 0;
    for group in groups {
        let found = group.iter().filter_map(|text| {
            let text = flat(text);
            let found = flat_sent[at..].find(&text)?;
            Some(at + found + text.len())
        });
        at = match found.min() {
            Some(end) => end,
            None => return Some(format!("lacks {group:?}")),
        };
    }
    let ends = expected["ends"].as_str().unwrap_or_default();
    (!normal(sent).ends_with(ends)).then(|| format!("does not end with {ends:?}"))
}

fn alternatives(piece: &Value) -> Vec<&str> {
    let texts = ["text", "output", "shell", "content", "file"];
    texts
        .iter()
        .filter_map(|key| piece[*key].as_str())
        .collect()
}

fn normal(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
