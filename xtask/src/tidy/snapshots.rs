//! Snapshots whose test file no longer exists; `ci` also finds those that no test uses.

use anyhow::Result;

use crate::repo::Repo;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for path in repo.files(".", ".snap")? {
        let path = path.trim_start_matches("./");
        let text = repo.read(path)?;
        match source(&text) {
            Some(file) if repo.has(file) => {}
            Some(file) => acc.push(format!("{path} belongs to {file}, which is gone")),
            None => acc.push(format!("{path} does not say which test it belongs to")),
        }
    }
    for path in repo.files(".", ".snap.new")? {
        acc.push(format!(
            "{} waits for a review",
            path.trim_start_matches("./")
        ));
    }
    Ok(acc)
}

/// The `source:` of the header that `insta` writes.
fn source(text: &str) -> Option<&str> {
    let mut header = text
        .strip_prefix("---\n")?
        .lines()
        .take_while(|line| *line != "---");
    header
        .find_map(|line| line.strip_prefix("source: "))
        .map(|file| file.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_header_only() {
        assert_eq!(
            source("---\nsource: tests/a.rs\nexpression: x\n---\nbody"),
            Some("tests/a.rs")
        );
        assert_eq!(source("---\nexpression: x\n---\nsource: tests/a.rs"), None);
        assert_eq!(source("source: tests/a.rs"), None);
    }
}
