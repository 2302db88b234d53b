//! The registries from which npm and pip get packages: a package serves another skill only if it is
//! from the same one.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use skill_loader::fs::read_named;
use skill_model::Digest;

use crate::tool::Tools;
use crate::variables::redact;

/// Largest file of settings that is read, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The setting of the registry for all packages without one of their own.
const ALL: &str = "registry";

/// The addresses of registries without passwords, by the settings of npm: `registry`,
/// `@scope:registry`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Registries(pub(crate) BTreeMap<String, String>);

impl Registries {
    /// Asks npm for its settings in a directory; there are none without npm.
    pub(crate) fn read(tools: Tools<'_>, dir: &Path) -> Self {
        let text = tools.check(&["npm", "config", "list", "--json"], dir);
        let settings: Option<Value> = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        Self::new(&settings.unwrap_or_default())
    }

    /// Returns the settings of pip that say from where packages come: variables without passwords, and
    /// digests of files.
    pub(crate) fn of_pip(environment: &BTreeMap<String, String>) -> Self {
        let is_one = |name: &str| {
            let words = ["INDEX", "FIND_LINKS", "CONFIG_FILE"];
            name.starts_with("PIP_") && words.iter().any(|word| name.contains(word))
        };
        let variables = environment.iter().filter(|(name, _)| is_one(name));
        let variables = variables.map(|(name, value)| (name.clone(), redact(value)));
        let home = environment.get("HOME").map_or("", String::as_str);
        let own = environment.get("PIP_CONFIG_FILE").cloned();
        let config = environment.get("XDG_CONFIG_HOME");
        let files = [
            own.unwrap_or_else(|| "/etc/pip.conf".to_owned()),
            format!("{home}/.pip/pip.conf"),
            config.map_or(format!("{home}/.config/pip/pip.conf"), |dir| {
                format!("{dir}/pip/pip.conf")
            }),
        ];
        let files = files.into_iter().filter_map(|file| {
            let bytes = read_named(Path::new(&file), MAX_FILE).ok()?;
            Some((file, Digest::from_content(&bytes).hex()))
        });
        Self(variables.chain(files).collect())
    }

    fn new(settings: &Value) -> Self {
        let all = settings.as_object().into_iter().flat_map(Map::iter);
        let registries = all.filter_map(|(name, value)| {
            let is_one = name == ALL || name.starts_with('@') && name.ends_with(":registry");
            let url = value.as_str().filter(|_| is_one)?;
            Some((name.clone(), redact(url)))
        });
        Self(registries.collect())
    }

    /// Returns the registry of a package; empty if there is none.
    pub(crate) fn of(&self, name: &str) -> &str {
        let scope = name.split_once('/').map(|(scope, _)| scope);
        let own = scope.and_then(|scope| self.0.get(&format!("{scope}:registry")));
        own.or_else(|| self.0.get(ALL)).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scope_can_have_its_own_registry() {
        let found = Registries::new(&json!({
            "registry": "https://registry.npmjs.org/",
            "@own:registry": "https://me:pw@own.example/",
            "replace-registry-host": "npmjs",
        }));
        for (name, expected) in [
            ("a", "https://registry.npmjs.org/"),
            ("@s/a", "https://registry.npmjs.org/"),
            ("@own/a", "https://***@own.example/"),
        ] {
            assert_eq!(found.of(name), expected, "{name}");
        }
        assert_eq!(Registries::default().of("a"), "");
    }
}
