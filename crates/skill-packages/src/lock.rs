//! `skills.lock` of a package: the contents of the last package, from which the next version follows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skill_model::{Metadata, skill_path};

use crate::accepted::AcceptedValues;

/// The path of the file in a package.
pub(crate) const LOCK: &str = "skills.lock";
/// The version of the format.
const SCHEMA: u32 = 1;

/// The whole file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PackageLock {
    /// Version of this format; 1.
    pub schema: u32,
    /// The package.
    pub package: PackageId,
    /// The skills by name; a version of a skill beside another one is `NAME@VERSION`.
    pub skills: BTreeMap<String, LockedInterface>,
    /// Every file of the package except this one, with its digest.
    pub files: BTreeMap<String, String>,
}

/// The name and the version of a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PackageId {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

/// The interface of a skill, on which its callers rely.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct LockedInterface {
    /// The version in its METADATA.yml; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The versions of the skills that it requires, by name, as they were resolved in this package.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requires: BTreeMap<String, String>,
    /// True if the skill can be run.
    pub runnable: bool,
    /// The arguments of each command; true for those that are required.
    #[serde(default)]
    pub commands: BTreeMap<String, BTreeMap<String, bool>>,
    /// The values that the arguments of each command accept; absent in the files of earlier versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accepts: BTreeMap<String, BTreeMap<String, AcceptedValues>>,
    /// True if the skill is switched off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub switched_off: bool,
}

/// A file is not the lock of a package.
#[derive(Debug, thiserror::Error)]
#[error("skills.lock is not that of a package; choose another directory for the package")]
pub struct PackageLockError(#[source] Option<serde_json::Error>);

/// Returns whether a skill is a version beside another one of its name, by its name in the package.
pub(crate) fn is_other_version(name: &str) -> bool {
    name.contains('@')
}

/// Returns the directory of a skill below `skills/`. A version beside another one is where no agent looks
/// for skills.
pub(crate) fn skill_directory(name: &str) -> String {
    skill_path(name, is_other_version(name))
}

impl PackageLock {
    pub(crate) fn new(
        name: &str,
        version: String,
        skills: BTreeMap<String, LockedInterface>,
        files: BTreeMap<String, String>,
    ) -> Self {
        Self {
            schema: SCHEMA,
            package: PackageId {
                name: name.to_owned(),
                version,
            },
            skills,
            files,
        }
    }

    /// Returns this lock with the interfaces of the last one where the METADATA.yml is the same: those
    /// differ only because an earlier version of this tool knew less about them.
    pub(crate) fn with_known(&self, last: &Self) -> Self {
        let mut res = self.clone();
        for (name, interface) in &mut res.skills {
            let path = format!("skills/{}/METADATA.yml", skill_directory(name));
            let is_same = |digest: &String| last.files.get(&path) == Some(digest);
            if let Some(known) = last.skills.get(name)
                && self.files.get(&path).is_some_and(is_same)
            {
                *interface = LockedInterface {
                    requires: interface.requires.clone(),
                    ..known.clone()
                };
            }
        }
        res
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// The text is not the lock of a package, or is of a later version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PackageLockError> {
        let res: Self = serde_json::from_slice(bytes).map_err(|err| PackageLockError(Some(err)))?;
        if res.schema == SCHEMA {
            Ok(res)
        } else {
            Err(PackageLockError(None))
        }
    }

    /// Returns the text of the file: equal values give equal bytes.
    pub fn to_text(&self) -> String {
        let mut res = serde_json::to_string_pretty(self).expect("a map with text keys is JSON");
        res.push('\n');
        res
    }
}

impl LockedInterface {
    pub(crate) fn new(metadata: Option<&Metadata>) -> Self {
        let Some(metadata) = metadata else {
            return Self::default();
        };
        let commands = metadata.commands.iter().map(|command| {
            let schema = &command.input_schema;
            let required = schema["required"].as_array();
            let is_required = |name: &str| {
                required.is_some_and(|all| all.iter().any(|one| one.as_str() == Some(name)))
            };
            let properties = schema["properties"].as_object();
            let names = properties.into_iter().flat_map(|map| map.keys());
            let arguments = names.map(|name| (name.clone(), is_required(name)));
            (command.id.clone(), arguments.collect())
        });
        let accepts = metadata.commands.iter().filter_map(|command| {
            let properties = command.input_schema["properties"].as_object()?;
            let values = properties.iter();
            let values = values.map(|(name, schema)| (name.clone(), AcceptedValues::new(schema)));
            Some((command.id.clone(), values.collect::<BTreeMap<_, _>>()))
        });
        let accepts = accepts.filter(|(_, values)| !values.is_empty());
        Self {
            version: metadata.version.clone(),
            requires: BTreeMap::new(),
            runnable: metadata.enabled && metadata.can_run(),
            commands: commands.collect(),
            accepts: accepts.collect(),
            switched_off: !metadata.enabled,
        }
    }
}
