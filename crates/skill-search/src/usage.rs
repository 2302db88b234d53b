//! Recorded use: which skills were listed for a request, and which of them was read or run then.
//!
//! A record is lines of JSON:
//!
//! ```text
//! {"request": "…", "listed": [{"skill": "…", "confidence": 0.8, "relatedness": 0.9, "choice": 0.8}]}
//! {"read": "weather-card"}
//! {"run": "weather-card"}
//! ```
//!
//! A use belongs to the last request before it that listed the skill.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Match;
use crate::calibrate::ListedSkill;

/// A record of use.
#[derive(Default, Debug)]
pub struct Usage {
    /// One for each request, the best match first.
    pub listings: Vec<Vec<ListedSkill>>,
    /// The number of times that each skill was read or run.
    pub n_uses: BTreeMap<String, u64>,
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

/// The line for a request and the skills that were listed for it.
pub fn listed(request: &str, matches: &[Match]) -> Value {
    let listed = matches.iter().map(|found| {
        json!({
            "skill": found.skill,
            "confidence": found.confidence,
            "relatedness": found.relatedness,
            "choice": found.choice,
        })
    });
    json!({"request": request, "listed": listed.collect::<Vec<_>>()})
}

/// The line for a skill that was read (`read`) or run (`run`).
pub fn used(how: &str, skill: &str) -> Value {
    json!({ how: skill })
}

/// Reads the lines of a record.
///
/// # Errors
///
/// The number of the first line that is not a record of use.
pub fn parse(text: &str) -> Result<Usage, usize> {
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
