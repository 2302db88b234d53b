//! The environment of the caller, without what its user has not allowed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Deref;

use skill_model::Metadata;

use super::guarded::{Guard, guard};
use crate::auth_code::AUTH_CODE;

/// The environment that replaces that of the old host. Used as a map, it contains what skills may
/// get; secrets that the user has not allowed by name, variables for loaders, and the administrator's
/// code are stored separately.
#[derive(Clone, Default)]
pub struct HostEnvironment {
    given: BTreeMap<String, String>,
    /// The administrator's code, which is for skills with `admin: true` alone: no name of a setting leads
    /// to it.
    code: Option<String>,
    withheld: BTreeMap<String, String>,
    /// The names that the user allowed.
    allowed: BTreeSet<String>,
}

impl HostEnvironment {
    /// Takes the environment of the caller; of its secrets, skills may get those that the user
    /// `allowed` by name. The administrator's code belongs to this tool: a
    /// skill with `admin: true` gets it, and no other.
    pub fn from_caller(mut all: BTreeMap<String, String>, allowed: &[String]) -> Self {
        let code = all.remove(AUTH_CODE);
        let (given, withheld) =
            all.into_iter()
                .partition(|(name, value)| match guard(name, value) {
                    Guard::Open => true,
                    Guard::Secret => allowed.contains(name),
                    Guard::Loader => false,
                });
        Self {
            given,
            code,
            withheld,
            allowed: allowed.iter().cloned().collect(),
        }
    }

    /// Returns the administrator's code, for a skill with `admin: true`.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// Sets a variable that skills may get, or the administrator's code by its name.
    pub fn insert(&mut self, name: String, value: String) {
        if name == AUTH_CODE {
            self.code = Some(value);
        } else {
            self.given.insert(name, value);
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

    /// Returns only what skills may get, with the administrator's code.
    pub fn into_given(self) -> BTreeMap<String, String> {
        let code = self.code.map(|code| (AUTH_CODE.to_owned(), code));
        self.given.into_iter().chain(code).collect()
    }
}

impl Deref for HostEnvironment {
    type Target = BTreeMap<String, String>;

    fn deref(&self) -> &Self::Target {
        &self.given
    }
}

impl Extend<(String, String)> for HostEnvironment {
    fn extend<I: IntoIterator<Item = (String, String)>>(&mut self, all: I) {
        for (name, value) in all {
            self.insert(name, value);
        }
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
            .field("has_code", &self.code.is_some())
            .field("withheld", &self.withheld.keys())
            .field("allowed", &self.allowed)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_withheld_and_the_administrators_code_is_apart() {
        let names = [AUTH_CODE, "TEA_TOKEN", "POT_TOKEN", "CUPS"];
        let all = names.map(|name| (name.to_owned(), "123456".to_owned()));
        let found = HostEnvironment::from_caller(all.into(), &["POT_TOKEN".to_owned()]);
        let given: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(given, ["CUPS", "POT_TOKEN"]);
        assert_eq!(found.code(), Some("123456"));
        assert!(found.withholds("TEA_TOKEN") && !found.withholds(AUTH_CODE));
        let mut other = HostEnvironment::default();
        other.extend(found.into_given());
        assert!(other.code().is_some() && !other.contains_key(AUTH_CODE));
    }
}
