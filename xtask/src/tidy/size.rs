//! A file with more than 500 lines usually has two subjects.

use anyhow::Result;

use crate::repo::Repo;
use crate::rust_source;

const MAX_LINES: usize = 500;

/// Files that may be longer, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut sizes = Vec::new();
    for directory in ["crates", "xtask"] {
        for path in repo.files(directory, ".rs")? {
            if !is_test(&path) {
                let n_lines = rust_source::lines_without_tests(&repo.read(&path)?);
                sizes.push((path, n_lines));
            }
        }
    }
    Ok(problems(&sizes, EXCEPTIONS))
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

fn problems(sizes: &[(String, usize)], exceptions: &[(&str, &str)]) -> Vec<String> {
    let excused = |path: &str| exceptions.iter().any(|(excused, _)| *excused == path);
    let long = |path: &str| sizes.iter().any(|(long, n)| long == path && *n > MAX_LINES);
    let too_long = sizes
        .iter()
        .filter(|(path, n)| *n > MAX_LINES && !excused(path));
    let needless = exceptions.iter().filter(|(path, _)| !long(path));
    too_long
        .map(|(path, n)| format!("{path} has {n} lines without tests, at most {MAX_LINES}"))
        .chain(needless.map(|(path, _)| format!("{path} no longer needs an exception")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n_lines: usize, exceptions: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(
            problems(&[("a.rs".to_owned(), n_lines)], exceptions),
            expected
        );
    }

    #[test]
    fn long_files_need_a_reason() {
        check(500, &[], &[]);
        check(501, &[], &["a.rs has 501 lines without tests, at most 500"]);
        check(501, &[("a.rs", "a table")], &[]);
    }

    #[test]
    fn exceptions_expire() {
        check(
            20,
            &[("a.rs", "a table")],
            &["a.rs no longer needs an exception"],
        );
    }

    #[test]
    fn test_files_may_be_long() {
        assert!(is_test("crates/a/src/tests.rs") && is_test("crates/a/tests/bins.rs"));
        assert!(!is_test("crates/a/src/tests_listed.rs"));
    }
}
