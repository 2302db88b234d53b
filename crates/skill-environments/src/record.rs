//! The record of an environment, in a file of the store.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use skill_loader::fs::TreeSize;

use crate::needs::Need;
use crate::registries::Registries;

/// The word for an environment that pip filled. Its lists name every installed file.
pub(crate) const PIP: &str = "pip";

/// A package that an environment lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingPackage {
    /// Its name.
    pub name: String,
    /// The reason, in the words of the package manager.
    pub reason: String,
    /// True if the program handles its absence.
    pub is_optional: bool,
}

/// An environment that is complete, or lacks only what cannot be installed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Record {
    /// The directory in the store.
    pub(crate) dir: String,
    /// The ranges that were asked for.
    pub(crate) ranges: BTreeMap<String, String>,
    /// The packages that could not be installed.
    pub(crate) missing: Vec<MissingPackage>,
    /// Packages with an install script that was not run.
    pub(crate) scripts_off: Vec<String>,
    /// Packages whose install scripts were run.
    pub(crate) scripts_run: Vec<String>,
    /// The version of the runtime for which it was made.
    pub(crate) runtime: String,
    /// The digests of the packages that are in the skill itself.
    pub(crate) digests: BTreeMap<String, String>,
    /// The registries from which it was installed.
    pub(crate) registries: Registries,
    /// The program that filled a Python environment; empty if it is not known.
    pub(crate) installer: String,
    /// The size of the directory, once it was measured: environments do not change.
    pub(crate) size: Option<TreeSize>,
}

impl Record {
    pub(crate) fn ranges(packages: &BTreeMap<String, Need>) -> BTreeMap<String, String> {
        packages
            .iter()
            .map(|(name, need)| (name.clone(), need.range.clone()))
            .collect()
    }

    pub(crate) fn to_text(&self) -> String {
        let missing: Vec<Value> = self
            .missing
            .iter()
            .map(|one| json!({"name": one.name, "reason": one.reason, "optional": one.is_optional}))
            .collect();
        let value = json!({
            "schema": 1,
            "dir": self.dir,
            "ranges": self.ranges,
            "missing": missing,
            "scripts_off": self.scripts_off,
            "scripts_run": self.scripts_run,
            "runtime": self.runtime,
            "digests": self.digests,
            "registries": self.registries.0,
            "installer": self.installer,
            "size": self.size.map(|size| [size.n_files, size.bytes, size.alone]),
        });
        format!("{value:#}\n")
    }

    /// Reads a record; `None` if it is not one of this version.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value["schema"] != 1 {
            return None;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let texts = |value: &Value| -> Vec<String> {
            value.as_array().into_iter().flatten().map(text).collect()
        };
        let map = |value: &Value| -> BTreeMap<String, String> {
            let entries = value.as_object().into_iter().flat_map(Map::iter);
            entries
                .map(|(name, value)| (name.clone(), text(value)))
                .collect()
        };
        let missing = value["missing"].as_array().into_iter().flatten();
        Some(Self {
            dir: text(&value["dir"]),
            ranges: map(&value["ranges"]),
            missing: missing
                .map(|one| MissingPackage {
                    name: text(&one["name"]),
                    reason: text(&one["reason"]),
                    is_optional: one["optional"] == true,
                })
                .collect(),
            scripts_off: texts(&value["scripts_off"]),
            scripts_run: texts(&value["scripts_run"]),
            runtime: text(&value["runtime"]),
            digests: map(&value["digests"]),
            registries: Registries(map(&value["registries"])),
            installer: text(&value["installer"]),
            size: size(&value["size"]),
        })
    }
}

fn size(value: &Value) -> Option<TreeSize> {
    let [n_files, bytes, alone] = value.as_array()?.as_slice() else {
        return None;
    };
    Some(TreeSize {
        n_files: n_files.as_u64()?,
        bytes: bytes.as_u64()?,
        alone: alone.as_u64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let record = Record {
            dir: "npm/0-1".to_owned(),
            ranges: [("a".to_owned(), "^1".to_owned())].into(),
            missing: vec![MissingPackage {
                name: "gone".to_owned(),
                reason: "404".to_owned(),
                is_optional: true,
            }],
            scripts_off: vec!["b".to_owned()],
            scripts_run: Vec::new(),
            runtime: "v20.0.0".to_owned(),
            digests: [("own".to_owned(), "00ff".to_owned())].into(),
            registries: Registries([("registry".to_owned(), "https://r".to_owned())].into()),
            installer: "pip".to_owned(),
            size: Some(TreeSize {
                n_files: 2,
                bytes: 8192,
                alone: 4096,
            }),
        };
        assert_eq!(Record::read(&record.to_text()), Some(record));
        assert_eq!(Record::read("{}"), None);
    }
}
