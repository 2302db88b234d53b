//! The skills that a skill builds on: `NAME`, or `NAME@RANGE` with a range of versions.
//!
//! Versions and ranges are those of <https://semver.org> as Cargo reads them: `^1.2`, `~1.2.3`,
//! `>=1, <3`, `1.*`. Several versions of a name may exist side by side; each requirement is met by the
//! highest version in its range.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use semver::{Version, VersionReq};

/// A skill that another one builds on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SkillRequirement {
    /// The name of the skill, or of the directory of its plugin.
    pub name: String,
    range: Option<VersionReq>,
}

/// A text is not a requirement.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a required skill; expected NAME or NAME@RANGE, such as pdf-tools@^1.2")]
pub struct RequirementError(String);

impl FromStr for SkillRequirement {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let error = || RequirementError(text.escape_debug().to_string());
        let (name, range) = match text.split_once('@') {
            Some((name, range)) => (name, Some(range.trim())),
            None => (text, None),
        };
        let name = name.trim();
        let is_bad = |c: char| c.is_control() || matches!(c, '/' | '\\');
        if name.is_empty() || name.contains(is_bad) {
            return Err(error());
        }
        let range = match range {
            Some("") => return Err(error()),
            Some(range) => Some(VersionReq::parse(range).map_err(|_| error())?),
            None => None,
        };
        Ok(Self {
            name: name.to_owned(),
            range,
        })
    }
}

impl fmt::Display for SkillRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.range {
            Some(range) => write!(f, "{}@{range}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl SkillRequirement {
    /// Returns whether any version will do.
    pub fn is_any(&self) -> bool {
        self.range.is_none()
    }

    /// Returns whether a skill of this name with this version will do. A text that is not a version is
    /// in no range.
    pub fn accepts(&self, version: &str) -> bool {
        let Some(range) = &self.range else {
            return true;
        };
        version_of(version).is_some_and(|version| range.matches(&version))
    }
}

/// Returns the version in a text; missing numbers are zero: `v1.2` is 1.2.0.
fn version_of(text: &str) -> Option<Version> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, label) = text.split_at(end);
    let missing = 3_usize.checked_sub(numbers.split('.').count())?;
    Version::parse(&format!("{numbers}{}{label}", ".0".repeat(missing))).ok()
}

/// A skill that may meet a requirement.
#[derive(Clone, Copy, Debug)]
pub struct RequirementCandidate<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version; empty if it has none.
    pub version: &'a str,
    /// The directory of the plugin that it comes from.
    pub plugin: Option<&'a str>,
    /// The skills that it requires in turn.
    pub requires: &'a [String],
}

/// The reason why a requirement is not met.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Unmet {
    /// The text is not a requirement.
    #[error("{0}")]
    Text(String),
    /// No skill has this name.
    #[error("the skill `{0}` is missing")]
    Missing(String),
    /// Several skills come from a plugin of this name.
    #[error("`{0}` names the plugin of several skills; name one of them: {1}")]
    Ambiguous(String, String),
    /// No version of the skill is in the range.
    #[error("no version of `{name}` is in the range {range}; found {found}")]
    Version {
        /// The name of the skill.
        name: String,
        /// The range.
        range: String,
        /// The versions that exist.
        found: String,
    },
}

/// Returns the index of the candidate that meets a requirement: with a range, the highest version in
/// it, else the first of the name.
///
/// # Errors
///
/// None does.
pub fn choose(text: &str, candidates: &[RequirementCandidate<'_>]) -> Result<usize, Unmet> {
    let wanted: SkillRequirement = text
        .parse()
        .map_err(|error: RequirementError| Unmet::Text(error.to_string()))?;
    let name = wanted.name.escape_debug().to_string();
    let with = |is_it: &dyn Fn(&RequirementCandidate<'_>) -> bool| -> Vec<usize> {
        let found = candidates.iter().enumerate();
        found
            .filter(|(_, it)| is_it(it))
            .map(|(at, _)| at)
            .collect()
    };
    let mut found = with(&|it| it.name == wanted.name);
    if found.is_empty() {
        found = with(&|it| it.plugin == Some(&wanted.name));
        let names: BTreeSet<&str> = found.iter().map(|at| candidates[*at].name).collect();
        if names.len() > 1 {
            let names: Vec<&str> = names.into_iter().collect();
            return Err(Unmet::Ambiguous(name, names.join(", ")));
        }
    }
    let Some(first) = found.first() else {
        return Err(Unmet::Missing(name));
    };
    let Some(range) = &wanted.range else {
        return Ok(*first);
    };
    let version = |at: &usize| version_of(candidates[*at].version);
    let fitting = found
        .iter()
        .filter(|at| wanted.accepts(candidates[**at].version));
    // Of equal versions the first counts, so the order is reversed for `max_by_key`.
    let best = fitting.rev().max_by_key(|at| version(at));
    best.copied().ok_or_else(|| {
        let found = found.iter().map(|at| match candidates[*at].version {
            "" => "one without a version".to_owned(),
            version => version.escape_debug().to_string(),
        });
        Unmet::Version {
            name,
            range: range.to_string(),
            found: found.collect::<Vec<_>>().join(", "),
        }
    })
}

/// Everything that a skill builds on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Closure {
    /// The indexes of the skills, each once and after what it requires itself; without the first skill.
    pub order: Vec<usize>,
    /// The requirements that are not met, each with the index of the skill that has it.
    pub unmet: Vec<(usize, Unmet)>,
    /// The cycles: the indexes of the skills in their order; one for a skill that requires itself.
    pub cycles: Vec<Vec<usize>>,
}

/// Resolves everything that the candidate at `start` builds on. A cycle is reported and not followed.
pub fn closure(start: usize, candidates: &[RequirementCandidate<'_>]) -> Closure {
    let mut res = Closure::default();
    let mut done = BTreeSet::new();
    // The skills on the way to this one, each with the number of requirements that were followed.
    let mut path: Vec<(usize, usize)> = vec![(start, 0)];
    while let Some((at, n_followed)) = path.last_mut() {
        let by = *at;
        let Some(text) = candidates[by].requires.get(*n_followed) else {
            path.pop();
            if done.insert(by) && by != start {
                res.order.push(by);
            }
            continue;
        };
        *n_followed += 1;
        match choose(text, candidates) {
            Err(unmet) => res.unmet.push((by, unmet)),
            Ok(next) if done.contains(&next) => {}
            Ok(next) => match path.iter().position(|(at, _)| *at == next) {
                Some(begin) => {
                    let cycle = path[begin..].iter().map(|(at, _)| *at);
                    res.cycles.push(cycle.collect());
                }
                None => path.push((next, 0)),
            },
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn accepts(requirement: &str, versions: &[&str], expected: &[&str]) {
        let wanted: SkillRequirement = requirement.parse().unwrap();
        let found: Vec<&str> = versions
            .iter()
            .copied()
            .filter(|it| wanted.accepts(it))
            .collect();
        assert_eq!(found, expected, "{requirement}");
    }

    #[test]
    fn ranges_are_those_of_semver() {
        let all = ["0.9", "1.0.0", "v1.2", "1.3.0-beta", "2", "new", ""];
        accepts("a", &all, &all);
        accepts("a@^1", &all, &["1.0.0", "v1.2"]);
        accepts("a@ >=1.1, <3", &all, &["v1.2", "2"]);
        accepts("a@*", &all, &["0.9", "1.0.0", "v1.2", "2"]);
        accepts("a@=1.3.0-beta", &all, &["1.3.0-beta"]);
    }

    #[test]
    fn texts_that_are_no_requirements() {
        for text in ["", "@1", "a@", "a@one", "a/b", "a\nb", "a@^1.2.3.4"] {
            assert!(text.parse::<SkillRequirement>().is_err(), "{text}");
        }
        let shown: SkillRequirement = " pdf-tools @ ~1.2".parse().unwrap();
        assert_eq!(shown.to_string(), "pdf-tools@~1.2");
    }

    /// Skills as `NAME VERSION PLUGIN REQUIREMENT…`.
    fn with_skills<T>(skills: &[&str], then: impl Fn(&[RequirementCandidate<'_>]) -> T) -> T {
        let rows: Vec<Vec<String>> = skills
            .iter()
            .map(|row| row.split(' ').map(str::to_owned).collect())
            .collect();
        let candidates: Vec<_> = rows
            .iter()
            .map(|row| RequirementCandidate {
                name: &row[0],
                version: &row[1],
                plugin: Some(&row[2]),
                requires: &row[3..],
            })
            .collect();
        then(&candidates)
    }

    #[track_caller]
    fn check(skills: &[&str], text: &str, expected: &str) {
        let found = with_skills(skills, |candidates| {
            choose(text, candidates).map(|at| candidates[at].version.to_owned())
        });
        let found = found.unwrap_or_else(|error| error.to_string());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_highest_version_in_the_range_meets_a_requirement() {
        let skills = [
            "a 1.1.0 -",
            "a 1.4.0 -",
            "a 2.0.0 -",
            "b 1 Plug",
            "c 1 Two",
            "d 1 Two",
        ];
        check(&skills, "a", "1.1.0");
        check(&skills, "a@^1", "1.4.0");
        check(&skills, "a@2", "2.0.0");
        check(&skills, "Plug@1", "1");
        check(
            &skills,
            "a@^3",
            "no version of `a` is in the range ^3; found 1.1.0, 1.4.0, 2.0.0",
        );
        check(&skills, "z@^3", "the skill `z` is missing");
        check(
            &skills,
            "Two",
            "`Two` names the plugin of several skills; name one of them: c, d",
        );
    }

    #[track_caller]
    fn check_closure(skills: &[&str], expected: &str) {
        let text = with_skills(skills, |candidates| {
            let found = closure(0, candidates);
            let name = |at: &usize| format!("{} {}", candidates[*at].name, candidates[*at].version);
            let names = |all: &[usize]| all.iter().map(name).collect::<Vec<_>>().join(", ");
            let unmet = found.unmet.iter();
            let unmet = unmet.map(|(by, why)| format!("; {}: {why}", candidates[*by].name));
            let cycles = found
                .cycles
                .iter()
                .map(|all| format!("; cycle {}", names(all)));
            names(&found.order) + &unmet.chain(cycles).collect::<String>()
        });
        assert_eq!(text, expected);
    }

    #[test]
    fn each_required_skill_comes_once_and_after_what_it_requires() {
        check_closure(&["a 1 - b c", "b 1 - c", "c 1 -"], "c 1, b 1");
        check_closure(
            &["a 1 - b@^1 c", "c 1 - b@^2", "b 1.0 -", "b 2.0 -"],
            "b 1.0, b 2.0, c 1",
        );
        check_closure(
            &["a 1 - b", "b 1 - c", "c 1 - a z"],
            "c 1, b 1; c: the skill `z` is missing; cycle a 1, b 1, c 1",
        );
        check_closure(&["a 1 - a"], "; cycle a 1");
        check_closure(&["a 1 - b", "b 1 - b"], "b 1; cycle b 1");
    }

    #[test]
    fn long_chains_do_not_exhaust_the_stack() {
        let names: Vec<String> = (0..=2_000).map(|at| format!("s{at}")).collect();
        let candidates: Vec<_> = (0..2_000)
            .map(|at| RequirementCandidate {
                name: &names[at],
                version: "1",
                plugin: None,
                requires: std::slice::from_ref(&names[at + 1]),
            })
            .collect();
        let found = closure(0, &candidates);
        assert_eq!((found.order.len(), found.unmet.len()), (1_999, 1));
    }
}
