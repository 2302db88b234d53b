//! The packages that the code of a plugin imports, in all of its files.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    facts::{CodeFacts, Import, Language},
    javascript,
    lexer::{self, Token},
    python,
};

/// Packages by name; the value is true if the program can do without: each import of it handles a
/// failure, or is in a file that the entry does not load.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Imports {
    pub(crate) npm: BTreeMap<String, bool>,
    pub(crate) pip: BTreeMap<String, bool>,
}

/// A module that a file imports.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Loaded {
    module: String,
    /// True if a failure is handled where it happens.
    is_guarded: bool,
}

/// Directories of files that run in a browser or for tests, unless the entry loads them.
const OTHER_DIRECTORIES: [&str; 12] = [
    "__tests__",
    "dist",
    "docs",
    "example",
    "examples",
    "frontend",
    "public",
    "spec",
    "static",
    "test",
    "tests",
    "www",
];
/// Files that make their directory a project of its own.
const OWN_PROJECT: [&str; 5] = [
    "SKILL.md",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
];

/// Reads the imports of all code files. `reached` are those that the entry loads.
pub(crate) fn read_imports<'a>(
    texts: &BTreeMap<String, String>,
    reached: &BTreeSet<String>,
    files: impl Iterator<Item = &'a str> + Clone,
) -> Imports {
    let own = OwnNames::new(files);
    let mut res = Imports::default();
    for (path, code) in texts {
        let is_reached = reached.contains(path);
        let Some(language) = Language::from_path(path) else {
            continue;
        };
        if !is_reached && (is_other(path) || own.is_in_project(path)) {
            continue;
        }
        match language {
            Language::JavaScript => {
                for import in javascript_imports(code) {
                    let name = npm_package(&import.module);
                    let name = name.filter(|name| !own.top.contains(name.as_str()));
                    add(&mut res.npm, name, import.is_guarded || !is_reached);
                }
            }
            Language::Python => {
                for import in python_imports(code) {
                    let name = python_package(&import.module, &own);
                    add(&mut res.pip, name, import.is_guarded || !is_reached);
                }
            }
        }
    }
    res
}

impl Imports {
    /// Adds the imports of files that the program loads from elsewhere.
    pub(crate) fn add(&mut self, other: Self) {
        for (name, is_optional) in other.npm {
            add(&mut self.npm, Some(name), is_optional);
        }
        for (name, is_optional) in other.pip {
            add(&mut self.pip, Some(name), is_optional);
        }
    }
}

fn add(acc: &mut BTreeMap<String, bool>, name: Option<String>, is_optional: bool) {
    if let Some(name) = name {
        let known = acc.entry(name).or_insert(true);
        *known &= is_optional;
    }
}

/// Names that are modules of the plugin itself.
struct OwnNames<'a> {
    /// Names of top-level files and directories.
    top: BTreeSet<&'a str>,
    /// Names of Python modules in any directory, and of all directories.
    modules: BTreeSet<&'a str>,
    /// Directories below the plugin's that are projects of their own.
    projects: BTreeSet<&'a str>,
}

impl<'a> OwnNames<'a> {
    fn new(files: impl Iterator<Item = &'a str>) -> Self {
        let mut res = Self {
            top: BTreeSet::new(),
            modules: BTreeSet::new(),
            projects: BTreeSet::new(),
        };
        for path in files {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            res.modules.extend(directory.split('/'));
            if let Some(stem) = name.strip_suffix(".py") {
                res.modules.insert(stem);
            }
            if let Some((top, _)) = path.split_once('/') {
                res.top.insert(top);
            }
            if !directory.is_empty() && OWN_PROJECT.contains(&name) {
                res.projects.insert(directory);
            }
        }
        res
    }

    fn is_in_project(&self, path: &str) -> bool {
        let starts = path.match_indices('/').map(|(at, _)| &path[..at]);
        starts.into_iter().any(|dir| self.projects.contains(dir))
    }
}

/// Returns true for files that neither the program nor its helpers load.
fn is_other(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.rsplit('/');
    let name = parts.next().unwrap_or_default();
    parts.any(|part| OTHER_DIRECTORIES.contains(&part))
        || [".test.", ".spec.", ".min.", ".config.", ".d.ts"]
            .iter()
            .any(|part| name.contains(part))
        || matches!(name, "setup.py" | "conftest.py")
        || name.starts_with("test_") && name.ends_with(".py")
        || name.ends_with("_test.py")
}

fn javascript_imports(code: &str) -> Vec<Loaded> {
    let tokens: Vec<Token<'_>> = lexer::javascript(code)
        .into_iter()
        .filter(|token| *token != Token::Newline)
        .collect();
    let mut res = Vec::new();
    // For each open brace, whether it opens a `try` block.
    let mut blocks: Vec<bool> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let after = &tokens[at + 1..];
        let module = match token {
            Token::Sign('{') => {
                let before = at.checked_sub(1).map(|at| tokens[at]);
                blocks.push(before == Some(Token::Word("try")));
                continue;
            }
            Token::Sign('}') => {
                blocks.pop();
                continue;
            }
            Token::Word("require" | "import") => javascript::called_with(after),
            Token::Word("from") => javascript::text(after.first()),
            _ => continue,
        };
        res.extend(module.map(|module| Loaded {
            module,
            is_guarded: blocks.contains(&true) || is_caught(after),
        }));
    }
    res
}

/// Recognizes `import('x').catch(…)`.
fn is_caught(after: &[Token<'_>]) -> bool {
    matches!(
        after,
        [
            Token::Sign('('),
            Token::Text(_),
            Token::Sign(')'),
            Token::Sign('.'),
            Token::Word("catch"),
            ..,
        ]
    )
}

/// Returns the npm package of a module; `None` for files, parts of Node.js, URLs and aliases of
/// bundlers.
fn npm_package(module: &str) -> Option<String> {
    let mut facts = CodeFacts::default();
    if module.starts_with(['.', '/', '#', '~']) {
        return None;
    }
    javascript::package(module, &mut facts);
    let name = facts.packages.pop_first()?;
    is_npm_name(&name).then_some(name)
}

/// Returns true for what npm accepts as the name of a package.
pub(crate) fn is_npm_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.len() <= 214
            && part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c))
    };
    match name.strip_prefix('@').map(|scoped| scoped.split_once('/')) {
        Some(Some((scope, name))) => is_part(scope) && is_part(name),
        Some(None) => false,
        None => is_part(name),
    }
}

fn python_imports(code: &str) -> Vec<Loaded> {
    let modules = python::read(code, 0, &mut CodeFacts::default());
    let guarded = guarded_python(code);
    let imports = modules.into_iter().filter_map(|import| {
        let Import::Module(module) = import else {
            return None;
        };
        let is_guarded = guarded.get(module.as_str()).copied().unwrap_or(false);
        Some(Loaded { module, is_guarded })
    });
    imports.collect()
}

/// Returns the modules in lines that begin with `import` or `from`; the value is true if all such
/// lines are in `try` statements.
fn guarded_python(code: &str) -> BTreeMap<&str, bool> {
    let mut res = BTreeMap::new();
    // The indentation of each open `try`.
    let mut tries: Vec<usize> = Vec::new();
    for line in code.lines() {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indent = line.len() - text.len();
        let continues = ["except", "else", "finally"]
            .iter()
            .any(|word| text.starts_with(word));
        tries.retain(|open| *open < indent || continues && *open == indent);
        if text.starts_with("try:") || text.starts_with("try :") {
            tries.push(indent);
        }
        let modules = match text.split_once(char::is_whitespace) {
            Some(("import", rest)) => rest.split(',').collect(),
            Some(("from", rest)) => vec![rest],
            _ => Vec::new(),
        };
        for module in modules {
            let word = module.split_whitespace().next().unwrap_or_default();
            let all = res.entry(word).or_insert(true);
            *all &= !tries.is_empty();
        }
    }
    res
}

/// Returns the distribution of a Python module; `None` for relative and own modules and those of
/// Python itself.
fn python_package(module: &str, own: &OwnNames<'_>) -> Option<String> {
    let mut facts = CodeFacts::default();
    if module.starts_with('.') {
        return None;
    }
    python::package(module, &mut facts);
    let top = facts.packages.pop_first()?;
    let is_name = top.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !own.modules.contains(top.as_str()))
        .then(|| skill_model::pip_package(&top).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the packages of files, of which the first is the entry: `name` if the program needs
    /// it, `name?` if not.
    #[track_caller]
    fn check(files: &[(&str, &str)], npm: &[&str], pip: &[&str]) {
        let texts: BTreeMap<String, String> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        let reached = [files[0].0.to_owned()].into();
        let found = read_imports(&texts, &reached, texts.keys().map(String::as_str));
        let shown = |list: &BTreeMap<String, bool>| -> Vec<String> {
            list.iter()
                .map(|(name, is_optional)| format!("{name}{}", if *is_optional { "?" } else { "" }))
                .collect()
        };
        assert_eq!(shown(&found.npm), npm);
        assert_eq!(shown(&found.pip), pip);
    }

    #[test]
    fn javascript_in_all_forms() {
        check(
            &[(
                "a.mjs",
                "import x, { y } from 'x'; export * from '@s/z/deep'; import 'side'; const w = await import('w');
                 const a = require('a/b'); require('./own'); require('fs'); require('node:path'); import 'https://h/x.js';
                 require(name); import v from '@/alias'; import u from '#own'; `${require('t')}`",
            )],
            &["@s/z", "a", "side", "w", "x"],
            &[],
        );
    }

    #[test]
    fn a_failure_that_is_handled_makes_it_optional() {
        check(
            &[(
                "a.js",
                "try { require('one'); if (x) { require('two') } } catch { require('three') }
                 import('four').catch(() => null); function f() { require('five') } require('one')",
            )],
            &["five", "four?", "one", "three", "two?"],
            &[],
        );
        check(
            &[(
                "a.py",
                "import requests, yaml\ntry:\n    import cv2\n    from PIL import Image\nexcept ImportError:\n    import skimage.io\nimport dotenv\ndef f():\n    try:\n        pass\n    finally:\n        pass\n    import bs4\n",
            )],
            &[],
            &[
                "Pillow?",
                "PyYAML",
                "beautifulsoup4",
                "opencv-python?",
                "python-dotenv",
                "requests",
                "scikit-image?",
            ],
        );
    }

    #[test]
    fn helpers_are_read_and_tests_browsers_and_other_projects_are_not() {
        check(
            &[
                ("a.js", "require('main')"),
                ("lib/helper.js", "require('helper'); require('main')"),
                ("lib/tool.py", "import httpx, helper_module, pkg.x, os"),
                ("helper_module.py", ""),
                ("pkg/x.py", ""),
                ("public/app.js", "import 'vue'"),
                ("lib/a.test.js", "require('jest')"),
                ("other/package.json", "{}"),
                ("other/src/b.js", "require('theirs')"),
            ],
            &["helper?", "main"],
            &["httpx?"],
        );
    }
}
