//! The licenses of all packages that the program is built from, in one text.
//!
//! The texts are those of the packages as Cargo downloaded them; equal ones are printed once. The same
//! `Cargo.lock` gives the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::packages::{Package, Packages};
use crate::repo::Repo;
use crate::spdx;

/// The name of the text in every package of the release.
pub(super) const FILE: &str = "LICENSE-THIRD-PARTY";

/// The beginnings of the names of files with terms, in lower case.
const STARTS: [&str; 6] = [
    "license",
    "licence",
    "copying",
    "copyright",
    "notice",
    "unlicense",
];

/// The standard library is part of every program, but not of the graph of packages.
const STANDARD: &str = "The Rust standard library (https://github.com/rust-lang/rust)";

/// The sources of `crates/skill-search/data/word-vectors.bin`, with the license of each and the holder of
/// its copyright, if its terms name one. The vectors were reduced, rounded and averaged.
const DATA: [(&str, &str, Option<&str>); 3] = [
    (
        "Word vectors, derived from all-MiniLM-L6-v2 (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2)",
        "Apache-2.0",
        None,
    ),
    (
        "Places of Chinese words among them, by multilingual-e5-small (https://huggingface.co/intfloat/multilingual-e5-small)",
        "MIT",
        Some("Microsoft Corporation"),
    ),
    (
        "The list of Chinese words, from jieba (https://github.com/fxsjy/jieba)",
        "MIT",
        Some("Sun Junyi"),
    ),
];

const LINE: &str =
    "--------------------------------------------------------------------------------";

/// Returns the text: a list of packages with the numbers of their texts, then the texts.
pub(super) fn notices(repo: &Repo, packages: &Packages) -> Result<String> {
    let own = Own {
        mit: repo.read("LICENSE-MIT")?,
        apache: repo.read("LICENSE-APACHE")?,
    };
    let mut texts = Texts::default();
    let standard = texts.numbers([
        own.mit_of("The Rust Project contributors"),
        own.apache.clone(),
    ]);
    let mut list = format!("{STANDARD}\n    MIT OR Apache-2.0; texts {standard}\n");
    for (what, license, holder) in DATA {
        let text = match holder {
            Some(holder) => own.mit_of(holder),
            None => own.apache.clone(),
        };
        let _ = writeln!(
            list,
            "{what}\n    {license}; texts {}",
            texts.numbers([text])
        );
    }
    for package in packages.values().filter(|it| !it.source.is_empty()) {
        let found = terms(&package.directory)?;
        let found = if found.is_empty() {
            vec![own.terms(package)?]
        } else {
            found
        };
        let _ = writeln!(
            list,
            "{} {}{}\n    {}; texts {}",
            package.name,
            package.version,
            in_brackets(&package.repository),
            spdx::modern(&package.license),
            texts.numbers(found),
        );
    }
    Ok(format!(
        "The program `skills` contains the following packages, or was built with them. Each is followed\n\
         by its license and by the numbers of the texts below.\n\n{list}{}",
        texts.printed()
    ))
}

fn in_brackets(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(" ({text})")
    }
}

/// Returns the files with terms in the directory of a package, by their names.
fn terms(directory: &Path) -> Result<Vec<String>> {
    let mut found = BTreeMap::new();
    let entries = fs::read_dir(directory);
    for entry in entries.with_context(|| format!("cannot read {}", directory.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.file_type()?.is_file() && STARTS.iter().any(|start| name.starts_with(start)) {
            let bytes = fs::read(entry.path())?;
            found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(found.into_values().collect())
}

/// The licenses of this project, whose terms are those of many packages.
struct Own {
    mit: String,
    apache: String,
}

impl Own {
    /// Returns the terms of a package that has no file with them.
    fn terms(&self, package: &Package) -> Result<String> {
        let is_under = |license: &str| spdx::is_allowed(&package.license, &[license.to_owned()]);
        if is_under("Apache-2.0") {
            Ok(self.apache.clone())
        } else if is_under("MIT") {
            Ok(self.mit_of(&package.authors))
        } else {
            bail!(
                "{} {}: found no file with its license ({}), expected one in {}",
                package.name,
                package.version,
                package.license,
                package.directory.display()
            )
        }
    }

    /// Returns the terms of MIT for another holder.
    fn mit_of(&self, holder: &str) -> String {
        let lines = self.mit.lines();
        let lines = lines.map(|line| {
            let is_holder = line.starts_with("Copyright (c) ");
            let line = if is_holder {
                format!("Copyright (c) {holder}")
            } else {
                line.to_owned()
            };
            line + "\n"
        });
        lines.collect()
    }
}

/// Texts without repetitions, in the order of their first use.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    /// Positions by the words of a text: copies differ in white space.
    known: BTreeMap<String, usize>,
}

impl Texts {
    /// Returns the numbers of texts, from 1, separated by commas.
    fn numbers(&mut self, texts: impl IntoIterator<Item = String>) -> String {
        let numbers = texts.into_iter().map(|text| self.number(&text).to_string());
        let numbers: Vec<String> = numbers.collect();
        numbers.join(", ")
    }

    fn number(&mut self, text: &str) -> usize {
        let words: Vec<&str> = text.split_whitespace().collect();
        let next = self.all.len();
        let at = *self.known.entry(words.join(" ")).or_insert(next);
        if at == next {
            let lines = text.lines().map(str::trim_end);
            let lines: Vec<&str> = lines.collect();
            self.all
                .push(lines.join("\n").trim_matches('\n').to_owned());
        }
        at + 1
    }

    fn printed(&self) -> String {
        let mut res = String::new();
        for (number, text) in (1..).zip(&self.all) {
            let _ = write!(res, "\n{LINE}\nText {number}\n{LINE}\n\n{text}\n");
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages;

    fn of_this_repository() -> (Packages, String) {
        let repo = Repo::here().unwrap();
        let packages = packages::resolve(&repo, "x86_64-unknown-linux-gnu").unwrap();
        let text = notices(&repo, &packages).unwrap();
        (packages, text)
    }

    #[test]
    fn every_package_of_this_repository_has_its_terms() {
        let (packages, text) = of_this_repository();
        let (list, texts) = text.split_once(LINE).unwrap();
        for package in packages.values().filter(|it| !it.source.is_empty()) {
            let line = format!("\n{} {}", package.name, package.version);
            let (_, rest) = list.split_once(&line).unwrap_or_else(|| panic!("{line}"));
            let numbers = rest
                .lines()
                .nth(1)
                .and_then(|line| line.split_once("; texts "));
            let (_, numbers) = numbers.unwrap_or_else(|| panic!("{line}: no texts"));
            for number in numbers.split(", ") {
                assert!(texts.contains(&format!("\nText {number}\n")), "{line}");
            }
        }
        for (what, ..) in DATA {
            assert!(list.contains(what), "{what}");
        }
        // Terms that no other package has.
        for part in ["BoringSSL", "UNICODE LICENSE V3", "Community Data License"] {
            assert!(texts.contains(part), "{part}");
        }
    }

    #[test]
    fn two_runs_are_the_same_bytes_without_a_path() {
        let [first, second] = [(); 2].map(|()| of_this_repository().1);
        assert_eq!(first, second);
        let root = Repo::here().unwrap().root().display().to_string();
        assert!(!first.contains(&root) && !first.contains("/registry/src/"));
    }

    #[test]
    fn a_package_without_a_file_has_the_terms_of_its_expression() {
        let own = Own {
            mit: "Copyright (c) 2026 Us\n\nPermission\n".to_owned(),
            apache: "Apache License\n".to_owned(),
        };
        let terms = |license: &str| {
            own.terms(&Package {
                license: license.to_owned(),
                authors: "A <a@b.c>".to_owned(),
                ..Package::default()
            })
        };
        assert_eq!(terms("MIT/Apache-2.0").unwrap(), "Apache License\n");
        assert_eq!(
            terms("MIT").unwrap(),
            "Copyright (c) A <a@b.c>\n\nPermission\n"
        );
        assert!(
            terms("MIT AND ISC")
                .unwrap_err()
                .to_string()
                .contains("expected one in")
        );
    }

    #[test]
    fn equal_texts_are_printed_once() {
        let mut texts = Texts::default();
        let numbers = texts.numbers(["a  b\r\n", "c", "a\nb"].map(str::to_owned));
        assert_eq!(numbers, "1, 2, 1");
        assert_eq!(texts.printed().matches("Text ").count(), 2);
    }
}
