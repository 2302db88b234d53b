//! Citations of our documents resolve, by section number, by heading, and by anchor.
//!
//! A section number belongs to the document or standard that is named before it. A document of
//! ours is cited with its whole path, and a source is a public document, never a private code.

use std::collections::BTreeMap;

use anyhow::Result;

use super::paths::documents;
use crate::repo::Repo;
use crate::rust_source;

/// Documents of others whose sections are cited by number.
const STANDARDS: [&str; 5] = [
    "RFC ",
    "JSON-RPC",
    "Shell Command Language",
    "SQLite",
    "ECMA-262",
];

/// The distance in bytes between a section sign and the name of its standard, at most.
const REACH: usize = 80;

/// The headings of our documents, by path.
type Headings = BTreeMap<String, Vec<String>>;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut headings = Headings::new();
    let mut texts = Vec::new();
    for path in documents(repo)? {
        let text = repo.read(&path)?;
        headings.insert(path.clone(), titles(&text));
        texts.push((path, text));
    }
    let mut acc: Vec<String> = texts
        .iter()
        .flat_map(|(path, text)| dead_anchors(path, text, &headings))
        .collect();
    for directory in ["crates", "tests", "xtask", "fuzz"] {
        for path in repo.files(directory, ".rs")? {
            let comments = rust_source::comments(&repo.read(&path)?);
            let last = comments.last().map_or(0, |comment| comment.line);
            let mut lines = vec![String::new(); last];
            for comment in comments {
                lines[comment.line - 1] = comment.text;
            }
            texts.push((path, lines.join("\n")));
        }
    }
    for (path, text) in &texts {
        acc.extend(problems(path, text, &headings));
    }
    Ok(acc)
}

/// The texts of the headings of a Markdown document.
fn titles(text: &str) -> Vec<String> {
    let mut in_fence = false;
    let prose = text.lines().filter(move |line| {
        in_fence ^= line.trim_start().starts_with("```");
        !in_fence
    });
    prose
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim().to_owned())
        .collect()
}

fn problems(path: &str, text: &str, headings: &Headings) -> Vec<String> {
    let mut acc = Vec::new();
    let mut say = |at: usize, problem: String| {
        let line = text[..at].matches('\n').count() + 1;
        acc.push(format!("{path}:{line}: {problem}"));
    };
    for (at, document) in cited(text) {
        let rest = &text[at + document.len()..];
        match (headings.get(document), heading_after(rest)) {
            (None, _) if document.starts_with("docs/") => {
                say(at, format!("`{document}` does not exist"));
            }
            (None, _) => {
                if let Some(whole) = whole_path(document, headings) {
                    say(
                        at,
                        format!("`{document}` is cited without its path: write `{whole}`"),
                    );
                }
            }
            (Some(titles), Some(title)) if !titles.contains(&title) => {
                say(at, format!("`{document}` has no heading \"{title}\""));
            }
            _ => {}
        }
    }
    for (at, _) in text.match_indices('§') {
        let number = number(&text[at + '§'.len_utf8()..]);
        match document_before(&text[..at], headings) {
            Some(Named::Ours(document)) => {
                let begins = format!("{number} ");
                if !headings[document]
                    .iter()
                    .any(|title| title.starts_with(&begins))
                {
                    say(at, format!("`{document}` has no section {number}"));
                }
            }
            Some(Named::Standard) => {}
            None => say(at, format!("§{number} of which document? Name it before")),
        }
    }
    for (at, code) in private_codes(text) {
        say(
            at,
            format!("`{code}` is a private code: cite a public document"),
        );
    }
    acc
}

/// Every word that ends in `.md`, with its place.
fn cited(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    text.match_indices(".md").filter_map(move |(end, suffix)| {
        let end = end + suffix.len();
        let before = text[..end].char_indices().rev();
        let start = before.take_while(|(_, c)| is_part(*c)).last()?.0;
        let is_end = !text[end..].starts_with(|c: char| c.is_alphanumeric());
        is_end.then(|| (start, &text[start..end]))
    })
}

/// The heading in quotes that follows a document and a comma.
fn heading_after(rest: &str) -> Option<String> {
    let rest = rest.trim_start_matches('`').strip_prefix(',')?.trim_start();
    let rest = rest.strip_prefix('"')?;
    let title = rest.split('"').next()?;
    Some(title.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The path of a document of `docs/design/` or the like that is cited by its name alone.
fn whole_path<'a>(name: &str, headings: &'a Headings) -> Option<&'a String> {
    let mut ours = headings
        .keys()
        .filter(|path| path.starts_with("docs/design/"));
    ours.find(|path| path.rsplit('/').next() == Some(name))
}

enum Named<'a> {
    Ours(&'a str),
    Standard,
}

/// The document to which a section number after this text belongs.
fn document_before<'a>(before: &'a str, headings: &Headings) -> Option<Named<'a>> {
    let is_ours = |document: &str| document.starts_with("docs/") && headings.contains_key(document);
    let ours = cited(before).filter(|(_, document)| is_ours(document));
    let ours = ours.last();
    let near = before.len().saturating_sub(REACH);
    let standard = STANDARDS.iter().filter_map(|name| before.rfind(name)).max();
    match (ours, standard.filter(|at| *at >= near)) {
        (Some((at, _)), Some(other)) if other > at => Some(Named::Standard),
        (None, Some(_)) => Some(Named::Standard),
        (Some((_, document)), _) => Some(Named::Ours(document)),
        (None, None) => None,
    }
}

fn number(rest: &str) -> &str {
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    rest[..end.unwrap_or(rest.len())].trim_end_matches('.')
}

/// Two capitals and three digits, as in a list that only its author has.
fn private_codes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.split_inclusive('\n').scan(0, |start, line| {
        let at = *start;
        *start += line.len();
        Some((at, line))
    });
    let sources = lines.filter(|(_, line)| line.trim_start().starts_with("Source:"));
    sources.flat_map(|(at, line)| {
        let words = line.split(|c: char| !(c.is_alphanumeric() || c == '-'));
        let codes = words.filter(|word| {
            let bytes = word.as_bytes();
            bytes.len() == 5
                && bytes[..2].iter().all(u8::is_ascii_uppercase)
                && bytes[2..].iter().all(u8::is_ascii_digit)
        });
        codes.map(move |word| (at, word))
    })
}

/// Links into a document of ours whose anchor no heading has.
fn dead_anchors(path: &str, text: &str, headings: &Headings) -> Vec<String> {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let anchored = links.filter_map(|link| link.split_once('#'));
    let dead = anchored.filter(|(file, anchor)| {
        let target = match *file {
            "" => path.to_owned(),
            file => joined(directory, file),
        };
        let titles = headings.get(&target);
        titles.is_some_and(|titles| !titles.iter().any(|title| slug(title) == *anchor))
    });
    dead.map(|(file, anchor)| format!("{path} points to {file}#{anchor}, a heading that is absent"))
        .collect()
}

fn joined(directory: &str, file: &str) -> String {
    let mut parts: Vec<&str> = directory
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchor that GitHub gives a heading.
fn slug(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let titles = ["1.3 Tools", "Result format"].map(str::to_owned).to_vec();
        let headings = Headings::from([("docs/design/host.md".to_owned(), titles)]);
        assert_eq!(problems("a.rs", text, &headings), expected);
    }

    #[test]
    fn what_resolves_is_fine() {
        check("See `docs/design/host.md` §1.3, and again §1.3.", &[]);
        check(
            "`docs/design/host.md`, \"Result\nformat\", and RFC 9110 §15.4, §15.6",
            &[],
        );
        check("`references/host.md` of a skill, or README.md", &[]);
    }

    #[test]
    fn what_does_not_is_named() {
        check(
            "a\n`docs/design/host.md` §1.4",
            &["a.rs:2: `docs/design/host.md` has no section 1.4"],
        );
        check("docs/x.md", &["a.rs:1: `docs/x.md` does not exist"]);
        check(
            "`host.md` §1.3",
            &[
                "a.rs:1: `host.md` is cited without its path: write `docs/design/host.md`",
                "a.rs:1: §1.3 of which document? Name it before",
            ],
        );
        check(
            "`docs/design/host.md`, \"Rates\"",
            &["a.rs:1: `docs/design/host.md` has no heading \"Rates\""],
        );
    }

    #[test]
    fn sources_are_public() {
        check(
            "Source: EX005: 0 of 256\n",
            &["a.rs:1: `EX005` is a private code: cite a public document"],
        );
        check(
            "Source: CVE-2025-59536; AS-009; https://a.org/TR123x\nUN004\n",
            &[],
        );
    }

    #[test]
    fn anchors_are_headings() {
        let titles = vec!["How a call travels".to_owned()];
        let headings = Headings::from([("docs/scale.md".to_owned(), titles)]);
        let text = "[a](scale.md#how-a-call-travels) [b](./scale.md#else) [c](https://x.y/#z)";
        assert_eq!(
            dead_anchors("docs/a.md", text, &headings),
            ["docs/a.md points to ./scale.md#else, a heading that is absent"]
        );
    }
}
