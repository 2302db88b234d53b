//! The checkout: its root, its files, its workspace metadata.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::shell;

/// Directories without hand-written files of this project.
const SKIPPED: &[&str] = &["target", ".git", "node_modules"];

pub(crate) struct Repo {
    root: PathBuf,
}

impl Repo {
    pub(crate) fn here() -> Result<Self> {
        let crate_dir = std::env::var("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&crate_dir)
            .parent()
            .context("xtask is at the root of the disk")?;
        Ok(Self {
            root: root.to_path_buf(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> Result<String> {
        let path = self.path(relative);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    pub(crate) fn has(&self, relative: &str) -> bool {
        self.path(relative).exists()
    }

    /// Every file below `directory` whose name ends in `suffix`, relative to the root, sorted.
    pub(crate) fn files(&self, directory: &str, suffix: &str) -> Result<Vec<String>> {
        let mut acc = Vec::new();
        collect(&self.root, &self.path(directory), suffix, &mut acc)?;
        acc.sort();
        Ok(acc)
    }

    /// `cargo metadata` of the workspace, without its dependencies.
    pub(crate) fn metadata(&self) -> Result<Value> {
        let text = shell::capture(shell::cargo(self).args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
        ]))?;
        serde_json::from_str(&text).context("cargo metadata printed something that is not JSON")
    }

    /// Returns the names of the tools, sorted: the programs `skills-…`. The program `skills`, which
    /// has all of them, is not among them.
    pub(crate) fn binaries(&self) -> Result<Vec<String>> {
        let metadata = self.metadata()?;
        let mut res: Vec<String> = items(&metadata["packages"])
            .flat_map(|package| items(&package["targets"]))
            .filter(|target| items(&target["kind"]).any(|kind| kind == "bin"))
            .filter_map(|target| target["name"].as_str().map(str::to_owned))
            .filter(|name| name.starts_with("skills-"))
            .collect();
        res.sort();
        Ok(res)
    }

    /// Returns the folder of reference material, if it is next to or above the checkout.
    pub(crate) fn shared(&self) -> Option<PathBuf> {
        self.root
            .ancestors()
            .skip(1)
            .take(2)
            .map(|parent| parent.join("shared"))
            .find(|path| path.is_dir())
    }
}

/// Returns the elements of a JSON array; nothing for other values.
pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn collect(root: &Path, directory: &Path, suffix: &str, acc: &mut Vec<String>) -> Result<()> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                collect(root, &path, suffix, acc)?;
            }
        } else if name.ends_with(suffix) {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            acc.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_itself() {
        let repo = Repo::here().unwrap();
        let files = repo.files("xtask", ".rs").unwrap();
        assert!(files.contains(&"xtask/src/repo.rs".to_owned()));
        assert!(files.is_sorted());
    }
}
