//! The state directory, which has the store.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the usual state directory of a user: `skills-run` below `XDG_STATE_HOME`, else below
/// `.local/state` of `HOME` ([XDG Base Directory Specification]); on Windows else below
/// `LOCALAPPDATA`. `None` if none of these variables has an absolute path.
///
/// ```
/// use skill_settings::user_directory;
///
/// let environment = [("HOME".to_owned(), "/home/kim".to_owned())].into();
/// let expected = "/home/kim/.local/state/skills-run".into();
/// assert_eq!(user_directory(&environment), Some(expected));
/// ```
///
/// [XDG Base Directory Specification]: https://specifications.freedesktop.org/basedir-spec/latest/
pub fn user_directory(environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    let absolute = |name| {
        let dir = environment.get(name).map(Path::new);
        dir.filter(|dir| dir.is_absolute())
    };
    if let Some(dir) = absolute("XDG_STATE_HOME") {
        return Some(dir.join("skills-run"));
    }
    if let Some(home) = absolute("HOME") {
        return Some(home.join(".local/state/skills-run"));
    }
    let local = absolute("LOCALAPPDATA").filter(|_| cfg!(windows));
    Some(local?.join("skills-run"))
}

/// There is no state directory.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("there is no HOME for the state directory, expected --state DIR")]
pub struct NoHome;

/// Returns the state directory: the one that was named, or the user's.
///
/// # Errors
///
/// No directory was named, and the environment has no `HOME`.
pub fn directory(
    named: Option<PathBuf>,
    environment: &BTreeMap<String, String>,
) -> Result<PathBuf, NoHome> {
    named.or_else(|| user_directory(environment)).ok_or(NoHome)
}

/// Returns the state directory that was named, or that of the user of this process.
///
/// # Errors
///
/// No directory was named, and the environment of the process has no `HOME`.
pub fn process_directory(named: Option<PathBuf>) -> Result<PathBuf, NoHome> {
    let all = std::env::vars_os();
    let text =
        all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    directory(named, &text.collect())
}
