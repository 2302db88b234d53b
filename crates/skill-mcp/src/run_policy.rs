//! The policy that decides which skills may be run.

use std::fmt;
use std::sync::Arc;

/// A policy that decides by name which skills may be run.
#[derive(Clone)]
pub struct RunPolicy(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl RunPolicy {
    /// Creates a policy from a predicate over names.
    pub fn new(allows: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(allows))
    }

    /// Returns true if the skill called `name` may be run.
    pub fn allows(&self, name: &str) -> bool {
        (self.0)(name)
    }
}

impl fmt::Debug for RunPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunPolicy")
    }
}
