//! Skipping a test, or failing it when what it needs is required.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::thread;

use crate::Need;

/// Names the needs that must be met, separated by commas: `nats,node`.
pub const REQUIRE: &str = "SKILLS_TEST_REQUIRE";

/// Names a file; one line is appended for each skipped test: test, need, reason, with tabs between.
pub const RECORD: &str = "SKILLS_TEST_SKIPPED";

/// Returns what was found. Where it is absent the skip is recorded and `None` returned; the caller
/// then returns at once.
///
/// # Panics
///
/// When it is absent and `SKILLS_TEST_REQUIRE` names the need, or names an unknown word.
pub fn unless<T>(need: Need, found: Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(reason) => {
            let required = env::var(REQUIRE).unwrap_or_default();
            if let Err(message) = check(need, &reason, &required) {
                panic!("{message}");
            }
            record(&test_name(), need, &reason);
            None
        }
    }
}

/// Returns whether `is_there`, and records the skip if not; panics as [`unless`] does.
pub fn unless_so(need: Need, is_there: bool, reason: &str) -> bool {
    let found = if is_there {
        Ok(())
    } else {
        Err(reason.to_owned())
    };
    unless(need, found).is_some()
}

/// Refuses the skip when `required` names the need.
fn check(need: Need, reason: &str, required: &str) -> Result<(), String> {
    let words = required.split(',').map(str::trim);
    for word in words.filter(|word| !word.is_empty()) {
        let Some(named) = Need::from_word(word) else {
            let known: Vec<_> = Need::ALL.iter().map(|need| need.word()).collect();
            return Err(format!(
                "{REQUIRE} names `{word}`, which is not a need; known are {}",
                known.join(", ")
            ));
        };
        if named == need {
            return Err(format!(
                "{REQUIRE} names `{need}`, but {reason}: {}",
                need.remedy()
            ));
        }
    }
    Ok(())
}

/// Returns the package and the test: the harness names each thread after its test.
fn test_name() -> String {
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = thread::current();
    format!(
        "{package} {}",
        thread.name().unwrap_or("(a thread of a test)")
    )
}

/// Writes past the harness, which hides what a passing test prints.
fn record(test: &str, need: Need, reason: &str) {
    let reason = reason.replace(['\n', '\t'], " ");
    let _ = writeln!(io::stderr(), "skipped: {test}: {reason} ({need})");
    if let Some(file) = env::var_os(RECORD) {
        let line = format!("{test}\t{need}\t{reason}\n");
        let file = OpenOptions::new().create(true).append(true).open(file);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the file that SKILLS_TEST_SKIPPED names can be written");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_may_not_be_skipped() {
        let sentence = "SKILLS_TEST_REQUIRE names `nats`, but there is none: \
                        apt-get install nats-server, or cargo xtask nats-server";
        let unknown = "SKILLS_TEST_REQUIRE names `nat`, which is not a need; known are nats, node, \
                       python, sandbox, browser, corpora, clients, programs, strace, zones";
        for (required, expected) in [
            ("", Ok(())),
            ("node, python", Ok(())),
            ("node, nats", Err(sentence.to_owned())),
            ("nat", Err(unknown.to_owned())),
        ] {
            assert_eq!(check(Need::Nats, "there is none", required), expected);
        }
    }

    #[test]
    fn what_is_there_is_returned() {
        assert_eq!(unless(Need::Node, Ok(7)), Some(7));
    }

    #[test]
    fn a_test_knows_its_name() {
        assert_eq!(
            test_name(),
            "skill-testing skip::tests::a_test_knows_its_name"
        );
    }

    #[test]
    fn words_are_read_back() {
        for need in Need::ALL {
            assert_eq!(Need::from_word(need.word()), Some(*need));
        }
    }
}
