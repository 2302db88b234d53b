//! Resolving paths.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::{PathError, sys};

/// Returns the absolute path without links, `.` and `..`. Components that do not exist yet are kept
/// as written.
pub fn resolve(path: &Path) -> Result<PathBuf, PathError> {
    let mut rest = Vec::new();
    let mut head = path;
    loop {
        let shown = if head.as_os_str().is_empty() {
            Path::new(".")
        } else {
            head
        };
        match sys::canonical(shown) {
            Ok(real) => return Ok(append(real, rest)),
            Err(err) if err.kind() == ErrorKind::NotFound => {}
            Err(source) => {
                return Err(PathError {
                    action: "resolve",
                    path: path.to_owned(),
                    source,
                });
            }
        }
        let mut components = head.components();
        let Some(last) = components.next_back() else {
            return Ok(append(head.to_owned(), rest));
        };
        rest.push(last);
        head = components.as_path();
    }
}

fn append(mut real: PathBuf, rest: Vec<Component<'_>>) -> PathBuf {
    for component in rest.into_iter().rev() {
        match component {
            Component::ParentDir => {
                real.pop();
            }
            Component::Normal(name) => real.push(name),
            _ => {}
        }
    }
    real
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn resolves_what_is_and_what_is_not_yet() {
        let dir = tempfile::tempdir().unwrap();
        let real = resolve(dir.path()).unwrap();
        assert_eq!(
            resolve(&dir.path().join("a/../b/c")).unwrap(),
            real.join("b/c")
        );
        std::os::unix::fs::symlink(dir.path(), dir.path().join("link")).unwrap();
        assert_eq!(resolve(&dir.path().join("link/x")).unwrap(), real.join("x"));
    }
}
