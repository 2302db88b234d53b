//! What the arguments mean.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use skill_executor::auth_code::{AUTH_CODE, decoded};
use skill_executor::state::user_directory;

use skills_cli::named;

/// Largest input or configuration, in bytes.
const MAX_INPUT: u64 = 64 << 20;
/// Largest file with a code, in bytes.
const MAX_AUTH_CODE: u64 = 1 << 20;

/// The environment with the administrator's code from the file of the old host, where it was named
/// and the environment has none. What cannot be read gives no code, and the reason why: calls that
/// need it are denied then.
pub fn with_auth_code(
    mut environment: BTreeMap<String, String>,
    file: Option<&Path>,
) -> (BTreeMap<String, String>, Option<String>) {
    let is_set = environment
        .get(AUTH_CODE)
        .is_some_and(|code| !code.is_empty());
    let Some(file) = file.filter(|_| !is_set) else {
        return (environment, None);
    };
    let read = named::read(file, MAX_AUTH_CODE);
    let code = read.map(|bytes| decoded(&String::from_utf8_lossy(&bytes)));
    let why = match code {
        Ok(Some(code)) => {
            environment.insert(AUTH_CODE.to_owned(), code);
            None
        }
        Ok(None) => Some("it holds no code".to_owned()),
        Err(error) => Some(format!("{error:#}")),
    };
    let place = file.display();
    let why = why.map(|why| format!("no administrator's code from {place}: {why}"));
    (environment, why)
}

/// The state directory: the one that was named, or the one of XDG.
pub fn state_dir(
    named: Option<PathBuf>,
    environment: &BTreeMap<String, String>,
) -> anyhow::Result<PathBuf> {
    if let Some(dir) = named {
        return Ok(dir);
    }
    user_directory(environment)
        .context("there is no HOME for the state directory, expected --state DIR")
}

/// The input: standard input, a file, or the text itself. Empty means none.
pub(super) fn input(written: Option<&str>) -> anyhow::Result<serde_json::Value> {
    let text = match written {
        None => String::new(),
        Some("-") => read_stdin()?,
        Some(text) => match text.strip_prefix('@') {
            Some(path) => read_file(Path::new(path)).context("cannot read the input")?,
            None => text.to_owned(),
        },
    };
    parsed(&text, "the input")
}

/// JSON that the user wrote; nothing at all is null.
pub(super) fn parsed(text: &str, what: &str) -> anyhow::Result<serde_json::Value> {
    let text = skill_executor::json::trim(text);
    if text.is_empty() {
        return Ok(serde_json::Value::Null);
    }
    match skill_executor::json::parse(text) {
        Ok(value) => Ok(value),
        Err(error) => bail!("{what} is no JSON: {error}"),
    }
}

/// A file that the user named. Bytes that are not UTF-8 become U+FFFD, as in the old host.
pub fn read_file(path: &Path) -> anyhow::Result<String> {
    let bytes = named::read(path, MAX_INPUT)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_stdin() -> anyhow::Result<String> {
    Ok(String::from_utf8_lossy(&named::stdin(MAX_INPUT)?).into_owned())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files themselves")]
mod tests {
    use super::*;

    /// The code of calls, and whether there is something to warn of.
    #[track_caller]
    fn check(set: Option<&str>, file: Option<&[u8]>, expected: (Option<&str>, bool)) {
        let dir = tempfile::tempdir().expect("a directory can be made");
        let path = dir.path().join("code.bin");
        if let Some(bytes) = file {
            std::fs::write(&path, bytes).expect("a file can be written");
        }
        let own = set.map(|code| (AUTH_CODE.to_owned(), code.to_owned()));
        let (environment, why) = with_auth_code(own.into_iter().collect(), Some(&path));
        let code = environment.get(AUTH_CODE).map(String::as_str);
        assert_eq!((code, why.is_some()), expected);
        if let Some(why) = why {
            assert!(why.contains("code.bin"), "{why}");
        }
    }

    #[test]
    fn the_code_is_that_of_the_environment_or_of_the_file() {
        check(None, Some(b"W1tbeHs8\n"), (Some("311000"), false));
        check(Some("7"), Some(b"W1tbeHs8"), (Some("7"), false));
        check(Some(""), Some(b"W1tbeHs8"), (Some("311000"), false));
        check(Some("7"), None, (Some("7"), false));
        check(None, None, (None, true));
        check(None, Some(b"garbage \xff"), (None, true));
    }
}
