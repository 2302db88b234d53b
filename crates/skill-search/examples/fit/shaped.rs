//! Requests that are nothing but the name of a file or an address, made from the table of shapes.
//!
//! The right skills are those whose short fields have a word of the row.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::data::{LabelledRequest, repository, text};

/// The table that a search uses.
const SHAPES: &str = include_str!("../../data/shapes.txt");
/// Names of files that say nothing about the skill.
const STEMS: [&str; 5] = ["q3_v2", "IMG_2041", "a17-final", "2024-05-01", "tmp_x9"];
/// The maximum number of skills that have the subject; a request for more of them says too little.
const MAX_RIGHT: usize = 3;

/// Returns a request for each row of the table that is about a few of the skills.
pub(crate) fn shaped(skills: &[&Value], names: &BTreeMap<String, String>) -> Vec<LabelledRequest> {
    let heads: Vec<(&Value, String, Vec<String>)> = skills
        .iter()
        .map(|skill| {
            let head = text(skill, "name") + " " + &text(skill, "description");
            let terms = skill_search::terms(&head);
            (*skill, head, terms)
        })
        .collect();
    let mut res = Vec::new();
    for (turn, (keys, words)) in rows().enumerate() {
        let has = |head: &str, terms: &[String]| {
            let mut words = words.split_whitespace();
            words.any(|word| {
                let own = skill_search::terms(word);
                let is_latin = word.is_ascii();
                is_latin && own.iter().any(|term| terms.contains(term))
                    || !is_latin && head.contains(word)
            })
        };
        let right = heads.iter().filter(|(_, head, terms)| has(head, terms));
        let right: Vec<String> = right.map(|(skill, ..)| text(skill, "id")).collect();
        let (Some(id), Some(request)) = (right.first(), request(keys, turn)) else {
            continue;
        };
        if right.len() <= MAX_RIGHT {
            res.push(LabelledRequest {
                text: request,
                lang: "en".to_owned(),
                kind: "shape",
                gold: right.iter().map(|id| names[id].clone()).collect(),
                near: None,
                fold: repository(id).to_owned(),
            });
        }
    }
    res
}

/// Returns the keys and words of the rows on files and services.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = SHAPES.lines().filter_map(|line| line.split_once(": "));
    rows.filter(|(keys, _)| keys.starts_with("file ") || keys.starts_with("host "))
}

/// Returns a request of this shape: the name of a file, or an address of a service.
fn request(keys: &str, turn: usize) -> Option<String> {
    let (kind, keys) = keys.split_once(' ')?;
    let keys: Vec<&str> = keys.split(' ').collect();
    let key = keys[turn % keys.len()];
    let is_whole = key.contains('.') || key.ends_with("file");
    Some(match (kind, is_whole) {
        ("host", _) => format!("https://{key}/a/{turn}b7"),
        (_, true) => key.to_owned(),
        (_, false) => format!("{}.{key}", STEMS[turn % STEMS.len()]),
    })
}
