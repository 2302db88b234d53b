//! All files that an entry reaches through imports, and their combined facts.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    facts::{CodeFacts, Language},
    javascript, python,
};

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
    use plugin_prose::InCode as _;

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
