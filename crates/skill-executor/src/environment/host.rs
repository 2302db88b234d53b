//! The environment of the caller, without what its user has not allowed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Deref, DerefMut};

use skill_model::Metadata;

use super::guarded::{Guard, guard};
use crate::auth_code::AUTH_CODE;

/// The environment that replaces that of the old host. Used as a map, it contains what skills may
/// get; secrets that the user has not allowed by name, and variables for loaders, are stored
/// separately.
#[derive(Clone, Default)]
pub struct HostEnvironment {
    given: BTreeMap<String, String>,
    withheld: BTreeMap<String, String>,
    /// The names that the user allowed.
    allowed: BTreeSet<String>,
}

impl HostEnvironment {
    /// Takes the environment of the caller; of its secrets, skills may get those that the user
    /// `allowed` by name. The administrator's code belongs to this tool: a
    /// skill with `admin: true` gets it, and no other.
    pub fn from_caller(all: BTreeMap<String, String>, allowed: &[String]) -> Self {
        let (given, withheld) =
            all.into_iter()
                .partition(|(name, value)| match guard(name, value) {
                    Guard::Open => true,
                    Guard::Secret => name == AUTH_CODE || allowed.contains(name),
                    Guard::Loader => false,
                });
        Self {
            given,
            withheld,
            allowed: allowed.iter().cloned().collect(),
        }
    }

    /// Returns a variable that is a setting of a skill. Settings of services and MCP servers have names
    /// that their authors chose for another environment, such as `TZ` and `API_KEY`: an unrelated variable
    /// of that name does not count, unless the user allowed it by name or METADATA.yml asks for it in
    /// `permissions.environment`.
    pub(crate) fn setting_of(&self, metadata: &Metadata, name: &str) -> Option<&String> {
        let value = self.given.get(name)?;
        let mut asked = metadata.permissions.environment.iter();
        let is_meant = !has_own_settings(metadata)
            || self.allowed.contains(name)
            || asked.any(|known| known == name);
        is_meant.then_some(value)
    }

    /// Returns true if a variable is set and no skill gets it.
    pub fn withholds(&self, name: &str) -> bool {
        self.withheld.contains_key(name) && !self.given.contains_key(name)
    }

    /// Returns a variable for one of our tools, whatever it contains. Never for a skill.
    pub fn setting(&self, name: &str) -> Option<&String> {
        self.given.get(name).or_else(|| self.withheld.get(name))
    }

    /// Returns only what skills may get.
    pub fn into_given(self) -> BTreeMap<String, String> {
        self.given
    }
}

impl Deref for HostEnvironment {
    type Target = BTreeMap<String, String>;

    fn deref(&self) -> &Self::Target {
        &self.given
    }
}

impl DerefMut for HostEnvironment {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.given
    }
}

impl From<BTreeMap<String, String>> for HostEnvironment {
    fn from(all: BTreeMap<String, String>) -> Self {
        Self::from_caller(all, &[])
    }
}

impl<const N: usize> From<[(String, String); N]> for HostEnvironment {
    fn from(all: [(String, String); N]) -> Self {
        BTreeMap::from(all).into()
    }
}

impl FromIterator<(String, String)> for HostEnvironment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(all: I) -> Self {
        BTreeMap::from_iter(all).into()
    }
}

/// Returns true for skills of services and MCP servers: no host ever gave them its variables.
pub(crate) fn has_own_settings(metadata: &Metadata) -> bool {
    let entry = metadata.entry.as_ref();
    let is_server = entry.is_some_and(|entry| entry.mcp.is_some());
    is_server || metadata.commands.iter().any(|it| it.http.is_some())
}

/// Names alone: values may be secrets.
impl fmt::Debug for HostEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostEnvironment")
            .field("given", &self.given.keys())
            .field("withheld", &self.withheld.keys())
            .field("allowed", &self.allowed)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_withheld_except_for_the_administrators_code() {
        let names = [AUTH_CODE, "TEA_TOKEN", "POT_TOKEN", "CUPS"];
        let all = names.map(|name| (name.to_owned(), "123456".to_owned()));
        let found = HostEnvironment::from_caller(all.into(), &["POT_TOKEN".to_owned()]);
        let given: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(given, ["CUPS", AUTH_CODE, "POT_TOKEN"]);
        assert!(found.withholds("TEA_TOKEN") && !found.withholds(AUTH_CODE));
    }
}
