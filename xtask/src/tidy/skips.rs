//! No test passes without running: what is absent goes through `skill_testing::skip`.

use anyhow::Result;

use crate::repo::Repo;

/// The beginnings of messages with which a test would skip itself.
const MESSAGES: [&str; 3] = ["\"skipped", "\"left out", "\"not run"];

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for directory in ["crates", "tests"] {
        for path in repo.files(directory, ".rs")? {
            find(&path, &repo.read(&path)?, &mut acc);
        }
    }
    Ok(acc)
}

fn find(path: &str, text: &str, acc: &mut Vec<String>) {
    for (at, _) in text.match_indices("eprintln!(") {
        let rest = text[at + "eprintln!(".len()..].trim_start();
        if MESSAGES.iter().any(|message| rest.starts_with(message)) {
            let number = text[..at].matches('\n').count() + 1;
            acc.push(format!(
                "{path}:{number}: a test that skips itself: use skill_testing::skip::unless, \
                 which records it and can be required"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_skip_is_named() {
        let mut acc = Vec::new();
        find(
            "a.rs",
            "fn a() {\n    eprintln!(\n        \"skipped: none\"\n    );\n    eprintln!(\"{n} rounds\");\n}\n",
            &mut acc,
        );
        assert_eq!(acc.len(), 1, "{acc:?}");
        assert!(acc[0].starts_with("a.rs:2: "), "{acc:?}");
    }
}
