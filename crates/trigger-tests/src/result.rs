//! The result of a test, and of all of them.

use std::collections::{BTreeMap, BTreeSet};

use disclosure_report::search::rounded;
use rayon::prelude::*;
use skill_disclosure::{TO_BRIEF, TO_FULL};
use skill_search::{Index, Request};

use crate::case::{Case, Expected};

/// The matches that are searched for a test at least; a result says where a skill was found.
const N_MATCHES: usize = 50;

/// The result of one test.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseResult {
    /// The test.
    pub case: Case,
    /// The first match: its name and confidence.
    pub first: Option<(String, f64)>,
    /// The best match among the skills of the test: its rank from 1, and its confidence.
    pub found: Option<(usize, f64)>,
    /// Skills of the test that do not exist.
    pub unknown: Vec<String>,
    /// True if the behaviour is the expected one.
    pub passed: bool,
}

impl CaseResult {
    /// Returns the first match if it is triggered.
    pub(crate) fn triggered(&self) -> Option<&(String, f64)> {
        self.first
            .as_ref()
            .filter(|(_, confidence)| *confidence >= TO_BRIEF)
    }
}

/// Runs the tests on an index, on all cores. The results have the order of the tests.
pub fn run(cases: &[Case], index: &Index) -> Vec<CaseResult> {
    let names: BTreeSet<&str> = index.names().collect();
    let results = cases.par_iter().map(|case| {
        let limit = match case.expected {
            Expected::Among(number) => number.max(N_MATCHES),
            _ => N_MATCHES,
        };
        let request = Request {
            limit,
            ..Request::new(&case.query[..])
        };
        let matches: Vec<(String, f64)> = index
            .search(&request)
            .into_iter()
            .map(|one| (one.skill, rounded(one.confidence)))
            .collect();
        judged(case, &matches, &names)
    });
    results.collect()
}

fn judged(case: &Case, matches: &[(String, f64)], names: &BTreeSet<&str>) -> CaseResult {
    let is_ours = |name: &str| case.skills.iter().any(|skill| skill == name);
    let unknown = case.skills.iter().filter(|name| !names.contains(&name[..]));
    let unknown: Vec<String> = unknown.cloned().collect();
    let mut found = (1..).zip(matches).filter(|(_, (name, _))| is_ours(name));
    let found = found
        .next()
        .map(|(rank, (_, confidence))| (rank, *confidence));
    let mut res = CaseResult {
        case: case.clone(),
        first: matches.first().cloned(),
        found,
        unknown,
        passed: false,
    };
    let triggered = res.triggered().map(|(name, _)| &name[..]);
    let as_expected = match case.expected {
        Expected::First => triggered.is_some_and(is_ours),
        Expected::NotThese => !triggered.is_some_and(is_ours),
        Expected::Nothing => triggered.is_none(),
        Expected::Among(number) => {
            found.is_some_and(|(rank, confidence)| rank <= number && confidence >= TO_BRIEF)
        }
    };
    // A name that is misspelled would let a test of "not first" pass without end.
    res.passed = as_expected && res.unknown.is_empty();
    res
}

/// The figures of all tests, as counts: a part and its whole.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Measures {
    /// Tests that passed, of all.
    pub passed: (usize, usize),
    /// Requests with a right skill whose first match is right, at any confidence.
    pub right_first: (usize, usize),
    /// Requests with a right skill whose first match is right and has at least [`TO_FULL`].
    pub right_first_sure: (usize, usize),
    /// First matches with at least [`TO_FULL`] that are right, of the requests with a right skill.
    pub sure_right: (usize, usize),
    /// Requests that are to trigger nothing and trigger nothing.
    pub nothing: (usize, usize),
    /// Requests that are not to trigger some skills and do not trigger them.
    pub not_these: (usize, usize),
}

impl Measures {
    /// Counts.
    pub fn new(results: &[CaseResult]) -> Self {
        let mut res = Self::default();
        for result in results {
            let is_sure = result.first.as_ref().is_some_and(|(_, it)| *it >= TO_FULL);
            let is_right = result.found.is_some_and(|(rank, _)| rank == 1);
            count(&mut res.passed, result.passed);
            match result.case.expected {
                Expected::First | Expected::Among(_) => {
                    count(&mut res.right_first, is_right);
                    count(&mut res.right_first_sure, is_right && is_sure);
                    if is_sure {
                        count(&mut res.sure_right, is_right);
                    }
                }
                Expected::Nothing => count(&mut res.nothing, result.triggered().is_none()),
                Expected::NotThese => count(&mut res.not_these, result.passed),
            }
        }
        res
    }
}

fn count((part, whole): &mut (usize, usize), is_part: bool) {
    *part += usize::from(is_part);
    *whole += 1;
}

/// Returns which skill was first in place of which, with the number of tests, the most frequent
/// first; tests that name a skill that does not exist are left out. The skill of a test with several is the first that it names; `None` if there was no match.
pub fn confusions(results: &[CaseResult]) -> Vec<(String, Option<String>, usize)> {
    let mut counts: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    for result in results {
        let is_positive = matches!(result.case.expected, Expected::First | Expected::Among(_));
        if result.passed || !is_positive || !result.unknown.is_empty() {
            continue;
        }
        let first = result.first.as_ref().map(|(name, _)| &name[..]);
        let skill = result.case.skills.first().map_or("", |it| &it[..]);
        if first != Some(skill) {
            *counts.entry((skill, first)).or_default() += 1;
        }
    }
    let mut res: Vec<_> = counts
        .into_iter()
        .map(|((skill, first), n)| (skill.to_owned(), first.map(str::to_owned), n))
        .collect();
    res.sort_by_key(|(_, _, n)| std::cmp::Reverse(*n));
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Expected, skills: &[&str], matches: &[(&str, f64)], passes: bool) {
        let case = Case {
            query: "q".to_owned(),
            skills: skills.iter().map(|&it| it.to_owned()).collect(),
            expected,
            file: "f".to_owned(),
            line: 1,
        };
        let matches: Vec<_> = matches
            .iter()
            .map(|&(name, it)| (name.to_owned(), it))
            .collect();
        let result = judged(&case, &matches, &["a", "b", "c"].into());
        assert_eq!(result.passed, passes, "{result:?}");
    }

    #[test]
    fn a_skill_is_triggered_if_it_is_first_and_sure_enough() {
        let ab: &[_] = &[("a", 0.5), ("b", 0.3), ("c", 0.1)];
        let unsure: &[_] = &[("a", 0.1)];
        for (expected, skills, matches, passes) in [
            (Expected::First, &["a"][..], ab, true),
            (Expected::First, &["b"], ab, false),
            (Expected::First, &["b", "a"], ab, true),
            (Expected::First, &["a"], unsure, false),
            (Expected::First, &["a"], &[], false),
            (Expected::Among(2), &["b"], ab, true),
            (Expected::Among(1), &["b"], ab, false),
            (Expected::Among(3), &["c"], ab, false),
            (Expected::NotThese, &["b"], ab, true),
            (Expected::NotThese, &["a"], ab, false),
            (Expected::NotThese, &["a"], unsure, true),
            (Expected::NotThese, &["mistyped"], ab, false),
            (Expected::Nothing, &[], unsure, true),
            (Expected::Nothing, &[], &[], true),
            (Expected::Nothing, &[], ab, false),
        ] {
            check(expected, skills, matches, passes);
        }
    }

    #[test]
    fn a_skill_that_does_not_exist_is_not_mistaken_for_another() {
        let result = |skill: &str| {
            let case = Case {
                query: "q".to_owned(),
                skills: vec![skill.to_owned()],
                expected: Expected::First,
                file: "f".to_owned(),
                line: 1,
            };
            judged(&case, &[("a".to_owned(), 0.9)], &["a", "b"].into())
        };
        let results = ["a", "b", "mistyped"].map(result);
        let expected = ("b".to_owned(), Some("a".to_owned()), 1);
        assert_eq!(confusions(&results), [expected]);
    }
}
