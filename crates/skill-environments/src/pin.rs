//! One version for several skills: where one skill names an exact version and the range of another one
//! includes it, both get it. Two versions of a large package would be stored otherwise.

use std::collections::{BTreeMap, BTreeSet};

use crate::needs::{Ecosystem, Need, Source};

/// The exact versions that skills name, by package.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Pins(BTreeMap<String, BTreeSet<Version>>);

/// The numbers of a version; versions with letters are not computed with.
type Version = Vec<u64>;

impl Pins {
    /// Adds the exact versions among some requirements.
    pub(crate) fn add(&mut self, ecosystem: Ecosystem, needs: &BTreeMap<String, Need>) {
        for (name, need) in needs {
            let exact = match ecosystem {
                Ecosystem::Npm => Some(need.range.as_str()),
                Ecosystem::Pip => need.range.strip_prefix("=="),
            };
            let version = exact.and_then(numbers);
            let version = version.filter(|_| need.source == Source::Registry);
            if let Some(version) = version.filter(|version| is_whole(ecosystem, version)) {
                self.0.entry(name.clone()).or_default().insert(version);
            }
        }
    }

    /// Returns requirements in which each range is the highest version of those that it includes.
    pub(crate) fn narrowed(
        &self,
        ecosystem: Ecosystem,
        needs: &BTreeMap<String, Need>,
    ) -> BTreeMap<String, Need> {
        let narrowed = |(name, need): (&String, &Need)| {
            let mut need = need.clone();
            let known = self.0.get(name).into_iter().flatten().rev();
            let mut known = known.filter(|_| need.source == Source::Registry);
            let fit = known.find(|version| includes(&need.range, version));
            if let Some(version) = fit {
                let numbers: Vec<String> = version.iter().map(u64::to_string).collect();
                let exactly = if ecosystem == Ecosystem::Pip {
                    "=="
                } else {
                    ""
                };
                need.range = format!("{exactly}{}", numbers.join("."));
            }
            (name.clone(), need)
        };
        needs.iter().map(narrowed).collect()
    }
}

/// For npm, `1.2` is a range.
fn is_whole(ecosystem: Ecosystem, version: &[u64]) -> bool {
    ecosystem == Ecosystem::Pip || version.len() == 3
}

fn numbers(text: &str) -> Option<Version> {
    text.trim()
        .split('.')
        .map(|part| part.parse().ok())
        .collect()
}

/// Returns whether a range of one comparator includes a version: `^1.2.3`, `~1.2`, `>=1`, `~=1.4.2`. Of
/// others, and of a requirement without a range, which wants what is new, it is not known.
fn includes(range: &str, version: &[u64]) -> bool {
    let of = |operator: &str| range.strip_prefix(operator).and_then(numbers);
    let is_below = |least: &[u64], n_equal: usize| {
        version >= least && version.get(..n_equal) == least.get(..n_equal)
    };
    if let Some(least) = of("^") {
        let n_zeros = least.iter().take_while(|number| **number == 0).count();
        return least.len() == 3 && n_zeros < 3 && is_below(&least, n_zeros + 1);
    }
    if let Some(least) = of("~=") {
        return least.len() >= 2 && is_below(&least, least.len() - 1);
    }
    if let Some(least) = of("~") {
        return least.len() >= 2 && is_below(&least, 2);
    }
    of(">=").is_some_and(|least| version >= least.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_includes_versions() {
        for (range, version, expected) in [
            ("^2.2.16", "2.2.16", true),
            ("^2.2.16", "2.4.5", true),
            ("^2.2.16", "2.2.15", false),
            ("^2.2.16", "3.0.0", false),
            ("^0.2.3", "0.2.9", true),
            ("^0.2.3", "0.3.0", false),
            ("^0.0.0", "0.0.0", false),
            ("^2", "2.1.0", false),
            ("~1.2.3", "1.2.9", true),
            ("~1.2.3", "1.3.0", false),
            ("~=1.4.2", "1.4.9", true),
            ("~=1.4.2", "1.5", false),
            (">=11.0.0", "11.0.0", true),
            (">=11.0.0", "10.9", false),
            (">=1 <2", "1.5.0", false),
            ("", "1.0.0", false),
            ("latest", "1.0.0", false),
        ] {
            let version = numbers(version).unwrap();
            assert_eq!(includes(range, &version), expected, "{range} {version:?}");
        }
    }

    #[test]
    fn the_highest_version_that_another_skill_names() {
        let need = |range: &str| Need {
            range: range.to_owned(),
            ..Need::default()
        };
        let of = |range: &str| BTreeMap::from([("a".to_owned(), need(range))]);
        let check = |ecosystem, pins: &[&str], range: &str, expected: &str| {
            let mut known = Pins::default();
            for pin in pins {
                known.add(ecosystem, &of(pin));
            }
            let found = known.narrowed(ecosystem, &of(range));
            assert_eq!(found, of(expected), "{pins:?} {range}");
        };
        check(
            Ecosystem::Npm,
            &["1.2.3", "1.10.0", "2.0.0"],
            "^1.2.0",
            "1.10.0",
        );
        check(Ecosystem::Npm, &["^1.2.3", "1.2"], "^1.2.0", "^1.2.0");
        check(Ecosystem::Npm, &["1.2.3-rc.1"], "^1.2.0", "^1.2.0");
        check(Ecosystem::Pip, &["==11.0.0"], ">=10", "==11.0.0");
        check(Ecosystem::Pip, &[">=11"], ">=10", ">=10");
        check(Ecosystem::Pip, &["==11.0"], "", "");
    }
}
