//! The directory that is checked.

use std::path::Path;

use skill_loader::fs::{PathError, Root, resolve};

/// The directory that is checked.
#[derive(Debug)]
pub struct Target {
    /// The opened directory.
    pub root: Root,
    /// Its own name, whatever the path that led there.
    pub name: String,
    /// The prefix of each path in reports; empty, or ends with a slash.
    pub prefix: String,
}

impl Target {
    /// Opens a directory, or the one of a `SKILL.md`. Links on the way are followed.
    pub(crate) fn open(path: &Path) -> Result<Self, PathError> {
        // `SKILL.md` means its directory.
        let is_file = path.file_name().is_some_and(|name| name == "SKILL.md");
        let directory = if is_file {
            path.parent().unwrap_or(path)
        } else {
            path
        };
        let directory = if directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            directory
        };
        let real = resolve(directory)?;
        let name = real
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let shown = directory.to_string_lossy();
        let shown = shown.trim_end_matches('/').trim_start_matches("./");
        Ok(Self {
            root: Root::open_following(directory)?,
            name: name.unwrap_or_default(),
            prefix: if matches!(shown, "" | ".") {
                String::new()
            } else {
                format!("{shown}/")
            },
        })
    }
}
