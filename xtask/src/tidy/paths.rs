//! The paths that documents name in inline code exist: `crates/x/src/y.rs`.

use anyhow::Result;

use crate::repo::Repo;

/// The directories at the root whose files documents name.
const ROOTS: [&str; 5] = ["crates/", "docs/", "fixtures/", "tests/", "xtask/"];

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for document in documents(repo)? {
        let text = repo.read(&document)?;
        let dead = paths(&text).filter(|(_, path)| !repo.has(path));
        acc.extend(dead.map(|(line, path)| {
            format!("{document}:{line}: `{path}` does not exist; name the file that took its place")
        }));
    }
    Ok(acc)
}

/// Our own documents: those at the root and in `docs/`.
pub(super) fn documents(repo: &Repo) -> Result<Vec<String>> {
    let at_root = repo.files(".", ".md")?;
    let at_root = at_root.iter().map(|path| path.trim_start_matches("./"));
    let ours = at_root.filter(|path| !path.contains('/') || path.starts_with("docs/"));
    Ok(ours.map(str::to_owned).collect())
}

/// The paths in inline code, with their lines. What has places to fill in is not a path.
fn paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    let words = lines.flat_map(|(number, line)| {
        let code = line.split('`').skip(1).step_by(2);
        code.map(move |word| (number, word))
    });
    words.filter(|(_, word)| {
        let is_plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
        ROOTS.iter().any(|root| word.starts_with(root)) && word.chars().all(is_plain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_paths_in_inline_code() {
        let text = "a `crates/a/src/b.rs` and `crates/⟨x⟩`\n`cargo test` `docs/c.md` crates/d\n";
        let expected = [(1, "crates/a/src/b.rs"), (2, "docs/c.md")];
        assert_eq!(paths(text).collect::<Vec<_>>(), expected);
    }
}
