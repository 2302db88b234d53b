//! `requires.skills` cannot be met: a skill is missing, has other versions, or builds on itself.

use std::collections::BTreeMap;

use skill_diagnostics::{Code, Diagnostic};
use skill_model::{RequirementCandidate, SkillRequirement, Unmet, choose, closure};

use crate::context::Tree;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};
use crate::summary::SkillSummary;

const SOURCE: &str = "skill_model::Requires::skills";

pub(crate) const UNMET: Rule = Rule {
    code: Code("required-skill-unmet"),
    group: Group::Metadata,
    levels: Levels::ADVICE,
    what: "`requires.skills` names a skill that is missing, or that has no version in the range.",
    why: "What builds on the missing skill does not work.",
    example: "requires: {skills: [pdf-tools@^2]}",
    source: SOURCE,
    check: Check::Tree(unmet),
};

pub(crate) const CYCLE: Rule = Rule {
    code: Code("required-skill-cycle"),
    group: Group::Metadata,
    levels: Levels::ADVICE,
    what: "Skills require one another in a circle, or a skill requires itself.",
    why: "None of them can be understood or installed before the others.",
    example: "requires: {skills: [b]}, and in b: requires: {skills: [a]}",
    source: SOURCE,
    check: Check::Tree(cycle),
};

fn unmet(tree: &Tree<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    // Where the neighbor has another version, a skill in another directory of the tree may have it: a
    // catalog of the tree has both.
    let all: Vec<RequirementCandidate<'_>> = tree.skills.iter().map(candidate).collect();
    each_neighborhood(tree, |members, candidates| {
        // A skill that is checked alone has no neighbors that could be missing.
        if candidates.len() < 2 {
            return;
        }
        for (at, candidate) in members.iter().zip(candidates) {
            let requires = candidate.requires.iter();
            let problems = requires.filter_map(|text| {
                let why = choose(text, candidates).err()?;
                let is_elsewhere =
                    matches!(why, Unmet::Version { .. }) && choose(text, &all).is_ok();
                (!is_elsewhere).then_some(why)
            });
            let problems = problems.map(|why| why.to_string());
            let problems = problems.chain(two_versions(candidate, candidates));
            findings.extend(problems.map(|message| tree.in_metadata(UNMET.code, *at, message)));
        }
    });
    findings
}

/// Returns the message for requirements of one skill that only two versions of another can meet.
fn two_versions(
    skill: &RequirementCandidate<'_>,
    candidates: &[RequirementCandidate<'_>],
) -> Option<String> {
    let mut seen: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for text in skill.requires {
        let (Ok(wanted), Ok(at)) = (text.parse::<SkillRequirement>(), choose(text, candidates))
        else {
            continue;
        };
        let (first, before) = *seen.entry(wanted.name).or_insert((at, text));
        if first != at {
            let [before, text] = [before, text].map(|text| text.escape_debug().to_string());
            return Some(format!(
                "`{before}` and `{text}` need two versions of the same skill"
            ));
        }
    }
    None
}

fn cycle(tree: &Tree<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    each_neighborhood(tree, |members, candidates| {
        for (start, at) in members.iter().enumerate() {
            let cycles = closure(start, candidates).cycles.into_iter();
            // Each circle is reported once: at its first skill.
            let own = cycles.filter(|cycle| cycle.iter().min() == Some(&start));
            for cycle in own.filter(|cycle| cycle.first() == Some(&start)) {
                let names = cycle.iter().chain([&start]).map(|at| candidates[*at].name);
                let names: Vec<String> = names.map(|it| it.escape_debug().to_string()).collect();
                let message = match cycle.len() {
                    1 => "the skill requires itself".to_owned(),
                    _ => format!("the skills require one another: {}", names.join(" → ")),
                };
                findings.push(tree.in_metadata(CYCLE.code, *at, message));
            }
        }
    });
    findings
}

fn candidate(skill: &SkillSummary) -> RequirementCandidate<'_> {
    RequirementCandidate {
        name: &skill.name,
        version: &skill.version,
        plugin: skill.plugin.as_deref(),
        requires: &skill.requires,
    }
}

/// Calls `then` for the skills of each directory: their indexes in the tree, and the skills as
/// candidates, followed by the parts of a host there, which only a lock names.
fn each_neighborhood(tree: &Tree<'_>, mut then: impl FnMut(&[usize], &[RequirementCandidate<'_>])) {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, skill) in tree.skills.iter().enumerate() {
        places.entry(parent(&skill.path)).or_default().push(at);
    }
    for (place, members) in places {
        if members
            .iter()
            .all(|at| tree.skills[*at].requires.is_empty())
        {
            continue;
        }
        let skills = members.iter().map(|at| &tree.skills[*at]);
        let skills = skills.map(candidate);
        let locks = tree
            .locks
            .iter()
            .filter(|(directory, _)| directory == place);
        let hosted = locks.flat_map(|(_, lock)| &lock.skills);
        let hosted = hosted.filter(|(_, locked)| locked.hosted);
        let hosted = hosted.map(|(name, locked)| RequirementCandidate {
            name,
            version: "",
            plugin: locked.source.directory.rsplit('/').next(),
            requires: &[],
        });
        let others = tree.versions.iter().filter(|it| it.directory == place);
        let others = others.map(|other| RequirementCandidate {
            name: &other.name,
            version: &other.version,
            plugin: None,
            requires: &[],
        });
        let candidates: Vec<_> = skills.chain(hosted).chain(others).collect();
        then(&members, &candidates);
    }
}

/// Returns the path of the parent directory; empty at the top.
fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::summary::{OtherVersion, SkillSummary};

    /// Skills as `PATH VERSION REQUIREMENT…`.
    #[track_caller]
    fn check(rows: &[&str], expected: &[&str]) {
        check_beside(rows, &[], expected);
    }

    /// The same, with versions beside them as `NAME@VERSION`.
    #[track_caller]
    fn check_beside(rows: &[&str], versions: &[&str], expected: &[&str]) {
        let version = |text: &&str| {
            let (name, version) = text.split_once('@').unwrap_or((text, ""));
            OtherVersion {
                name: name.to_owned(),
                version: version.to_owned(),
                ..OtherVersion::default()
            }
        };
        let versions: Vec<_> = versions.iter().map(version).collect();
        let summary = |row: &&str| {
            let mut words = row.split(' ').map(str::to_owned);
            let path = words.next().unwrap_or_default();
            let directory = path.rsplit('/').next().unwrap_or_default();
            // A directory `b-2` has a version of `b`.
            let name = directory.trim_end_matches("-2").to_owned();
            SkillSummary {
                path,
                name,
                version: words.next().unwrap_or_default(),
                requires: words.collect(),
                ..SkillSummary::default()
            }
        };
        let skills: Vec<_> = rows.iter().map(summary).collect();
        let tree = Tree {
            skills: &skills,
            settings: &Settings::default(),
            locks: &[],
            versions: &versions,
        };
        let found = [unmet(&tree), cycle(&tree)].concat();
        let found = found.iter().map(|it| {
            let file = it.place.file.as_deref().unwrap_or_default();
            format!("{}: {}", file.trim_end_matches("/METADATA.yml"), it.message)
        });
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn requirements_are_met_beside_the_skill() {
        check(&["a 1 b@^2", "b 2.1"], &[]);
        check_beside(&["a 1 b@^1", "b 2.1"], &["b@1.4.0"], &[]);
        check(&["a 1 b"], &[]);
        check(&["a 1 b@^2", "b 1.4", "b-2 2.1"], &[]);
        check(&["a 1 b@^1", "b 2.0", "old/b 1.4"], &[]);
        check(
            &["x/a 1 b c@^2", "x/c 1.5", "y/b 1"],
            &[
                "x/a: the skill `b` is missing",
                "x/a: no version of `c` is in the range ^2; found 1.5",
            ],
        );
        check(
            &["a 1 b@new", "b 1"],
            &[
                "a: `b@new` is not a required skill; expected NAME or NAME@RANGE, such as pdf-tools@^1.2",
            ],
        );
    }

    #[test]
    fn circles_are_reported_once() {
        check(
            &["a 1 b", "b 1 c", "c 1 a", "d 1 a"],
            &["a: the skills require one another: a → b → c → a"],
        );
        check(&["a 1 b", "b 1"], &[]);
        check(&["a 1 a"], &["a: the skill requires itself"]);
        check(&["a 1 b", "b 1 b"], &["b: the skill requires itself"]);
    }
}
