//! The rules for each skill, and the paths that are passed over.

use std::collections::BTreeMap;

use skill_model::wildcard;
use skill_validator::{Level, Settings};

/// Levels for skills whose path fits one of some patterns.
#[derive(Clone, Default, Debug)]
pub struct Override {
    /// Patterns of paths.
    pub paths: Vec<String>,
    /// Levels by rule.
    pub levels: BTreeMap<String, Level>,
}

/// The rules of a check, and the paths that are passed over.
#[derive(Clone, Default, Debug)]
pub struct CheckOptions {
    /// Settings of the rules.
    pub rules: Settings,
    /// Levels for some skills; a later one is stronger.
    pub overrides: Vec<Override>,
    /// Patterns of paths that are passed over.
    pub exclude: Vec<String>,
    /// Number of threads; 0 for one per processor.
    pub jobs: usize,
}

impl CheckOptions {
    /// Returns the rules for the skill at this path.
    pub fn rules_for(&self, path: &str) -> Settings {
        let mut rules = self.rules.clone();
        for Override { paths, levels } in &self.overrides {
            if paths.iter().any(|pattern| fits(pattern, path)) {
                rules.levels.extend(levels.clone());
            }
        }
        rules
    }

    /// Returns true if a path is passed over.
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|pattern| fits(pattern, path))
    }
}

/// Returns true if a pattern fits a path or one of its directories; `**` is the same as `*`.
fn fits(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_end_matches('/').replace("**", "*");
    let ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    ends.into_iter()
        .any(|end| wildcard::matches(&pattern, &path[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
    }

    #[test]
    fn patterns_fit_paths_and_their_directories() {
        check("drafts", "drafts/a/b", true);
        check("drafts/", "drafts", true);
        check("**/fixtures/**", "a/fixtures/b", true);
        check("a/*", "a/b/c", true);
        check("b", "a/b", false);
    }
}
