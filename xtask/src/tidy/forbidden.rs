//! Words that no Rust file may contain, and their replacements.

use anyhow::Result;

use crate::repo::Repo;
use crate::rust_source;

const WORDS: &[(&str, &str)] = &[
    ("#[ignore", "assert today's answer and say why it is wrong"),
    ("should_panic", "return the error and assert it"),
    ("todo!", "leave it out until it can be done"),
    ("unimplemented!", "leave it out until it can be done"),
    ("#[allow(", "use #[expect(…, reason = …)], which expires"),
];

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let mut acc = Vec::new();
    for path in repo.files(".", ".rs")? {
        let path = path.trim_start_matches("./");
        find(path, &repo.read(path)?, &mut acc);
    }
    Ok(acc)
}

fn find(path: &str, text: &str, acc: &mut Vec<String>) {
    for (number, line) in (1..).zip(rust_source::code_only(text).lines()) {
        for (word, instead) in WORDS {
            if line.contains(word) {
                acc.push(format!(
                    "{path}:{number}: `{word}` is not used here: {instead}"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut acc = Vec::new();
        find("a.rs", text, &mut acc);
        assert_eq!(acc, expected);
    }

    #[test]
    fn names_place_word_and_way_out() {
        let expected = "a.rs:2: `todo!` is not used here: leave it out until it can be done";
        check("fn a() {\n    todo!()\n}\n", &[expected]);
    }

    #[test]
    fn words_in_text_are_fine() {
        check("// todo!\nlet a = \"#[ignore]\";\n", &[]);
    }
}
