//! The values of one skill.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Keys and values. Debug output has the keys only, because values may be secrets.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Values(BTreeMap<String, String>);

impl Deref for Values {
    type Target = BTreeMap<String, String>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl FromIterator<(String, String)> for Values {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
