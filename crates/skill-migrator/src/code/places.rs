//! Paths in code to directories of the old host: those of other plugins, and those that plugins
//! shared.
//!
//! Only path expressions count: a literal (`'../Other/lib.js'`), joined literals
//! (`path.join(__dirname, '..', 'Other')`, `BASE / "Plugin" / "Other"`), and the number of
//! directories that the expression climbs (`..`, `dirname`, `.parent`). Comments do not count, nor
//! does a `../` that stays inside the plugin, nor a name in a sentence.
//!
//! A skill has its own base in place of the old host's directory, so none of these paths leaves it.
//! An absolute path does if it leads to a usual place of user files.

use skill_model::{SHARED_DIRECTORIES, SharedFile};

use super::facts::CodeFacts;
use super::host_path::PLUGINS;
use super::lexer::Token;

/// Names that are also common words, so that they need a base before them.
const COMMON: [&str; 2] = ["image", "file"];
/// Usual places of user files. Other absolute paths belong to the system, which every program
/// reads, or are created for each call (`/tmp`). Windows drives are ordinary names where programs
/// run.
const USER_PLACES: [&str; 8] = [
    "home", "root", "Users", "mnt", "media", "Volumes", "srv", "var",
];
/// Calls whose argument is the path of a URL.
const ADDRESSES: [&str; 15] = [
    "get", "post", "put", "patch", "delete", "head", "options", "all", "use", "route", "fetch",
    "request", "axios", "URL", "redirect",
];
/// Number of tokens before a path that are examined.
const MAX_BACK: usize = 30;

/// Adds the targets of the paths of one file. `depth` is the number of directories between the
/// plugin and the file; a file of the old host is less deep than a plugin.
pub(super) fn read(tokens: &[Token<'_>], depth: isize, acc: &mut CodeFacts) {
    let mut at = 0;
    while at < tokens.len() {
        let (texts, after) = run(tokens, at);
        if texts.is_empty() {
            at += 1;
            continue;
        }
        let before = &tokens[..at];
        let path = Path {
            parts: texts.iter().flat_map(|text| parts(text)).collect(),
            climbed: climbed(before),
            begins_at_file: expression(before).any(|word| matches!(word, "__dirname" | "__file__")),
            begins_at_base: expression(before).any(|word| word.to_lowercase().contains("project")),
            base: base(before),
        };
        path.leads_to(depth, acc);
        acc.leaves_host |= leaves_host(texts[0], before);
        at = after;
    }
}

/// Returns the literals with only `,` or `/` between them, and their end.
fn run<'t>(tokens: &[Token<'t>], start: usize) -> (Vec<&'t str>, usize) {
    let mut texts = Vec::new();
    let mut at = start;
    while let Some(Token::Text(text)) = tokens.get(at) {
        texts.push(*text);
        at += 1;
        match tokens[at..] {
            [Token::Sign(',' | '/'), Token::Text(_), ..] => at += 1,
            _ => break,
        }
    }
    (texts, at)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(['/', '\\']);
    parts.filter(|part| !matches!(*part, "" | "."))
}

/// Returns the number of directories that the preceding expression climbs from the file's own.
fn climbed(before: &[Token<'_>]) -> usize {
    let words = expression(before);
    let n_up = words
        .clone()
        .filter(|word| matches!(*word, "dirname" | "parent"))
        .count();
    let from_dir = words.clone().any(|word| word == "__dirname");
    // `__file__` is a file: the first step is its own directory.
    if from_dir {
        n_up
    } else {
        n_up.saturating_sub(1)
    }
}

/// Returns the words of the expression that ends here, backwards.
fn expression<'t>(before: &[Token<'t>]) -> impl Iterator<Item = &'t str> + Clone {
    let back = before.iter().rev().take(MAX_BACK);
    let own: Vec<&str> = back
        .take_while(|token| !matches!(token, Token::Sign('=' | ';' | '{' | '}') | Token::Text(_)))
        .filter_map(|token| match token {
            Token::Word(word) => Some(*word),
            _ => None,
        })
        .collect();
    own.into_iter()
}

/// Returns the name before a path: `BASE` in `join(BASE, 'x')` and `BASE / "x"`.
fn base<'t>(before: &[Token<'t>]) -> Option<&'t str> {
    match before {
        [.., Token::Word(word), Token::Sign(',' | '/' | '+')] => Some(word),
        _ => None,
    }
}

/// A path expression.
struct Path<'t> {
    parts: Vec<&'t str>,
    climbed: usize,
    /// True after an expression for the place of the code.
    begins_at_file: bool,
    /// True after one for the directory of the old host.
    begins_at_base: bool,
    base: Option<&'t str>,
}

impl Path<'_> {
    fn leads_to(&self, depth: isize, acc: &mut CodeFacts) {
        let n_dots = self.parts.iter().take_while(|part| **part == "..").count();
        let names = &self.parts[n_dots..];
        let climbs = n_dots + self.climbed;
        // Relative to the file, or to the working directory, which is the plugin's.
        for climbs in [
            climbs.checked_add_signed(-depth).filter(|_| climbs > 0),
            Some(n_dots),
        ] {
            match (climbs, names.first()) {
                (Some(1), Some(_)) => neighbour(names, acc),
                (Some(2), Some(name)) => shared(name, acc),
                _ => {}
            }
        }
        if let (Some(word), Some(name)) = (self.base, names.first()) {
            if word.to_lowercase().contains("plugin") {
                neighbour(names, acc);
            }
            if is_base(word) {
                shared(name, acc);
            }
        }
        self.names_place(climbs.checked_add_signed(-depth), names.first(), acc);
        inside(names, acc);
    }

    /// Adds the name of a place whose directory is certain.
    fn names_place(&self, climbs: Option<usize>, name: Option<&&str>, acc: &mut CodeFacts) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let Some(name) = name.filter(|name| name.chars().all(is_name)) else {
            return;
        };
        if self.begins_at_base || self.begins_at_file && climbs == Some(2) {
            acc.in_base.insert((*name).to_owned());
        } else if self.begins_at_file && climbs == Some(0) {
            acc.beside_code.insert((*name).to_owned());
        }
    }
}

/// Returns whether a literal is an absolute path to a usual place of user files.
fn leaves_host(text: &str, before: &[Token<'_>]) -> bool {
    let Some((place, rest)) = text.strip_prefix('/').and_then(|path| path.split_once('/')) else {
        return false;
    };
    let is_address = match before {
        [.., Token::Word(word), Token::Sign('(')] => ADDRESSES.contains(word),
        // The end of a longer expression.
        [.., Token::Sign('+')] => true,
        _ => false,
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '$' | '{');
    USER_PLACES.contains(&place) && !is_address && rest.starts_with(is_name)
}

/// Adds the facts that the parts show without a preceding expression.
fn inside(names: &[&str], acc: &mut CodeFacts) {
    for name in names.iter().filter(|name| !COMMON.contains(*name)) {
        shared(name, acc);
    }
    for (at, pair) in names.windows(2).enumerate() {
        if pair[0] == PLUGINS {
            neighbour(&names[at + 1..], acc);
        }
        if is_base(pair[0]) && pair[0].contains(['$', '{']) {
            shared(pair[1], acc);
        }
    }
}

/// Returns whether a name is the directory of the old host.
pub(super) fn is_base(word: &str) -> bool {
    let word = word.to_lowercase();
    ["base", "root", "project"]
        .iter()
        .any(|part| word.contains(part))
        && !["url", "uri", "host"]
            .iter()
            .any(|part| word.contains(part))
}

/// Adds the directory of another plugin, and the file in it that the path leads to.
pub(super) fn neighbour(names: &[&str], acc: &mut CodeFacts) {
    let is_known =
        |name: &&str| !name.contains(['$', '{', '}', '*', '?', '<', '>', ':', '|', '"', '\n']);
    let Some((directory, path)) = names.split_first() else {
        return;
    };
    if !is_known(directory) || directory.starts_with('.') {
        return;
    }
    acc.neighbours.insert((*directory).to_owned());
    if path.iter().all(is_known)
        && let Ok(file) = SharedFile::new(directory, &path.join("/"))
    {
        acc.neighbour_files.insert(file);
    }
}

fn shared(name: &str, acc: &mut CodeFacts) {
    acc.shared
        .extend(SHARED_DIRECTORIES.iter().find(|known| **known == name));
}

#[cfg(test)]
mod tests {
    use super::super::lexer;
    use super::*;

    #[track_caller]
    fn check(code: &str, tokens: &[Token<'_>], depth: isize, neighbours: &[&str], shared: &[&str]) {
        let tokens: Vec<_> = tokens
            .iter()
            .copied()
            .filter(|token| *token != Token::Newline)
            .collect();
        let mut facts = CodeFacts::default();
        read(&tokens, depth, &mut facts);
        let found: Vec<&str> = facts.neighbours.iter().map(String::as_str).collect();
        assert_eq!(found, neighbours, "{code}");
        let found: Vec<&str> = facts.shared.iter().copied().collect();
        assert_eq!(found, shared, "{code}");
    }

    #[test]
    fn paths_in_javascript() {
        for (code, depth, neighbours, shared) in [
            ("require('../Other/lib.js')", 0, &["Other"][..], &[][..]),
            ("require('../../Other/lib')", 1, &["Other"], &[]),
            (
                "path.join(__dirname, '..', 'Other', 'x.json')",
                0,
                &["Other"],
                &[],
            ),
            (
                "path.join(__dirname, '..', '..', 'dailynote')",
                0,
                &[],
                &["dailynote"],
            ),
            ("path.join(__dirname, '../../image/x')", 0, &[], &["image"]),
            (
                "path.join(path.dirname(__dirname), 'Other')",
                0,
                &["Other"],
                &[],
            ),
            (
                "path.join(PROJECT_BASE_PATH, 'Plugin', 'Other')",
                0,
                &["Other"],
                &[],
            ),
            (
                "path.join(projectBasePath, 'image', name)",
                0,
                &[],
                &["image"],
            ),
            (
                "`${process.env.PROJECT_BASE_PATH}/file/${name}`",
                0,
                &[],
                &["file"],
            ),
            ("`${base}/Plugin/Other/data.json`", 0, &["Other"], &[]),
            ("path.join(PLUGIN_DIR, 'Other')", 0, &["Other"], &[]),
            ("// see ../README and ../Other\n'text'", 0, &[], &[]),
            (
                "/* '../Other' */ type = 'image'; f('a', 'file')",
                0,
                &[],
                &[],
            ),
            ("fetch(`${baseUrl}/image/x`); '/image/x'", 0, &[], &[]),
            ("require('../lib/x')", 2, &["lib"], &[]),
            ("'Ask the Plugin Other for the dailynote.'", 0, &[], &[]),
        ] {
            check(code, &lexer::javascript(code), depth, neighbours, shared);
        }
    }

    #[test]
    fn places_beside_the_code_and_in_the_host() {
        for (code, beside, in_base) in [
            ("path.join(__dirname, 'cups', x)", &["cups"][..], &[][..]),
            ("path.join(__dirname, '..', '..', 'tea')", &[], &["tea"]),
            ("path.join(PROJECT_BASE_PATH, 'tea', x)", &[], &["tea"]),
            (
                "path.resolve(PROJECT_BASE_PATH || cwd(), 'tea')",
                &[],
                &["tea"],
            ),
            ("path.join(__dirname, '../Other')", &[], &[]),
            ("path.join(dir, 'cups')", &[], &[]),
        ] {
            let mut facts = CodeFacts::default();
            read(&lexer::javascript(code), 0, &mut facts);
            assert!(facts.beside_code.iter().eq(beside), "{code}: {facts:?}");
            assert!(facts.in_base.iter().eq(in_base), "{code}: {facts:?}");
        }
    }

    #[test]
    fn files_of_other_plugins() {
        for (code, expected) in [
            (
                "path.join(__dirname, '..', 'Other', 'x.json')",
                &["Other/x.json"][..],
            ),
            ("`${base}/Plugin/Other/data/x.txt`", &["Other/data/x.txt"]),
            ("require('../Other/lib.js')", &[]),
            ("path.join(__dirname, '../Other/config.env')", &[]),
            ("path.join(__dirname, '../Other/${name}.json')", &[]),
            ("path.join(__dirname, 'x.json')", &[]),
            ("path.join(__dirname, '../../x/y.json')", &[]),
        ] {
            let mut facts = CodeFacts::default();
            read(&lexer::javascript(code), 0, &mut facts);
            let found = facts.neighbour_files.iter().map(ToString::to_string);
            assert_eq!(found.collect::<Vec<_>>(), expected, "{code}");
        }
    }

    #[test]
    fn paths_in_python() {
        for (code, neighbours, shared) in [
            ("open('../Other/data.json')", &["Other"][..], &[][..]),
            (
                "os.path.join(os.path.dirname(os.path.dirname(__file__)), 'Other')",
                &["Other"],
                &[],
            ),
            (
                "Path(__file__).resolve().parent.parent / 'Other' / 'x'",
                &["Other"],
                &[],
            ),
            (
                "Path(__file__).parent.parent.parent / 'file'",
                &[],
                &["file"],
            ),
            ("Path(__file__).parent / 'Other'", &[], &[]),
            ("PROJECT_ROOT / 'DebugLog'", &[], &["DebugLog"]),
            ("os.path.join(base, 'Plugin', 'Other')", &["Other"], &[]),
            ("# ../Other\nx = 'image'", &[], &[]),
        ] {
            check(code, &lexer::python(code), 0, neighbours, shared);
        }
    }
}
