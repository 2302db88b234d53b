//! `docs/design/attacks.md` names the tests that exist, and every test here is named there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of tests in a text: `row_` and what follows.
fn names(text: &str) -> BTreeSet<String> {
    let starts = text.match_indices("row_").map(|(at, _)| &text[at..]);
    let ends = |rest: &str| {
        rest.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '_')
    };
    let names = starts.map(|rest| rest[..ends(rest).unwrap_or(rest.len())].to_owned());
    names.filter(|name| name.len() > "row_00_".len()).collect()
}

#[test]
fn the_list_and_the_tests_are_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = fs::read_to_string(root.join("../../docs/design/attacks.md")).unwrap();
    let files = fs::read_dir(root.join("tests/attacks")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let tests: String = texts
        .flat_map(|text| {
            let lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.into_iter().filter(|line| line.starts_with("fn row_"))
        })
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(names(&list), names(&tests));
}
