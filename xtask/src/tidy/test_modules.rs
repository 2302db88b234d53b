//! Every file in `tests/` is a module of `tests/main.rs`, so that no test is forgotten.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::repo::Repo;
use crate::rust_source;

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let files = repo.files("tests", ".rs")?;
    Ok(forgotten(&files, &repo.read("tests/main.rs")?))
}

fn forgotten(files: &[String], main: &str) -> Vec<String> {
    let declared = modules(main);
    let top_level = files.iter().filter_map(|path| {
        let name = path.strip_prefix("tests/")?;
        let name = name
            .strip_suffix("/mod.rs")
            .or_else(|| name.strip_suffix(".rs"))?;
        (name != "main" && !name.contains('/')).then_some(name)
    });
    top_level
        .filter(|name| !declared.contains(*name))
        .map(|name| format!("tests/{name} is not a `mod` of tests/main.rs, so it never runs"))
        .collect()
}

fn modules(main: &str) -> BTreeSet<String> {
    let code = rust_source::code_only(main);
    let names = code.lines().filter_map(|line| {
        let line = line
            .trim()
            .trim_start_matches("pub ")
            .trim_start_matches("pub(crate) ");
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    names.map(|name| name.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[&str], main: &str, expected: &[&str]) {
        let files: Vec<String> = files.iter().map(|path| format!("tests/{path}")).collect();
        assert_eq!(forgotten(&files, main), expected);
    }

    #[test]
    fn finds_files_that_are_not_listed() {
        let sentence = "tests/b is not a `mod` of tests/main.rs, so it never runs";
        check(
            &["main.rs", "a.rs", "b.rs"],
            "mod a; // first\n",
            &[sentence],
        );
        check(
            &["main.rs", "b/mod.rs", "b/inner.rs"],
            "// mod b;\n",
            &[sentence],
        );
    }

    #[test]
    fn accepts_listed_ones() {
        check(
            &["main.rs", "a.rs", "b/mod.rs"],
            "mod a;\npub(crate) mod b;\n",
            &[],
        );
    }
}
