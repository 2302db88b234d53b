//! All files that an entry reaches through imports, and their combined facts.

use std::collections::{BTreeMap, BTreeSet};

use plugin_prose::InCode;

use super::{javascript, python};

/// The facts that the code shows.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct CodeFacts {
    /// Packages that must be installed: npm names, or Python modules.
    pub(crate) packages: BTreeSet<String>,
    /// Modules outside the plugin directory, as paths in the old host: `Plugin/…` for another
    /// plugin, anything else for the host itself.
    pub(crate) outside: BTreeSet<String>,
    /// Parts of the host that modules receive and this code uses.
    pub(crate) host_parts: BTreeSet<&'static str>,
    /// Relative modules that do not exist, as written.
    pub(crate) missing: BTreeSet<String>,
    /// Environment variables.
    pub(crate) variables: BTreeSet<String>,
    /// Functions for a host, defined anywhere in the entry.
    pub(crate) exports: BTreeSet<String>,
    /// True if it uses the network.
    pub(crate) network: bool,
    /// True if it builds paths that leave the plugin directory. Those of the surrounding old host
    /// are below the skill's own base.
    pub(crate) leaves_directory: bool,
    /// True if it names places of the machine outside the old host: `/mnt/photos`.
    pub(crate) leaves_host: bool,
    /// Files that were reached, by their path in the plugin.
    pub(crate) files: BTreeSet<String>,
    /// Settings that are read from an object with settings: `config.ALLOWED_DIRS`.
    pub(crate) settings: BTreeSet<String>,
    /// First components of paths that leave the plugin directory by one level; most name a plugin.
    pub(crate) neighbours: BTreeSet<String>,
    /// Directories that plugins shared and that this one uses.
    pub(crate) shared: BTreeSet<&'static str>,
    literals: BTreeSet<String>,
}

/// Maximum length of a literal that counts as an identifier.
const MAX_LITERAL: usize = 64;

impl CodeFacts {
    pub(super) fn literal(&mut self, text: &str) {
        self.leaves_directory |=
            text == ".." || text.starts_with("../") || text.starts_with("..\\");
        if text.len() <= MAX_LITERAL && !text.is_empty() {
            self.literals.insert(text.to_owned());
        }
    }

    pub(super) fn variable(&mut self, key: &str) {
        let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name && key.starts_with(|c: char| !c.is_ascii_digit()) {
            self.variables.insert(key.to_owned());
        }
    }
}

impl InCode for CodeFacts {
    fn contains(&self, literal: &str) -> bool {
        self.literals.contains(literal)
    }
}

/// The languages that are analyzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    JavaScript,
    Python,
}

impl Language {
    pub(super) fn from_path(path: &str) -> Option<Self> {
        let extension = path.rsplit_once('.')?.1.to_ascii_lowercase();
        match extension.as_str() {
            "js" | "mjs" | "cjs" | "ts" => Some(Self::JavaScript),
            "py" => Some(Self::Python),
            _ => None,
        }
    }
}

/// Reads the entry and its imports from the plugin directory.
pub(crate) fn read_code(entry: &str, texts: &BTreeMap<String, String>) -> CodeFacts {
    let mut facts = CodeFacts::default();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![entry.to_owned()];
    while let Some(path) = waiting.pop() {
        let (Some(language), Some(code)) = (Language::from_path(&path), texts.get(&path)) else {
            continue;
        };
        if !seen.insert(path.clone()) {
            continue;
        }
        let exports = facts.exports.clone();
        let depth = path.matches('/').count();
        let modules = match language {
            Language::JavaScript => javascript::read(code, depth, &mut facts),
            Language::Python => python::read(code, depth, &mut facts),
        };
        if path != entry {
            facts.exports = exports;
        }
        for module in modules {
            waiting.extend(resolve(&path, language, &module, texts, &mut facts));
        }
    }
    facts.files = seen;
    facts
}

/// Returns the file of a module in the plugin directory, or adds a fact about one that is
/// elsewhere.
fn resolve(
    from: &str,
    language: Language,
    module: &str,
    texts: &BTreeMap<String, String>,
    facts: &mut CodeFacts,
) -> Option<String> {
    match language {
        Language::JavaScript if module.starts_with('.') => {
            javascript_file(from, module, texts, facts)
        }
        Language::JavaScript => {
            javascript::package(module, facts);
            None
        }
        Language::Python => python_file(from, module, texts, facts),
    }
}

fn javascript_file(
    from: &str,
    module: &str,
    texts: &BTreeMap<String, String>,
    facts: &mut CodeFacts,
) -> Option<String> {
    let path = match join(from, module) {
        Ok(path) => path,
        Err(outside) => {
            facts.outside.insert(outside);
            return None;
        }
    };
    let tails = [
        "",
        ".js",
        ".mjs",
        ".cjs",
        ".ts",
        "/index.js",
        "/index.mjs",
        "/index.cjs",
    ];
    let found = tails
        .iter()
        .map(|tail| format!("{path}{tail}"))
        .find(|path| texts.contains_key(path));
    if found.is_none() && Language::from_path(&path).is_some() {
        facts.missing.insert(module.to_owned());
    }
    found
}

fn python_file(
    from: &str,
    module: &str,
    texts: &BTreeMap<String, String>,
    facts: &mut CodeFacts,
) -> Option<String> {
    let n_dots = module.len() - module.trim_start_matches('.').len();
    let name = module[n_dots..].replace('.', "/");
    let up = "../".repeat(n_dots.saturating_sub(1));
    let path = join(from, &format!("./{up}{name}")).ok()?;
    let tails = [".py", "/__init__.py"];
    let found = tails
        .iter()
        .map(|tail| format!("{path}{tail}"))
        .find(|path| texts.contains_key(path));
    if found.is_none() && n_dots == 0 {
        python::package(module, facts);
    }
    found
}

/// Resolves a relative path from a file. A path that leaves the plugin directory is returned as a
/// path in the old host, where plugins are in `Plugin/`.
fn join(from: &str, relative: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    let mut n_climbed = 0;
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => n_climbed += 1,
            ".." => {}
            _ => parts.push(part),
        }
    }
    let path = parts.join("/");
    match n_climbed {
        0 => Ok(path),
        1 => Err(format!("Plugin/{path}")),
        2 => Err(path),
        _ => Err(format!("{}{path}", "../".repeat(n_climbed - 2))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> CodeFacts {
        let texts = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        read_code(files[0].0, &texts)
    }

    #[track_caller]
    fn check<'a>(found: &'a BTreeSet<String>, expected: &[&'a str]) {
        assert_eq!(
            found.iter().map(String::as_str).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn follows_javascript() {
        let facts = read(&[
            ("a.js", "const x = require('./lib/x'); const { A, B: c } = process.env; require('node:fs');
                // require('commented')
                module.exports = { processToolCall, async initialize() {} }; await plugin.shutdown();"),
            ("lib/x.js", "import y from '@scope/y/z'; import('axios'); process.env['C'] || process.env.D;
                require('../../Plugin.js'); require('../../../modules/k'); require('./gone.js'); function shutdown() {}"),
        ]);
        check(&facts.packages, &["@scope/y", "axios"]);
        check(&facts.outside, &["Plugin/Plugin.js", "modules/k"]);
        check(&facts.missing, &["./gone.js"]);
        check(&facts.variables, &["A", "B", "C", "D"]);
        check(&facts.exports, &["initialize", "processToolCall"]);
        assert!(facts.network && facts.contains("axios") && !facts.contains("commented"));
    }

    #[test]
    fn follows_python() {
        let facts = read(&[
            (
                "m.py",
                "import os, json\nimport requests as r\nfrom helper import a\nfrom pkg.sub import b\n# import commented\nos.environ['A']; os.getenv('B'); os.environ.get('C')\n",
            ),
            ("helper.py", "from . import other\nimport numpy.linalg\n"),
            ("pkg/sub.py", "if True:\n    import yaml\n"),
        ]);
        check(&facts.packages, &["numpy", "requests", "yaml"]);
        check(&facts.variables, &["A", "B", "C"]);
        assert!(facts.network && facts.outside.is_empty());
    }

    /// Checks whether code leaves the plugin directory, and the old host.
    #[track_caller]
    fn check_leaves(file: &str, code: &str, expected: (bool, bool)) {
        let facts = read(&[(file, code)]);
        let found = (facts.leaves_directory, facts.leaves_host);
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn leaves_the_host() {
        for (code, leaves_directory, leaves_host) in [
            ("require('../Other/lib')", true, false),
            ("path.join(__dirname, '..', '..', 'x')", true, false),
            ("path.join(__dirname, '../../..', 'x')", true, false),
            ("fs.readFileSync('/mnt/photos/a.png')", false, true),
            ("const dir = '/home/me/notes';", false, true),
            ("`/Users/${name}/Music`", false, true),
            ("open('/var/lib/app/data')", false, true),
            // Of the system, of all users, or the skill's own.
            ("spawn('/usr/bin/ffmpeg'); '/etc/hosts'", false, false),
            ("`/tmp/${name}.log`; '/dev/null'", false, false),
            ("path.join(os.homedir(), '.config'); '~/x'", false, false),
            // Routes, addresses, sentences, a root without a place in it.
            (
                "router.get('/home/list'); app.use('/media/x', f)",
                false,
                false,
            ),
            ("fetch('/home/x'); axios.post('/mnt/x')", false, false),
            ("'http://host/home/x'; url + '/home/x'", false, false),
            (
                "'/home/ is where users live'; '/mnt'; '/mnt/'",
                false,
                false,
            ),
            ("// '/home/me'", false, false),
        ] {
            check_leaves("a.js", code, (leaves_directory, leaves_host));
        }
        check_leaves("m.py", "Path('/mnt/x') / 'y'", (false, true));
        check_leaves("m.py", "Path.home() / 'x'; '../y'", (true, false));
        check_leaves("m.py", "@app.get('/home/x')", (false, false));
    }
}
