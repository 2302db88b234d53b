//! The administrator's code, as the old host kept it: `Plugin/UserAuth/code.bin`.
//!
//! Source: `docs/design/legacy-host.md` §1.8. The file is base64 of brackets in UTF-8. The brackets
//! of each of six kinds are counted, opening and closing alike; the six counts in a row are the
//! code.

use std::collections::BTreeMap;
use std::path::Path;

use skill_loader::fs::read_named;
use skill_model::base64;

/// The variable in which programs find the code, and its key in [`Host::environment`].
///
/// [`Host::environment`]: crate::call::Host::environment
pub const AUTH_CODE: &str = "DECRYPTED_AUTH_CODE";

/// The maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The kinds of brackets, in the order of their numbers.
const KINDS: [[char; 2]; 6] = [
    ['[', ']'],
    ['{', '}'],
    ['<', '>'],
    ['（', '）'],
    ['《', '》'],
    ['【', '】'],
];

/// Returns the code that a file contains. Returns `None` if the file is not base64 or not UTF-8.
/// Unlike the old host, which used six zeros, it also returns `None` without any bracket: everybody
/// can guess that code.
pub fn decoded(file: &str) -> Option<String> {
    let text = String::from_utf8(decode_lines(file.trim())?).ok()?;
    let count = |kind: &[char; 2]| text.chars().filter(|char| kind.contains(char)).count();
    let counts = KINDS.each_ref().map(count);
    let code = counts.map(|count| count.to_string()).concat();
    (counts.iter().sum::<usize>() > 0).then_some(code)
}

/// Adds the code from the file of the old host to the environment, unless the environment already
/// has a code. Also returns a warning if the file has no code or cannot be read: calls that need the
/// code are then denied.
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
    let read = read_named(file, MAX_BYTES);
    let reason = match read.map(|bytes| decoded(&String::from_utf8_lossy(&bytes))) {
        Ok(Some(code)) => {
            environment.insert(AUTH_CODE.to_owned(), code);
            return (environment, None);
        }
        Ok(None) => "the file contains no code".to_owned(),
        Err(error) => with_sources(&error),
    };
    let place = file.display();
    let warning = format!("cannot get the administrator's code from {place}: {reason}");
    (environment, Some(warning))
}

/// Returns an error and its causes on one line.
fn with_sources(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}

/// Decodes base64 with line breaks in it.
fn decode_lines(text: &str) -> Option<Vec<u8>> {
    let bytes = text.trim_end_matches('=').bytes();
    let digits: Vec<u8> = bytes.filter(|byte| !byte.is_ascii_whitespace()).collect();
    // `=` within the text is not a digit.
    (!digits.contains(&b'=')).then(|| base64::decode(&digits))?
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files themselves")]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, expected: Option<&str>) {
        assert_eq!(decoded(file).as_deref(), expected, "{file}");
    }

    // The files were made with base64(1), independently of the decoder here.
    #[test]
    fn brackets_are_counted_by_kind() {
        // []{}<>（）《》【】
        check("W117fTw+77yI77yJ44CK44CL44CQ44CR", Some("222222"));
        // [[[x{<
        check("W1tbeHs8\n", Some("311000"));
        // 》】】
        check("  44CL44CR44CR  ", Some("000012"));
        // Twelve of the first kind, in any order with another: two digits, as they come.
        check("W11bXVtdW11bXVtdPg==", Some("1201000"));
        check("W11bXVtdW11b\nXVtdPg", Some("1201000"));
    }

    #[test]
    fn what_is_no_such_file_gives_no_code() {
        for file in ["", "   ", "no base64!", "aGVsbG8=", "//79", "W117fTw+é"] {
            check(file, None);
        }
    }

    /// Checks the code that calls find, and whether there is a warning.
    #[track_caller]
    fn check_environment(set: Option<&str>, file: Option<&[u8]>, expected: (Option<&str>, bool)) {
        let dir = tempfile::tempdir().expect("a directory can be made");
        let path = dir.path().join("code.bin");
        if let Some(bytes) = file {
            std::fs::write(&path, bytes).expect("a file can be written");
        }
        let own = set.map(|code| (AUTH_CODE.to_owned(), code.to_owned()));
        let (environment, warning) = with_auth_code(own.into_iter().collect(), Some(&path));
        let code = environment.get(AUTH_CODE).map(String::as_str);
        assert_eq!((code, warning.is_some()), expected);
        if let Some(warning) = warning {
            assert!(warning.contains("code.bin"), "{warning}");
        }
    }

    #[test]
    fn the_environment_wins_over_the_file() {
        check_environment(None, Some(b"W1tbeHs8\n"), (Some("311000"), false));
        check_environment(Some("7"), Some(b"W1tbeHs8"), (Some("7"), false));
        check_environment(Some(""), Some(b"W1tbeHs8"), (Some("311000"), false));
        check_environment(Some("7"), None, (Some("7"), false));
        check_environment(None, None, (None, true));
        check_environment(None, Some(b"garbage \xff"), (None, true));
    }
}
