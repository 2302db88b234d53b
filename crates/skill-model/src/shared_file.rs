//! A file that a skill shares with the skill that keeps it beside its program: `schedules.json` of a
//! calendar, which a briefing reads.
//!
//! Written as `DIRECTORY/PATH`: the directory of the plugin that the other skill was migrated from, and
//! the path in it.

use std::fmt;
use std::str::FromStr;

use crate::Permissions;
use crate::portable::is_portable_name;
use crate::private::{PrivateKind, private_path};

/// A data file of another skill.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SharedFile {
    directory: String,
    path: String,
}

/// The reason why a text names no file that skills may share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SharedFileError {
    /// It is not a directory and a path in it.
    #[error("a shared file is DIRECTORY/PATH: the directory of another plugin, and a file in it")]
    Form,
    /// The name is not portable, or the path leads elsewhere.
    #[error("the path of a shared file has only portable names, and no `..`")]
    Path,
    /// Programs and tools load it, or its kind is unknown.
    #[error(
        "only data files are shared: csv, json, jsonl, log, md, toml, tsv, txt, xml, yaml, yml"
    )]
    Kind,
    /// It holds settings or credentials.
    #[error("files with settings or credentials are not shared")]
    Private,
}

/// The ends of the names of data files. Databases are not among them: a copy of one that is open is not
/// whole.
const DATA: [&str; 11] = [
    "csv", "json", "jsonl", "log", "md", "toml", "tsv", "txt", "xml", "yaml", "yml",
];
/// Files with such a name that decide which code is loaded.
const LOADED: [&str; 11] = [
    "bunfig.toml",
    "cargo.toml",
    "delegates.xml",
    "deno.json",
    "jsconfig.json",
    "manifest.json",
    "package-lock.json",
    "package.json",
    "plugin-manifest.json",
    "pyproject.toml",
    "tsconfig.json",
];

impl SharedFile {
    /// Returns the file at a path in the directory of a plugin.
    ///
    /// # Errors
    ///
    /// Skills may not share such a file.
    pub fn new(directory: &str, path: &str) -> Result<Self, SharedFileError> {
        if directory.is_empty() || path.is_empty() || directory.contains('/') {
            return Err(SharedFileError::Form);
        }
        if ![directory]
            .into_iter()
            .chain(path.split('/'))
            .all(is_portable_name)
        {
            return Err(SharedFileError::Path);
        }
        let lower = path.to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or_default();
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        let is_hidden = lower.split('/').any(|part| part.starts_with('.'));
        let is_installed = lower.split('/').any(|part| part == "node_modules");
        if is_hidden || is_installed || !DATA.contains(&end) || LOADED.contains(&name) {
            return Err(SharedFileError::Kind);
        }
        let kind = private_path(path).map(|row| row.kind);
        if matches!(kind, Some(PrivateKind::Settings | PrivateKind::Credentials)) {
            return Err(SharedFileError::Private);
        }
        Ok(Self {
            directory: directory.to_owned(),
            path: path.to_owned(),
        })
    }

    /// Returns the directory of the plugin that keeps the file.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// Returns the path of the file in that directory.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl FromStr for SharedFile {
    type Err = SharedFileError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (directory, path) = text.split_once('/').ok_or(SharedFileError::Form)?;
        Self::new(directory, path)
    }
}

impl fmt::Display for SharedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.directory, self.path)
    }
}

impl Permissions {
    /// Returns the data files of other skills in `shared`.
    pub fn shared_files(&self) -> impl Iterator<Item = SharedFile> {
        self.shared.iter().filter_map(|entry| entry.parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_files_are_shared() {
        use SharedFileError::{Form, Kind, Path, Private};
        for (text, expected) in [
            ("Calendar/entries.json", Ok("Calendar/entries.json")),
            ("Calendar/data/of day.TXT", Ok("Calendar/data/of day.TXT")),
            ("entries.json", Err(Form)),
            ("/etc/x.json", Err(Form)),
            ("Calendar/", Err(Form)),
            ("Calendar/../x.json", Err(Path)),
            ("../Calendar/x.json", Err(Path)),
            ("Calendar//x.json", Err(Path)),
            ("Calendar/a:b.json", Err(Path)),
            ("Calendar/main.js", Err(Kind)),
            ("Calendar/entries", Err(Kind)),
            ("Calendar/entries.db", Err(Kind)),
            ("Calendar/package.json", Err(Kind)),
            ("Calendar/lib/Package.JSON", Err(Kind)),
            ("Calendar/.cargo/config.toml", Err(Kind)),
            ("Calendar/node_modules/x/data.json", Err(Kind)),
            ("Calendar/credentials.json", Err(Private)),
        ] {
            let found = text.parse::<SharedFile>().map(|file| file.to_string());
            assert_eq!(found, expected.map(str::to_owned), "{text}");
        }
    }
}
