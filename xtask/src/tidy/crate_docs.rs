//! Every crate and every module begins with its purpose.

use anyhow::Result;

use crate::repo::Repo;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for directory in ["crates", "tests", "xtask"] {
        for path in repo.files(directory, ".rs")? {
            if needs_docs(&path) && !opens_with_docs(&repo.read(&path)?) {
                acc.push(format!("{path} does not begin with `//!` and its purpose"));
            }
        }
    }
    Ok(acc)
}

/// A `tests.rs` next to its module does not need docs of its own.
fn needs_docs(path: &str) -> bool {
    !path.ends_with("/tests.rs")
}

fn opens_with_docs(text: &str) -> bool {
    text.starts_with("//! ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_counts() {
        assert!(opens_with_docs("//! Job.\n"));
        assert!(!opens_with_docs("use a;\n//! Job.\n"));
        assert!(!opens_with_docs("//!\n"));
    }

    #[test]
    fn test_files_are_exempt() {
        assert!(needs_docs("crates/a/src/lib.rs"));
        assert!(!needs_docs("crates/a/src/tests.rs"));
    }
}
