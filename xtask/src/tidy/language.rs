//! Comments and documents are written in plain English.
//!
//! The check knows a short list of words, the first words of doc comments and the length of the
//! sentences in documents. `[workspace.metadata] language.not-yet` in `Cargo.toml` lists the crates
//! and documents that nobody has looked at; whoever finishes one takes it out.

mod markdown;
mod phrases;

use anyhow::Result;
use serde_json::Value;

use crate::repo::{Repo, items};
use crate::rust_source::{self, Comment};

const TABLE: &str = "[workspace.metadata] language.not-yet in Cargo.toml";

/// A doc comment names the thing or says what it does; these words begin a question.
const NOT_FIRST: &[&str] = &["What", "Whether", "How", "Where", "Who", "Which"];

/// The longest sentence of a document, in words.
const MAX_WORDS: usize = 40;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let metadata = repo.metadata()?;
    let not_yet = not_yet(&metadata);
    let mut acc = Vec::new();
    let mut areas = Vec::new();
    for path in source_files(repo)? {
        if !is_listed(&not_yet, area(&path)) {
            comments(&path, &rust_source::comments(&repo.read(&path)?), &mut acc);
        }
        areas.push(area(&path).to_owned());
    }
    for path in documents(repo)? {
        if !is_listed(&not_yet, &path) {
            document(&path, &repo.read(&path)?, &mut acc);
        }
        areas.push(path);
    }
    let unknown = not_yet.iter().filter(|name| !is_listed(&areas, name));
    acc.extend(unknown.map(|name| format!("{TABLE} lists `{name}`, which does not exist")));
    Ok(acc)
}

fn not_yet(metadata: &Value) -> Vec<String> {
    items(&metadata["metadata"]["language"]["not-yet"])
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect()
}

fn is_listed(names: &[String], name: &str) -> bool {
    names.iter().any(|listed| listed == name)
}

fn source_files(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for directory in ["crates", "tests", "xtask"] {
        acc.extend(repo.files(directory, ".rs")?);
    }
    Ok(acc)
}

/// The documents in `docs/` and the ones at the root of the repository.
fn documents(repo: &Repo) -> Result<Vec<String>> {
    let mut res = repo.files("docs", ".md")?;
    let at_root = repo.files(".", ".md")?.into_iter();
    let at_root = at_root.map(|path| path.trim_start_matches("./").to_owned());
    res.extend(at_root.filter(|path| !path.contains('/')));
    Ok(res)
}

/// The crate that a source file belongs to.
fn area(path: &str) -> &str {
    let inside = path.strip_prefix("crates/").unwrap_or(path);
    inside.split('/').next().unwrap_or(inside)
}

fn comments(path: &str, comments: &[Comment], acc: &mut Vec<String>) {
    for block in comments.chunk_by(is_continued) {
        let lines = block
            .iter()
            .map(|comment| (comment.line, comment.text.as_str()));
        let tokens = phrases::tokens(lines);
        acc.extend(phrases::problems(path, &tokens));
        let first = tokens.first().filter(|_| block[0].is_doc);
        if let Some(first) = first.filter(|token| NOT_FIRST.contains(&token.word())) {
            acc.push(format!(
                "{path}:{}: a doc comment begins with `{}`: begin with a noun (\"The …\") or a verb \
                 (\"Returns …\")",
                first.line,
                first.word()
            ));
        }
    }
}

/// The next line of the same comment.
fn is_continued(one: &Comment, next: &Comment) -> bool {
    next.line == one.line + 1 && next.is_doc == one.is_doc && next.column == one.column
}

fn document(path: &str, text: &str, acc: &mut Vec<String>) {
    for block in markdown::blocks(text) {
        let tokens = phrases::tokens(block.iter().map(|(line, text)| (*line, text.as_str())));
        acc.extend(phrases::problems(path, &tokens));
        for sentence in phrases::sentences(&tokens) {
            if sentence.len() > MAX_WORDS {
                acc.push(format!(
                    "{path}:{}: a sentence has {} words, at most {MAX_WORDS}: \"{} …\"",
                    sentence[0].line,
                    sentence.len(),
                    opening(sentence)
                ));
            }
        }
    }
}

fn opening(sentence: &[phrases::Token<'_>]) -> String {
    let words: Vec<&str> = sentence.iter().take(5).map(|token| token.text).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check_source(text: &str, expected: &[&str]) {
        let mut acc = Vec::new();
        comments("a.rs", &rust_source::comments(text), &mut acc);
        assert_eq!(acc, expected);
    }

    #[track_caller]
    fn check_document(text: &str, expected: &[&str]) {
        let mut acc = Vec::new();
        document("a.md", text, &mut acc);
        assert_eq!(acc, expected);
    }

    #[test]
    fn words_in_code_and_literals_are_fine() {
        check_source("let door = \"is no door\"; // an opening\n", &[]);
        check_source("// `told` is a key\n", &[]);
    }

    #[test]
    fn a_phrase_may_cross_lines() {
        let expected = "a.rs:2: write \"is not a …\" instead of \"is no\"";
        check_source("fn a() {}\n/// A seed is\n/// no tree.\n", &[expected]);
        check_source("fn a() {}\n/// A seed is\nfn no() {} // no tree\n", &[]);
    }

    #[test]
    fn doc_comments_do_not_begin_with_a_question() {
        let problem = |word: &str| {
            format!(
                "a.rs:1: a doc comment begins with `{word}`: begin with a noun (\"The …\") or a \
                 verb (\"Returns …\")"
            )
        };
        check_source("/// What it is.\n", &[&problem("What")]);
        check_source("//! Whether it is.\n", &[&problem("Whether")]);
        check_source("/// The thing.\n/// What it is.\n", &[]);
        check_source("// What it is.\n/// Whatever it is.\n", &[]);
    }

    #[test]
    fn long_sentences_of_documents_are_named() {
        let sentence = |n_words: usize| format!("Words {}.\n", vec!["go"; n_words - 1].join(" "));
        check_document(&sentence(40), &[]);
        check_document(
            &format!("# Head\n\n{}", sentence(41)),
            &["a.md:3: a sentence has 41 words, at most 40: \"Words go go go go …\""],
        );
        check_document(&format!("{}{}", sentence(40), sentence(40)), &[]);
    }

    #[test]
    fn the_list_names_crates_and_documents() {
        let metadata = json!({"metadata": {"language": {"not-yet": ["model", "docs/a.md"]}}});
        assert_eq!(not_yet(&metadata), ["model", "docs/a.md"]);
        assert_eq!(area("crates/model/src/lib.rs"), "model");
        assert_eq!(area("xtask/src/main.rs"), "xtask");
    }
}
