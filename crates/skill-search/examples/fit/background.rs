//! Counts the words of skills at large.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::data::{lines, text};

/// The minimum number of skills with a term; rarer terms count as unknown.
const MIN_SKILLS: usize = 3;
/// The length of the longest term in the table, in bytes.
const MAX_TERM: usize = 20;

/// Returns the table of all skills, in the format that `skill_search::background` reads.
pub(crate) fn table(dir: &Path) -> String {
    let mut skills = lines(&dir.join("catalog.jsonl"));
    skills.extend(lines(&dir.join("distractors.jsonl")));
    let mut frequencies: BTreeMap<String, usize> = BTreeMap::new();
    for skill in &skills {
        let body: String = text(skill, "body").chars().take(6_000).collect();
        let parts = [text(skill, "name"), text(skill, "description"), body];
        let own: BTreeSet<String> = skill_search::terms(&parts.join("\n")).into_iter().collect();
        for term in own {
            *frequencies.entry(term).or_default() += 1;
        }
    }
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (term, frequency) in frequencies {
        let is_word = !term.bytes().all(|byte| byte.is_ascii_digit());
        if frequency >= MIN_SKILLS && term.len() <= MAX_TERM && is_word {
            lines.entry(frequency).or_default().push(term);
        }
    }
    let mut res = format!("skills {}\n", skills.len());
    for (frequency, terms) in lines {
        writeln!(res, "{frequency} {}", terms.join(" ")).expect("a string takes everything");
    }
    res
}
