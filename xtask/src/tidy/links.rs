//! Links between documents, and from comments to documents, must resolve.

use std::path::Path;

use anyhow::Result;

use crate::repo::Repo;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for path in repo.files(".", ".md")? {
        let path = path.trim_start_matches("./");
        if !path.starts_with("fixtures/plugins/") && !path.starts_with("fixtures/broken/") {
            let directory = Path::new(path).parent().unwrap_or(Path::new(""));
            let text = repo.read(path)?;
            let targets = targets(&text).map(|target| directory.join(target));
            let dead = targets.filter(|target| !repo.root().join(target).exists());
            acc.extend(dead.map(|target| sentence(path, &target.to_string_lossy())));
        }
    }
    for path in repo.files("crates", ".rs")? {
        let text = repo.read(&path)?;
        let dead = documents(&text).filter(|target| !repo.has(target));
        acc.extend(dead.map(|target| sentence(&path, target)));
    }
    Ok(acc)
}

fn sentence(path: &str, target: &str) -> String {
    format!("{path} points to {target}, which does not exist")
}

/// Returns the targets of the relative links of a Markdown text, without anchors.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let mut in_fence = false;
    let prose = text.lines().filter(move |line| {
        let delimits = line.trim_start().starts_with("```");
        in_fence ^= delimits;
        !delimits && !in_fence
    });
    prose
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

/// Returns every `docs/….md` that a comment or a message names.
fn documents(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || "/._-".contains(c)));
    let words = words.map(|word| word.trim_end_matches('.'));
    words.filter(|word| {
        let is_markdown = Path::new(word)
            .extension()
            .is_some_and(|suffix| suffix == "md");
        word.starts_with("docs/") && is_markdown
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_relative_links() {
        let text = "[a](b.md#c), [d](https://e.f/g.md)\n```\n[h](i.md)\n```\n[j](#k) [l](m/n.md)\n";
        assert_eq!(targets(text).collect::<Vec<_>>(), ["b.md", "m/n.md"]);
    }

    #[test]
    fn finds_documents_in_comments() {
        let text = "// Source: `docs/a.md`, \"B\".\n// See docs/c-d.md. And x/docs/e.md\n";
        assert_eq!(
            documents(text).collect::<Vec<_>>(),
            ["docs/a.md", "docs/c-d.md"]
        );
    }
}
