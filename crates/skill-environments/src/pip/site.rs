//! A virtual environment of Python as files: nothing in it is started to look at it, because a
//! package can bring code that every start of its interpreter runs (`*.pth`, `sitecustomize`).

use skill_loader::fs::{Kind, ReadError, Root, WalkLimits};
use skill_model::pip_key;

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 4 << 20;
const CONFIGURATION: &str = "pyvenv.cfg";

/// An environment as it was before packages were installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Site {
    /// The directory of packages, relative to the environment.
    pub(super) packages: String,
    /// The version of Python.
    pub(super) version: String,
    /// Its programs and its configuration.
    files: Vec<(String, String)>,
}

impl Site {
    /// Reads an environment without packages.
    pub(super) fn read(dir: &Root) -> Result<Self, ReadError> {
        let mut paths = vec![CONFIGURATION.to_owned(), "lib64".to_owned()];
        for programs in ["bin", "Scripts"] {
            paths.extend(children(dir, programs).unwrap_or_default());
        }
        let mut files = Vec::new();
        for path in paths {
            let content = content(dir, &path)?;
            files.push((path, content));
        }
        Ok(Self {
            packages: packages(dir),
            version: version(dir),
            files,
        })
    }

    /// Returns the first of its programs, or the configuration, if it is another one now.
    pub(super) fn changed(&self, dir: &Root) -> Option<&str> {
        let mut files = self.files.iter();
        let changed =
            files.find(|(path, before)| content(dir, path).is_ok_and(|now| now != *before));
        changed.map(|(path, _)| path.as_str())
    }

    /// Returns the names of all installed packages, as in [`pip_key`].
    pub(super) fn installed(&self, dir: &Root) -> Result<Vec<String>, ReadError> {
        let mut res = Vec::new();
        for at in children(dir, &self.packages)? {
            if !at.ends_with(".dist-info") {
                continue;
            }
            let text = dir.read(&format!("{at}/METADATA"), MAX_FILE);
            let text = text.unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            // The header ends with an empty line.
            let mut header = text.lines().take_while(|line| !line.is_empty());
            let name = header.find_map(|line| line.strip_prefix("Name:"));
            res.extend(name.map(|name| pip_key(name.trim())));
        }
        Ok(res)
    }
}

/// Returns the directory of packages: that of Unix, or of Windows.
pub(super) fn packages(dir: &Root) -> String {
    let libraries = children(dir, "lib").unwrap_or_default().into_iter();
    let mut places = libraries.map(|at| format!("{at}/site-packages"));
    places
        .find(|at| matches!(dir.kind(at), Ok(Some(Kind::Dir))))
        .unwrap_or_else(|| "Lib/site-packages".to_owned())
}

fn version(dir: &Root) -> String {
    let text = dir.read(CONFIGURATION, MAX_FILE).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let value = |line: &str| {
        let (key, value) = line.split_once('=')?;
        // `version_info` is that of uv.
        matches!(key.trim(), "version" | "version_info").then(|| value.trim().to_owned())
    };
    text.lines().find_map(value).unwrap_or_default()
}

/// Returns what a path is: the target of a link, or the digest of a file.
fn content(dir: &Root, path: &str) -> Result<String, ReadError> {
    Ok(match dir.kind(path)? {
        Some(Kind::Symlink) => format!("link {}", dir.link_target(path)?),
        Some(Kind::File(_)) => format!("file {}", dir.digest(path)?.0.hex()),
        Some(kind) => kind.to_string(),
        None => String::new(),
    })
}

/// Returns the paths directly in a directory.
pub(super) fn children(dir: &Root, path: &str) -> Result<Vec<String>, ReadError> {
    let limits = WalkLimits {
        depth: 0,
        ..WalkLimits::default()
    };
    let listing = dir.walk(path, &limits, &|_| true)?;
    Ok(listing
        .entries
        .into_iter()
        .map(|entry| entry.path)
        .collect())
}

#[cfg(test)]
mod tests {
    use skill_loader::fs::resolve;

    use super::*;

    /// Lays out an environment with these files; what begins with `->` is a link.
    fn check(files: &[(&str, &str)], look: &dyn Fn(&Root)) {
        let place = tempfile::tempdir().unwrap();
        let dir = Root::make(&resolve(place.path()).unwrap()).unwrap();
        for (path, text) in files {
            match text.strip_prefix("->") {
                Some(target) => assert!(dir.link(path, target).unwrap()),
                None => {
                    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
                    if parent != "." {
                        dir.make_dir(parent).unwrap();
                    }
                    dir.write_whole(parent, name, text.as_bytes()).unwrap();
                }
            }
        }
        look(&dir);
    }

    #[test]
    fn packages_are_known_by_their_descriptions() {
        const SITE: &str = "lib/python3.11/site-packages";
        let one = format!("{SITE}/Some_One-1.0.dist-info/METADATA");
        let files = [
            ("pyvenv.cfg", "home = /usr/bin\nversion = 3.11.7\n"),
            (&one, "Metadata-Version: 2.1\nName: Some_One\n\nName: no\n"),
        ];
        check(&files, &|dir| {
            let site = Site::read(dir).unwrap();
            assert_eq!(site.installed(dir).unwrap(), [pip_key("some-one")]);
            assert_eq!((&*site.packages, &*site.version), (SITE, "3.11.7"));
        });
        check(&[("pyvenv.cfg", "version_info = 3.12.1\n")], &|dir| {
            assert_eq!(Site::read(dir).unwrap().version, "3.12.1");
        });
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_interpreter_is_seen() {
        let files = [
            ("pyvenv.cfg", "home = /usr/bin\n"),
            ("bin/python", "->/usr/bin/python3"),
        ];
        check(&files, &|dir| {
            let before = Site::read(dir).unwrap();
            dir.write_whole("bin", "added", b"#!/bin/sh\n").unwrap();
            assert_eq!(before.changed(dir), None);
            dir.remove("bin/python").unwrap();
            dir.write_whole("bin", "python", b"#!/bin/sh\n").unwrap();
            assert_eq!(before.changed(dir), Some("bin/python"));
            dir.write_whole(".", "pyvenv.cfg", b"home = /evil\n")
                .unwrap();
            assert_eq!(before.changed(dir), Some("pyvenv.cfg"));
        });
    }
}
