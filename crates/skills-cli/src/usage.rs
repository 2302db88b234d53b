//! Recorded use: which skills were listed for a request, and which of them was read or run then.
//!
//! A local file of JSON lines, written only where `--usage FILE` asks for it:
//!
//! ```text
//! {"request": "…", "listed": [{"skill": "…", "confidence": 0.8, "relatedness": 0.9, "choice": 0.8}]}
//! {"read": "weather-card"}
//! {"run": "weather-card"}
//! ```
//!
//! A use belongs to the last request before it that listed the skill.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde::Deserialize;
use serde_json::{Value, json};
use skill_loader::fs::{Root, resolve};
use skill_search::Match;
use skill_search::calibrate::ListedSkill;

use crate::named;

/// Largest record, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// What was recorded.
#[derive(Default, Debug)]
pub(crate) struct Usage {
    /// One for each request, the best match first.
    pub(crate) listings: Vec<Vec<ListedSkill>>,
    /// How often each skill was read or run.
    pub(crate) n_uses: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Request {
        #[serde(rename = "request")]
        _text: String,
        listed: Vec<Recorded>,
    },
    Read {
        read: String,
    },
    Run {
        run: String,
    },
}

#[derive(Deserialize)]
struct Recorded {
    skill: String,
    confidence: f32,
    relatedness: f32,
    choice: f32,
}

/// Records what a request found.
pub(crate) fn listed(path: &Path, request: &str, matches: &[Match]) -> anyhow::Result<()> {
    let listed = matches.iter().map(|found| {
        json!({
            "skill": found.skill,
            "confidence": found.confidence,
            "relatedness": found.relatedness,
            "choice": found.choice,
        })
    });
    append(
        path,
        &json!({"request": request, "listed": listed.collect::<Vec<_>>()}),
    )
}

/// Records that a skill was read (`read`) or run (`run`).
pub(crate) fn used(path: &Path, how: &str, skill: &str) -> anyhow::Result<()> {
    append(path, &json!({ how: skill }))
}

fn append(path: &Path, line: &Value) -> anyhow::Result<()> {
    let real = resolve(path)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let directory = Root::open_following(real.parent().unwrap_or(Path::new("/")))?;
    let line = format!("{line}\n");
    let written = directory.append(&name, line.as_bytes());
    written.with_context(|| format!("cannot record the use in {}", path.display()))
}

/// Reads a record; a line that is none is an error with its number.
pub(crate) fn read(path: &Path) -> anyhow::Result<Usage> {
    let bytes = named::read(path, MAX_BYTES)?;
    let shown = path.display();
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not UTF-8"))?;
    parse(&text).map_err(|line| anyhow!("{shown}, line {line}: this is no record of a use"))
}

/// The record in a text, or the number of the line that is none.
fn parse(text: &str) -> Result<Usage, usize> {
    let mut res = Usage::default();
    let mut names: Vec<Vec<String>> = Vec::new();
    for (number, line) in (1_usize..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line).map_err(|_| number)? {
            Line::Request { listed, .. } => {
                names.push(listed.iter().map(|one| one.skill.clone()).collect());
                res.listings.push(listed.iter().map(unused).collect());
            }
            Line::Read { read: skill } | Line::Run { run: skill } => {
                let found = names.iter().rposition(|listed| listed.contains(&skill));
                if let Some(at) = found {
                    let of = names[at]
                        .iter()
                        .position(|name| *name == skill)
                        .unwrap_or(0);
                    res.listings[at][of].is_used = true;
                }
                *res.n_uses.entry(skill).or_default() += 1;
            }
        }
    }
    Ok(res)
}

fn unused(recorded: &Recorded) -> ListedSkill {
    ListedSkill {
        confidence: recorded.confidence,
        relatedness: recorded.relatedness,
        choice: recorded.choice,
        is_used: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_belongs_to_the_last_request_that_listed_it() {
        let match_of = |skill: &str| json!({"skill": skill, "confidence": 0.5, "relatedness": 0.5, "choice": 0.5});
        let lines = [
            json!({"request": "1", "listed": [match_of("a"), match_of("b")]}),
            json!({"request": "2", "listed": [match_of("b"), match_of("a")]}),
            json!({"read": "a"}),
            json!({"request": "3", "listed": []}),
            json!({"run": "b"}),
            json!({"run": "never-listed"}),
        ];
        let text = lines.map(|line| line.to_string()).join("\n");
        let usage = parse(&text).unwrap();
        let used: Vec<Vec<bool>> = usage
            .listings
            .iter()
            .map(|listed| listed.iter().map(|one| one.is_used).collect())
            .collect();
        assert_eq!(used, [vec![false, false], vec![true, true], vec![]]);
        assert_eq!(usage.n_uses.values().sum::<u64>(), 3);
        assert_eq!(parse("{\"read\": \"a\"}\n\nnonsense").unwrap_err(), 3);
    }
}
