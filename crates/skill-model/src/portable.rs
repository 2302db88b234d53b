//! File names that every system can store.
//!
//! Sources: <https://learn.microsoft.com/windows/win32/fileio/naming-a-file>, and
//! `core.protectNTFS` in <https://git-scm.com/docs/git-config>.

use std::fmt;

/// The reason why some system cannot store a file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameFlaw {
    /// A device name of Windows, with any extension: `CON`, `nul.txt`, `COM1`.
    Device,
    /// The name ends with a dot or a space, which Windows removes.
    Ending,
    /// A character that Windows does not store. `\` separates components there, and `:` ends a
    /// drive or begins a stream.
    Character(char),
    /// An alias of `.git` on Windows, such as `git~1`.
    GitAlias,
}

/// Device names of Windows without a number.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// Device names of Windows that a digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Returns the first reason why a system cannot store the name of one file or directory; `None` if
/// every system can.
pub fn name_flaw(name: &str) -> Option<NameFlaw> {
    path_flaw(name).or_else(|| {
        if let Some(c) = name.chars().find(|c| is_refused(*c)) {
            Some(NameFlaw::Character(c))
        } else if starts_with(name, "git~") {
            Some(NameFlaw::GitAlias)
        } else {
            None
        }
    })
}

/// Returns the reason why the name means something else on Windows: a device, another directory, a
/// stream, or a name without its ending. Programs refuse such a name before they open anything.
pub fn path_flaw(name: &str) -> Option<NameFlaw> {
    if is_device(name) {
        Some(NameFlaw::Device)
    } else if name.ends_with(['.', ' ']) {
        Some(NameFlaw::Ending)
    } else {
        let separator = name.chars().find(|c| matches!(c, '\\' | ':'))?;
        Some(NameFlaw::Character(separator))
    }
}

/// Returns whether Windows, macOS and Linux can all store the name, and none confuses it with
/// another one: [`name_flaw`], and names with characters that some systems ignore.
pub fn is_portable_name(name: &str) -> bool {
    let is_whole = !name.is_empty() && name.len() <= 255 && !name.starts_with(' ');
    is_whole && name_flaw(name).is_none() && !name.chars().any(is_ignorable)
}

/// Returns the name with `-` in place of each character that some system does not store, such as the
/// `:` of `git:commit.md`; `None` if it has another flaw.
///
/// ```
/// use skill_model::portable_name;
///
/// assert_eq!(portable_name("git:commit.md").as_deref(), Some("git-commit.md"));
/// assert_eq!(portable_name("aux.md"), None);
/// ```
pub fn portable_name(name: &str) -> Option<String> {
    let is_replaced = |c: char| is_refused(c) && c != '\\' && !c.is_control();
    let res = name.replace(|c: char| c == ':' || is_replaced(c), "-");
    is_portable_name(&res).then_some(res)
}

/// Recognizes invisible characters, and those that some file systems ignore when they compare names
/// (HFS+).
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFFE}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let is_numbered = |device: &str| {
        let number = stem.get(device.len()..).unwrap_or_default();
        let mut digits = number.chars();
        let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³');
        starts_with(stem, device) && digits.next().is_some_and(is_digit) && digits.next().is_none()
    };
    DEVICES
        .iter()
        .any(|device| stem.eq_ignore_ascii_case(device))
        || NUMBERED_DEVICES.iter().any(|device| is_numbered(device))
}

/// Returns true for characters, in addition to `\` and `:`, that Windows does not store.
fn is_refused(c: char) -> bool {
    c.is_control() || matches!(c, '<' | '>' | '"' | '|' | '?' | '*')
}

fn starts_with(text: &str, lower: &str) -> bool {
    let head = text.get(..lower.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(lower))
}

impl fmt::Display for NameFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Device => "is reserved on Windows",
            Self::Ending => "ends with a dot or a space",
            Self::Character(_) => "has a character that Windows does not store",
            Self::GitAlias => "is an alias of `.git` on Windows",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NameFlaw::{Character, Device, Ending, GitAlias};

    #[track_caller]
    fn check(names: &[&str], expected: Option<NameFlaw>) {
        for name in names {
            assert_eq!(name_flaw(name), expected, "{name:?}");
        }
    }

    #[test]
    fn knows_the_names_of_windows() {
        let fine = [
            "SKILL.md",
            "a b.txt",
            "参数.md",
            "console.py",
            "com.py",
            "com10",
            "comé",
            ".gitignore",
            "a-b",
            "..c",
        ];
        check(&fine, None);
        let devices = [
            "con.txt", "COM1", "NUL", "aux ", "lpt9.a.b", "CONIN$", "con .md", "com²",
        ];
        check(&devices, Some(Device));
        check(&["x.", "x ", "..."], Some(Ending));
        check(&["a:b", "C:", "<:"], Some(Character(':')));
        check(&["a\\b", "..\\x"], Some(Character('\\')));
        check(&["a?"], Some(Character('?')));
        check(&["GIT~1"], Some(GitAlias));
    }

    #[test]
    fn refuses_only_names_that_mean_something_else() {
        for name in ["a?", "a\nb", "git~1", "-x", "…"] {
            assert_eq!(path_flaw(name), None, "{name:?}");
        }
    }
}
