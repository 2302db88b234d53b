//! Checking relative paths.

use skill_model::{NameFlaw, path_flaw};
use thiserror::Error;

/// The reason why a string is not a relative path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RelativeError {
    /// It is empty, or has an empty component.
    #[error("a component is empty")]
    Empty,
    /// It begins with `/`.
    #[error("is absolute")]
    Absolute,
    /// A component is `.` or `..`.
    #[error("has `.` or `..` as a component")]
    Dots,
    /// It contains a NUL character.
    #[error("contains a NUL character")]
    Nul,
    /// A component is longer than 255 bytes.
    #[error("a component has more than 255 bytes")]
    TooLong,
    /// A component means something else on Windows; it is refused on every system.
    #[error("a component {0}, expected a name that every system can store")]
    NotPortable(NameFlaw),
}

/// Checks that `path` names an entry inside a directory: components separated by single `/`, none
/// of them empty, `.` or `..`, none with `\` or `:`, and none that Windows takes for a device or for
/// another name.
pub fn check_relative(path: &str) -> Result<(), RelativeError> {
    check_with(path, path_flaw)
}

/// Like [`check_relative`], for reading a tree that others made on this system: `:` is an ordinary
/// character of a name, except on Windows, where it begins a stream.
pub(super) fn check_stored(path: &str) -> Result<(), RelativeError> {
    check_with(path, |name| {
        if cfg!(windows) || !name.contains(':') {
            path_flaw(name)
        } else {
            path_flaw(&name.replace(':', "-"))
        }
    })
}

fn check_with(path: &str, flaw_of: impl Fn(&str) -> Option<NameFlaw>) -> Result<(), RelativeError> {
    if path.starts_with('/') {
        return Err(RelativeError::Absolute);
    }
    if path.contains('\0') {
        return Err(RelativeError::Nul);
    }
    path.split('/').try_for_each(|component| match component {
        "" => Err(RelativeError::Empty),
        "." | ".." => Err(RelativeError::Dots),
        long if long.len() > 255 => Err(RelativeError::TooLong),
        component => match flaw_of(component) {
            Some(flaw) => Err(RelativeError::NotPortable(flaw)),
            None => Ok(()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_stays_inside() {
        use NameFlaw::{Character, Device, Ending};
        use RelativeError::{Absolute, Dots, Empty, NotPortable, Nul, TooLong};
        let long = "x".repeat(256);
        for (path, want) in [
            ("a", Ok(())),
            ("a/b.c/…", Ok(())),
            ("a\nb/-x/..c", Ok(())),
            ("", Err(Empty)),
            ("a//b", Err(Empty)),
            ("a/", Err(Empty)),
            ("/etc/passwd", Err(Absolute)),
            ("..", Err(Dots)),
            ("a/../b", Err(Dots)),
            ("./a", Err(Dots)),
            ("a\0b", Err(Nul)),
            (long.as_str(), Err(TooLong)),
            ("a/..\\b", Err(NotPortable(Character('\\')))),
            ("C:x", Err(NotPortable(Character(':')))),
            ("a/b:stream", Err(NotPortable(Character(':')))),
            ("a/NUL", Err(NotPortable(Device))),
            ("com1.txt/a", Err(NotPortable(Device))),
            ("a./b", Err(NotPortable(Ending))),
            ("a ", Err(NotPortable(Ending))),
        ] {
            assert_eq!(check_relative(path), want, "{path:?}");
        }
    }

    #[test]
    fn a_colon_is_read_where_it_is_stored() {
        use NameFlaw::{Character, Device, Ending};
        use RelativeError::{Absolute, Dots, NotPortable};
        let colon = if cfg!(windows) {
            Err(NotPortable(Character(':')))
        } else {
            Ok(())
        };
        for (path, want) in [
            ("a/b:c.md", colon),
            ("a:b/c", colon),
            ("a:b/..", Err(Dots)),
            ("/a:b", Err(Absolute)),
            ("a:b\\c", Err(NotPortable(Character('\\')))),
            ("a:b.", Err(NotPortable(Ending))),
            ("nul", Err(NotPortable(Device))),
        ] {
            let found = check_stored(path);
            if cfg!(windows) && want.is_err() {
                assert!(found.is_err(), "{path:?}");
            } else {
                assert_eq!(found, want, "{path:?}");
            }
        }
    }
}
