//! The skill name of each plugin of a collection.
//!
//! Source: `docs/migration.md`, "Name". The name comes from the manifest's `name`; a name without
//! letters or digits falls back to the directory, then to a digest. If two plugins have one name,
//! the first one by directory keeps it, enabled ones before disabled ones, and the others get a
//! number. Before all of them, a plugin keeps the name that it had the last time: a new plugin must
//! not take over an existing skill with its state and its approvals.

use std::collections::BTreeSet;

use skill_diagnostics::Diagnostic;
use skill_model::{Digest, NAME_MAX, SkillName, slug};

use crate::codes::{NAME_REPLACED, NAME_TAKEN};

/// The properties of a plugin that naming needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameRequest<'a> {
    /// Directory relative to the input.
    pub directory: &'a str,
    /// The manifest's `name`.
    pub name: &'a str,
    /// Names to try in this order if another plugin has the name.
    pub alternatives: &'a [String],
    /// True if the plugin is enabled.
    pub enabled: bool,
    /// The name of its skill the last time.
    pub held: Option<&'a str>,
}

/// A name with findings about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naming {
    /// The name of the skill.
    pub name: SkillName,
    /// Findings if a fallback or a number was needed.
    pub findings: Vec<Diagnostic>,
}

/// Returns names for all plugins of a collection, in the order of the requests.
pub fn assign_names(requests: &[NameRequest<'_>]) -> Vec<Naming> {
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by_key(|at| (!requests[*at].enabled, requests[*at].directory));
    let mut taken = BTreeSet::new();
    let mut acc: Vec<Option<Naming>> = vec![None; requests.len()];
    for at in 0..requests.len() {
        acc[at] = keep_one(&requests[at], &mut taken);
    }
    for at in order {
        if acc[at].is_none() {
            acc[at] = Some(name_one(&requests[at], &mut taken));
        }
    }
    acc.into_iter()
        .map(|naming| naming.expect("the order holds every index once"))
        .collect()
}

/// Keeps the name that a plugin had, if it still requests that name or got it as an alternative.
fn keep_one(request: &NameRequest<'_>, taken: &mut BTreeSet<SkillName>) -> Option<Naming> {
    let mut findings = Vec::new();
    let wanted = slug(request.name).unwrap_or_else(|| replacement(request, &mut findings));
    let held = SkillName::new(request.held?).ok()?;
    if held != wanted {
        let mut alternatives = request.alternatives.iter();
        let is_alternative = alternatives.any(|name| slug(name).as_ref() == Some(&held));
        if !is_alternative && !is_numbered(held.as_str(), wanted.as_str()) {
            return None;
        }
        findings.push(taken_first(&wanted, &held));
    }
    let name = held;
    taken
        .insert(name.clone())
        .then_some(Naming { name, findings })
}

/// Creates the finding, which is the same in later runs, even if the other plugin is gone.
fn taken_first(wanted: &SkillName, name: &SkillName) -> Diagnostic {
    let message =
        format!("another part had the skill name `{wanted}` first; this one became `{name}`");
    let finding = Diagnostic::warning(NAME_TAKEN, message).at_pointer("/name");
    finding.with_help("rename one of the two to settle which is which")
}

/// Returns whether a name is another one with a number appended, possibly shortened.
fn is_numbered(name: &str, wanted: &str) -> bool {
    let Some((stem, number)) = name.rsplit_once('-') else {
        return false;
    };
    let is_cut = wanted.starts_with(stem) && stem.len() + number.len() + 2 >= NAME_MAX;
    number.bytes().all(|byte| byte.is_ascii_digit()) && (stem == wanted || is_cut)
}

fn name_one(request: &NameRequest<'_>, taken: &mut BTreeSet<SkillName>) -> Naming {
    let mut findings = Vec::new();
    let wanted = slug(request.name).unwrap_or_else(|| replacement(request, &mut findings));
    let name = free_name(&wanted, request.alternatives, taken);
    if name != wanted {
        findings.push(taken_first(&wanted, &name));
    }
    taken.insert(name.clone());
    Naming { name, findings }
}

fn replacement(request: &NameRequest<'_>, findings: &mut Vec<Diagnostic>) -> SkillName {
    let directory = request.directory.rsplit('/').next().unwrap_or_default();
    let name = slug(directory).unwrap_or_else(|| {
        let digest = Digest::from_content(request.name.as_bytes()).hex();
        SkillName::new(format!("skill-{}", &digest[..8]))
            .expect("hex digits after a word make a name")
    });
    let message = format!("`name` has no letter or digit of ASCII; the skill is called `{name}`");
    let finding = Diagnostic::warning(NAME_REPLACED, message).at_pointer("/name");
    findings
        .push(finding.with_help("calls still use the exact name, which is kept in METADATA.yml"));
    name
}

fn free_name(
    wanted: &SkillName,
    alternatives: &[String],
    taken: &BTreeSet<SkillName>,
) -> SkillName {
    let numbered = (2_u64..).map(|n| {
        let suffix = format!("-{n}");
        let stem = &wanted.as_str()[..wanted.as_str().len().min(NAME_MAX - suffix.len())];
        SkillName::new(format!("{}{suffix}", stem.trim_end_matches('-')))
            .expect("a name with a number behind it is a name")
    });
    std::iter::once(wanted.clone())
        .chain(alternatives.iter().filter_map(|name| slug(name)))
        .chain(numbered)
        .find(|name| !taken.contains(name))
        .expect("there are more numbers than plugins")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(plugins: &[(&str, &str, bool)], expected: &[&str]) {
        check_held(plugins, &[], expected);
    }

    /// Checks names if some directories had a name the last time.
    #[track_caller]
    fn check_held(plugins: &[(&str, &str, bool)], held: &[(&str, &str)], expected: &[&str]) {
        let requests: Vec<_> = plugins
            .iter()
            .map(|(directory, name, enabled)| NameRequest {
                directory,
                name,
                alternatives: &[],
                enabled: *enabled,
                held: held.iter().find(|it| it.0 == *directory).map(|it| it.1),
            })
            .collect();
        let names: Vec<_> = assign_names(&requests)
            .into_iter()
            .map(|naming| String::from(naming.name))
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn names_fall_back_and_never_clash() {
        check(&[("a", "SciCalculator", true)], &["sci-calculator"]);
        check(&[("b", "Foo", true), ("a", "foo", true)], &["foo-2", "foo"]);
        check(
            &[("a", "Foo", false), ("b", "foo", true)],
            &["foo-2", "foo"],
        );
        check(&[("Dir", "天气", true)], &["dir"]);
        check(&[("天", "天气", true)], &["skill-4d947325"]);
        check(
            &[("a", "foo", true), ("b", "foo", true), ("c", "foo-2", true)],
            &["foo", "foo-2", "foo-2-2"],
        );
    }

    #[test]
    fn a_name_stays_with_the_plugin_that_had_it() {
        let both = [("a", "foo", true), ("b", "foo", true)];
        check_held(&both, &[("b", "foo")], &["foo-2", "foo"]);
        check_held(&both, &[("b", "foo"), ("a", "foo-2")], &["foo-2", "foo"]);
        // Also if the plugin with the better name is gone or disabled.
        check_held(&both[1..], &[("b", "foo-2")], &["foo-2"]);
        check_held(
            &[("a", "foo", false), ("b", "foo", true)],
            &[("a", "foo")],
            &["foo", "foo-2"],
        );
        // A renamed plugin gets its new name; an unrelated name is not kept.
        check_held(&[("a", "bar", true)], &[("a", "foo")], &["bar"]);
        check_held(&[("a", "foo", true)], &[("a", "foo-x")], &["foo"]);
        let long = "a".repeat(80);
        let cut = format!("{}-2", "a".repeat(62));
        check_held(&[("a", &long, true)], &[("a", &cut)], &[&cut]);
    }

    #[test]
    fn numbers_fit_into_long_names() {
        let long = "a".repeat(80);
        check(
            &[("a", &long, true), ("b", &long, true)],
            &[&"a".repeat(64), &format!("{}-2", "a".repeat(62))],
        );
    }
}
