//! Resolves a path and records the links on the way.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FileType, Mode, Stat, lstat, readlink};
use rustix::io::Errno;

/// The number of links that the kernel follows (`path_resolution(7)`).
const MOST_LINKS: usize = 40;

/// The target of a path.
#[derive(Debug)]
pub(super) struct Trail {
    /// The path of the same file without links.
    pub(super) real: PathBuf,
    /// The links that were followed: their paths and their targets.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
}

/// Follows an absolute path to its end; `None` if nothing exists there.
pub(super) fn trail(path: &Path) -> Option<Trail> {
    let mut real = PathBuf::from("/");
    let mut links = Vec::new();
    let mut left: VecDeque<OsString> = names(path).collect();
    while let Some(name) = left.pop_front() {
        if name == ".." {
            real.pop();
            continue;
        }
        let next = real.join(&name);
        match readlink(&next, Vec::new()) {
            Ok(target) => {
                let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                for name in names(&target).collect::<Vec<_>>().into_iter().rev() {
                    left.push_front(name);
                }
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                links.push((next, target));
            }
            Err(Errno::INVAL) => real = next,
            Err(_) => return None,
        }
        if links.len() > MOST_LINKS {
            return None;
        }
    }
    Some(Trail { real, links })
}

fn names(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsStr::new("..").to_owned()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}

/// Returns true if every user may write a directory on the way to a file, such as `/tmp`.
pub(super) fn is_open_to_all(real: &Path) -> bool {
    let is_open = |stat: Stat| Mode::from_raw_mode(stat.st_mode).contains(Mode::WOTH);
    let mut directories = real.ancestors().skip(1);
    directories.any(|directory| lstat(directory).is_ok_and(is_open))
}

/// Returns the reason why a file cannot be executed, as a clause; `None` for an executable regular
/// file. The path must not contain links.
pub(super) fn unfit(real: &Path) -> Option<&'static str> {
    let Ok(stat) = lstat(real) else {
        return Some("which cannot be examined");
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if is_executable(stat) => None,
        FileType::RegularFile => Some("which is not executable"),
        FileType::Directory => Some("which is a directory"),
        _ => Some("which is not a regular file"),
    }
}

fn is_executable(stat: Stat) -> bool {
    let any = Mode::XUSR | Mode::XGRP | Mode::XOTH;
    Mode::from_raw_mode(stat.st_mode).intersects(any)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files are laid out")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// Checks the target of `path` in a directory with links.
    fn check(path: &str, expected: Option<(&str, usize)>) {
        let dir = tempfile::tempdir().unwrap();
        let base = trail(dir.path()).unwrap().real;
        fs::create_dir_all(base.join("a/b")).unwrap();
        fs::write(base.join("a/b/file"), "").unwrap();
        symlink("a", base.join("relative")).unwrap();
        symlink(base.join("relative/b"), base.join("absolute")).unwrap();
        symlink("../a/./b/../b/file", base.join("a/up")).unwrap();
        symlink("loop", base.join("loop")).unwrap();
        let found = trail(&base.join(path));
        let found = found.map(|found| (found.real, found.links.len()));
        let expected = expected.map(|(real, n_links)| (base.join(real), n_links));
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn links_are_followed_and_named() {
        check("a/b/file", Some(("a/b/file", 0)));
        check("relative/b/file", Some(("a/b/file", 1)));
        check("absolute/file", Some(("a/b/file", 2)));
        check("a/up", Some(("a/b/file", 1)));
        check("relative/../absolute", Some(("a/b", 3)));
        check("loop", None);
        check("a/missing", None);
    }

    #[test]
    fn directories_that_everybody_writes() {
        assert!(is_open_to_all(Path::new("/tmp/x/bin/tool")));
        assert!(!is_open_to_all(Path::new("/usr/bin/env")));
    }
}
