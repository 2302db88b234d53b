//! Files with settings beside the code: JSON that it reads and never writes, and JSON that it makes once of a
//! `config.env`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::arguments::Reader;
use super::constant::{self, ConstantPath};
use super::functions::innermost;
use super::lexer::Token;

/// Files with settings, relative to the files of code that read them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SettingsFiles {
    /// Those that code reads and does not write.
    pub(crate) read: BTreeSet<String>,
    /// Those that code makes of a `config.env` if they are not there.
    pub(crate) made_once: BTreeSet<String>,
}

/// Returns the files with settings of the reached code.
pub(crate) fn settings_files(code: &Analysis<'_, '_>) -> SettingsFiles {
    let mut res = SettingsFiles::default();
    let mut written = BTreeSet::new();
    for reader in &code.readers {
        let paths = reader.json_files();
        for (name, file) in &paths {
            let uses = reader.index.of(name);
            let is_in = |words: &[&str]| {
                uses.iter().any(|at| {
                    let before = &reader.tokens[at.saturating_sub(3)..*at];
                    before
                        .iter()
                        .any(|it| matches!(it, Token::Word(word) if words.contains(word)))
                })
            };
            if is_in(&[
                "writeFile",
                "writeFileSync",
                "writeJson",
                "writeJsonSync",
                "outputJson",
                "rename",
                "renameSync",
            ]) {
                written.insert(file.clone());
                if reader.is_made_once(name) {
                    res.made_once.insert(file.clone());
                }
            }
            if is_in(&["readFile", "readFileSync", "readJson", "readJsonSync"]) {
                res.read.insert(file.clone());
            }
        }
    }
    res.read.retain(|file| !written.contains(file));
    res
}

impl<'a> Reader<'_, 'a> {
    /// Returns the names of JSON files beside the code.
    fn json_files(&self) -> BTreeMap<&'a str, String> {
        let paths = constant::bindings(self.tokens).into_iter();
        let paths = paths.filter_map(|(name, path)| {
            let ConstantPath::FromFile(path) = path else {
                return None;
            };
            let path = path.trim_start_matches("./").to_owned();
            let is_json = path.ends_with(".json") && !path.contains('/');
            is_json.then_some((name, path))
        });
        paths.collect()
    }

    /// Returns true if a function goes on only where a file is missing, and makes it of a `config.env`.
    fn is_made_once(&self, name: &str) -> bool {
        const MAX: usize = 8;
        self.index.of(name).iter().take(MAX).any(|at| {
            let is_test = matches!(
                self.tokens[..*at],
                [
                    ..,
                    Token::Word("if"),
                    Token::Sign('('),
                    Token::Word(_),
                    Token::Sign('.'),
                    Token::Word("existsSync"),
                    Token::Sign('(')
                ] | [
                    ..,
                    Token::Word("if"),
                    Token::Sign('('),
                    Token::Word("existsSync"),
                    Token::Sign('(')
                ]
            );
            let ends = matches!(
                self.tokens[at + 1..],
                [
                    Token::Sign(')'),
                    Token::Sign(')'),
                    Token::Word("return"),
                    ..
                ] | [
                    Token::Sign(')'),
                    Token::Sign(')'),
                    Token::Sign('{'),
                    Token::Word("return"),
                    ..
                ]
            );
            let function = &self.functions[innermost(&self.functions, *at)];
            let body = &self.tokens[function.body.clone()];
            let has = |wanted: &Token<'_>| body.contains(wanted);
            is_test
                && ends
                && has(&Token::Text("config.env"))
                && (has(&Token::Word("writeFileSync")) || has(&Token::Word("writeFile")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn files_beside_the_code() {
        let check = |code: &str, read: &[&str], made: &[&str]| {
            let found = of_file("a.js", code, settings_files);
            let list = |it: &BTreeSet<String>| it.iter().cloned().collect::<Vec<_>>();
            assert_eq!(
                (list(&found.read), list(&found.made_once)),
                (
                    read.iter().map(|it| (*it).to_owned()).collect(),
                    made.iter().map(|it| (*it).to_owned()).collect()
                ),
                "{code}"
            );
        };
        let read = "const FILE = path.join(__dirname, 'pots.json'); const pots = JSON.parse(fs.readFileSync(FILE, 'utf8'));";
        check(read, &["pots.json"], &[]);
        check(&format!("{read} fs.writeFileSync(FILE, 'x');"), &[], &[]);
        check(
            "function move() { const a = path.join(__dirname, 'pots.json'); const b = path.join(__dirname, 'config.env'); if (fs.existsSync(a)) return; fs.writeFileSync(a, make(fs.readFileSync(b))); }",
            &[],
            &["pots.json"],
        );
    }
}
