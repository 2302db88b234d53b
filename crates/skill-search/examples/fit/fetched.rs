//! Reads the skills of public repositories, for requests that were written for this project.
//!
//! `requests.jsonl` has the requests, the names of the right skills and of similar ones that are wrong.
//! The texts of the skills belong to others, so they are read from copies of the repositories:
//! `DIR/OWNER+NAME/repo` is a bare repository. A repository that is not there is omitted.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::data::text;

/// Requests with the repository, the directory beneath it, the names of the right skills and, for some, the
/// name of a similar skill that is wrong (`near`).
const REQUESTS: &str = include_str!("requests.jsonl");

/// A collection of skills as the lines of `catalog.jsonl`, with its requests as those of `dev.jsonl`.
pub(crate) struct Collection {
    pub(crate) name: String,
    pub(crate) skills: Vec<Value>,
    pub(crate) requests: Vec<Value>,
}

/// Returns the collections that are in `dir`.
pub(crate) fn collections(dir: &Path) -> Vec<Collection> {
    let mut asked: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
    for line in REQUESTS.lines() {
        let request: Value = serde_json::from_str(line).expect("a line of JSON");
        let place = (text(&request, "repository"), text(&request, "under"));
        asked.entry(place).or_default().push(request);
    }
    let collections = asked.into_iter().map(|((repository, under), asked)| {
        let git = dir.join(repository.replace('/', "+")).join("repo");
        let requests = asked.iter().flat_map(|request| rows(request, &repository));
        Collection {
            name: format!("{repository}#{under}"),
            requests: requests.collect(),
            skills: skills(&git, &repository, &under),
        }
    });
    collections.filter(|one| !one.skills.is_empty()).collect()
}

/// Returns the rows of a request: one for its right skills, and one for the skill that it is nearly, but not
/// quite, for.
fn rows(request: &Value, repository: &str) -> Vec<Value> {
    let id = |name: &str| format!("{repository}#{name}");
    let row = |skill: &str, others: &[String], is_right: bool| {
        json!({
            "query": request["query"], "lang": request["lang"], "label": is_right,
            "skill_id": skill, "acceptable": others, "source": "",
        })
    };
    let names = request["skills"].as_array().into_iter().flatten();
    let right: Vec<String> = names.filter_map(Value::as_str).map(id).collect();
    let right = right
        .split_first()
        .map(|(skill, others)| row(skill, others, true));
    let near = request["near"]
        .as_str()
        .map(|name| row(&id(name), &[], false));
    right.into_iter().chain(near).collect()
}

/// Returns the skills beneath a directory of a repository; the first of several with the same name.
fn skills(git: &Path, repository: &str, under: &str) -> Vec<Value> {
    let listed = read(git, &["ls-tree", "-r", "--name-only", "HEAD"]);
    let mut res: Vec<Value> = Vec::new();
    let paths = listed.lines().filter(|path| path.starts_with(under));
    for path in paths.filter(|path| path.ends_with("/SKILL.md")) {
        let file = read(git, &["cat-file", "blob", &format!("HEAD:{path}")]);
        let Some((head, body)) = parts(&file) else {
            continue;
        };
        let (name, description) = (field(head, "name"), field(head, "description"));
        let id = format!("{repository}#{name}");
        let is_known = res.iter().any(|known| text(known, "id") == id);
        if !name.is_empty() && !description.is_empty() && !is_known {
            res.push(json!({"id": id, "name": name, "description": description, "body": body}));
        }
    }
    res
}

fn read(git: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .arg("--git-dir")
        .arg(git)
        .args(args)
        .output();
    let output = output.expect("git is there");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Splits a SKILL.md into frontmatter and body.
fn parts(file: &str) -> Option<(&str, &str)> {
    let rest = file.trim_start_matches('\u{feff}').strip_prefix("---")?;
    rest.split_once("\n---")
}

/// Returns the value of a key of the frontmatter: what follows on its line, and the indented lines below.
fn field(head: &str, key: &str) -> String {
    let mut lines = head.lines();
    let found = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let Some(first) = found else {
        return String::new();
    };
    let more = lines.take_while(|line| line.starts_with([' ', '\t']) || line.is_empty());
    let words = [first]
        .into_iter()
        .chain(more)
        .flat_map(str::split_whitespace);
    let words: Vec<&str> = words.collect();
    let value = words.join(" ");
    let value = value.trim_start_matches(['>', '|']);
    let value = value.strip_prefix("- ").unwrap_or(value).trim();
    let is_quoted =
        |mark: char| value.len() > 1 && value.starts_with(mark) && value.ends_with(mark);
    match value {
        quoted if is_quoted('"') => quoted[1..quoted.len() - 1].replace("\\\"", "\""),
        quoted if is_quoted('\'') => quoted[1..quoted.len() - 1].replace("''", "'"),
        plain => plain.to_owned(),
    }
}
