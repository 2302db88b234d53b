//! Resource names that are refused before anything is opened.
//!
//! [`crate::fs`] never leaves the directory. The names refused here in addition lead outside on
//! other systems, or after a program decodes them.

use thiserror::Error;

use crate::fs::{RelativeError, check_relative};

/// The reason why a string is not a valid resource name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PathTrick {
    /// Not a relative path: `..`, absolute, NUL.
    #[error("is not a path inside the skill: {0}")]
    Relative(#[from] RelativeError),
    /// `\`, a separator on other systems.
    #[error("contains a backslash, expected `/` between components")]
    Backslash,
    /// A drive letter such as `C:`.
    #[error("begins with a drive letter")]
    Drive,
    /// A leading `~` or `~user`.
    #[error("begins with `~`")]
    Home,
    /// A URL scheme such as `file:` or `https:`.
    #[error("is a URL, expected a path")]
    Url,
    /// `%2e`, `%2f`, `%5c`, `%00`, or an encoded `%`.
    #[error("contains an encoded separator, dot or NUL")]
    Encoded,
    /// A newline or another control character, or one that changes the direction of text.
    #[error("contains a control character")]
    Control,
    /// A component made only of dots and blanks.
    #[error("has a component of dots and blanks")]
    DotsAndBlanks,
}

/// Encoded characters that matter in paths, with overlong forms of `.` and `/`.
const ENCODED: [&str; 9] = [
    "%2e", "%2f", "%5c", "%00", "%25", "%c0%", "%e0%80", "%u00", "%u22",
];

/// Checks that `path` is the plain name of a file inside a skill.
pub fn check_resource_path(path: &str) -> Result<(), PathTrick> {
    match check_relative(path) {
        // Reading refuses such a name too; the checks below say more about it.
        Ok(()) | Err(RelativeError::NotPortable(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let first = path.split('/').next().unwrap_or_default();
    if path.contains('\\') {
        Err(PathTrick::Backslash)
    } else if is_drive(first) {
        Err(PathTrick::Drive)
    } else if first.starts_with('~') {
        Err(PathTrick::Home)
    } else if is_url(first) {
        Err(PathTrick::Url)
    } else if is_encoded(path) {
        Err(PathTrick::Encoded)
    } else if path.chars().any(is_control) {
        Err(PathTrick::Control)
    } else if path.split('/').any(is_dots_and_blanks) {
        Err(PathTrick::DotsAndBlanks)
    } else {
        Ok(())
    }
}

fn is_drive(first: &str) -> bool {
    let mut chars = first.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
}

fn is_url(first: &str) -> bool {
    let Some((scheme, _)) = first.split_once(':') else {
        return false;
    };
    ["file", "http", "https", "ftp", "data", "skill"].contains(&&*scheme.to_lowercase())
}

fn is_encoded(path: &str) -> bool {
    let path = path.to_lowercase();
    ENCODED.iter().any(|form| path.contains(form))
}

/// Returns true for control characters and for those that hide or reorder text.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn is_dots_and_blanks(component: &str) -> bool {
    component.chars().all(|c| c == '.' || c.is_whitespace())
}
