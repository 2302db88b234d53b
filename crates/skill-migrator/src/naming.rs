//! Which skill name each plugin of a collection gets.
//!
//! Source: manifests-and-mapping §3.3. The name comes from the manifest's `name`; a name without
//! letters or digits falls back to the directory, then to a digest. Two plugins with one name: the
//! first in the order of directories keeps it, those that are switched on before those that are
//! not, the others get a number.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};
use skill_diagnostics::Diagnostic;
use skill_model::{NAME_MAX, SkillName, slug};

use crate::{
    codes::{NAME_REPLACED, NAME_TAKEN},
    hex,
};

/// What naming needs to know of a plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameRequest<'a> {
    /// Directory relative to the input.
    pub directory: &'a str,
    /// `name` of the manifest.
    pub name: &'a str,
    /// Whether the plugin is switched on.
    pub enabled: bool,
}

/// A name and what is odd about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naming {
    /// The name of the skill.
    pub name: SkillName,
    /// A fallback or a number was needed.
    pub findings: Vec<Diagnostic>,
}

/// Names for all plugins of a collection, in the order of the requests.
pub fn assign_names(requests: &[NameRequest<'_>]) -> Vec<Naming> {
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by_key(|at| (!requests[*at].enabled, requests[*at].directory));
    let mut taken = BTreeSet::new();
    let mut acc: Vec<Option<Naming>> = vec![None; requests.len()];
    for at in order {
        acc[at] = Some(name_one(&requests[at], &mut taken));
    }
    acc.into_iter()
        .map(|naming| naming.expect("the order holds every index once"))
        .collect()
}

fn name_one(request: &NameRequest<'_>, taken: &mut BTreeSet<SkillName>) -> Naming {
    let mut findings = Vec::new();
    let wanted = slug(request.name).unwrap_or_else(|| replacement(request, &mut findings));
    let name = free_name(&wanted, taken);
    if name != wanted {
        let message =
            format!("another plugin has the skill name `{wanted}`; this one became `{name}`");
        let finding = Diagnostic::warning(NAME_TAKEN, message).at_pointer("/name");
        findings.push(finding.with_help("rename one of the plugins to settle which is which"));
    }
    taken.insert(name.clone());
    Naming { name, findings }
}

fn replacement(request: &NameRequest<'_>, findings: &mut Vec<Diagnostic>) -> SkillName {
    let directory = request.directory.rsplit('/').next().unwrap_or_default();
    let name = slug(directory).unwrap_or_else(|| {
        let digest = hex(&Sha256::digest(request.name.as_bytes()));
        SkillName::new(format!("skill-{}", &digest[..8]))
            .expect("hex digits after a word make a name")
    });
    let message = format!("`name` has no letter or digit of ASCII; the skill is called `{name}`");
    let finding = Diagnostic::warning(NAME_REPLACED, message).at_pointer("/name");
    findings
        .push(finding.with_help("calls still use the exact name, which is kept in METADATA.yml"));
    name
}

fn free_name(wanted: &SkillName, taken: &BTreeSet<SkillName>) -> SkillName {
    let numbered = (2_u64..).map(|n| {
        let suffix = format!("-{n}");
        let stem = &wanted.as_str()[..wanted.as_str().len().min(NAME_MAX - suffix.len())];
        SkillName::new(format!("{}{suffix}", stem.trim_end_matches('-')))
            .expect("a name with a number behind it is a name")
    });
    std::iter::once(wanted.clone())
        .chain(numbered)
        .find(|name| !taken.contains(name))
        .expect("there are more numbers than plugins")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(plugins: &[(&str, &str, bool)], expected: &[&str]) {
        let requests: Vec<_> = plugins
            .iter()
            .map(|(directory, name, enabled)| NameRequest {
                directory,
                name,
                enabled: *enabled,
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
    fn numbers_fit_into_long_names() {
        let long = "a".repeat(80);
        check(
            &[("a", &long, true), ("b", &long, true)],
            &[&"a".repeat(64), &format!("{}-2", "a".repeat(62))],
        );
    }
}
