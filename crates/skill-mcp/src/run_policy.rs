//! The policy that decides which skills may be run.

use std::fmt;
use std::sync::Arc;

use skill_loader::catalog::Catalog;
use skill_model::wildcard::matches;

/// A policy that decides by name which skills may be run.
#[derive(Clone)]
pub struct RunPolicy {
    allows: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    patterns: Arc<[String]>,
}

impl RunPolicy {
    /// Creates a policy from a predicate over names.
    pub fn new(allows: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self {
            allows: Arc::new(allows),
            patterns: Arc::default(),
        }
    }

    /// Creates a policy that allows the names that match one of these patterns, with `*` and `?`.
    pub fn matching(patterns: Vec<String>) -> Self {
        let patterns: Arc<[String]> = patterns.into();
        let own = patterns.clone();
        let allows = move |name: &str| own.iter().any(|pattern| matches(pattern, name));
        Self {
            patterns,
            ..Self::new(allows)
        }
    }

    /// Returns true if the skill called `name` may be run.
    pub fn allows(&self, name: &str) -> bool {
        (self.allows)(name)
    }

    /// Returns the patterns that no skill of a catalog matches.
    pub(crate) fn unused<'p>(&'p self, catalog: &Catalog) -> Vec<&'p str> {
        let is_unused = |pattern: &&String| {
            let mut names = catalog.all().map(|skill| &skill.name);
            !names.any(|name| matches(pattern, name))
        };
        let unused = self.patterns.iter().filter(is_unused);
        unused.map(String::as_str).collect()
    }
}

impl fmt::Debug for RunPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunPolicy")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_allow_nothing_are_known() {
        let policy = RunPolicy::matching(vec!["tea*".to_owned()]);
        assert!(policy.allows("teapot") && !policy.allows("pot"));
        assert_eq!(policy.unused(&Catalog::default()), ["tea*"]);
    }
}
