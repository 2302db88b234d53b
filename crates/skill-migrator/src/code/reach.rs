//! All files that an entry reaches through imports, and their combined facts.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{HostModule, HostModules};

use super::{
    facts::{CodeFacts, Import, Language},
    host_path::{self, Centre, Importer, Target},
    javascript, python,
};

/// The files that code can reach.
#[derive(Clone, Copy)]
pub(crate) struct Reachable<'a> {
    /// The name of the plugin's directory.
    pub(crate) directory: &'a str,
    /// The texts of the plugin, by path.
    pub(crate) texts: &'a BTreeMap<String, String>,
    /// The modules of the host around it.
    pub(crate) host: &'a HostModules,
}

/// Reads the entry and its imports, in the plugin directory and in the host around it.
pub(crate) fn read_code(entry: &str, files: Reachable<'_>) -> CodeFacts {
    let mut facts = CodeFacts::default();
    let mut seen = BTreeSet::new();
    let entry = Importer::Own(entry.to_owned());
    let mut waiting = vec![entry.clone()];
    while let Some(file) = waiting.pop() {
        let (Some(language), Some(code)) = (Language::from_path(file.path()), files.text(&file))
        else {
            continue;
        };
        if !seen.insert(file.clone()) {
            continue;
        }
        let exports = facts.exports.clone();
        let modules = match language {
            Language::JavaScript => javascript::read(code, file.depth(), &mut facts),
            Language::Python => python::read(code, file.depth(), &mut facts),
        };
        if file != entry {
            facts.exports = exports;
        }
        for module in modules {
            waiting.extend(files.find(&file, language, &module, &mut facts));
        }
    }
    facts.settle();
    for file in seen {
        match file {
            Importer::Own(path) => facts.files.insert(path),
            Importer::Host(path) => facts.carried.insert(path),
        };
    }
    facts
}

impl<'a> Reachable<'a> {
    fn text(&self, file: &Importer) -> Option<&'a String> {
        match file {
            Importer::Own(path) => self.texts.get(path),
            Importer::Host(path) => self.host.texts.get(path),
        }
    }

    /// Returns the files of an import, and adds facts about those that are elsewhere.
    fn find(
        &self,
        from: &Importer,
        language: Language,
        import: &Import,
        facts: &mut CodeFacts,
    ) -> Vec<Importer> {
        let found = match import {
            Import::FromHost(path) => {
                let target = host_path::from_host(path, self.directory);
                self.javascript_file(target, path, facts)
            }
            Import::Optional(import) => {
                // What it lacks is not missing: the code looks elsewhere.
                let mut its = CodeFacts::default();
                let found = self.find(from, language, import, &mut its);
                facts.wanted.append(&mut its.wanted);
                facts.carried.append(&mut its.carried);
                return found;
            }
            Import::Within(dir) => return self.directory(from.resolve(dir, self.directory)),
            Import::Module(module) => self.module(from, language, module, facts),
        };
        found.into_iter().collect()
    }

    /// Returns the JavaScript files in a directory of the plugin, and those that its directories begin with.
    fn directory(&self, dir: Target) -> Vec<Importer> {
        let Target::Own(dir) = dir else {
            return Vec::new();
        };
        let is_within = |path: &str| {
            let name = path
                .strip_prefix(&dir)
                .and_then(|rest| rest.strip_prefix('/'));
            let name = name.unwrap_or_default();
            match name.split_once('/') {
                Some((_, rest)) => rest.starts_with("index.") && !rest.contains('/'),
                None => !name.is_empty(),
            }
        };
        let files = self.texts.keys().filter(|path| is_within(path));
        let code = files.filter(|path| Language::from_path(path) == Some(Language::JavaScript));
        code.cloned().map(Importer::Own).collect()
    }

    fn module(
        &self,
        from: &Importer,
        language: Language,
        module: &str,
        facts: &mut CodeFacts,
    ) -> Option<Importer> {
        match language {
            Language::JavaScript if module.starts_with('.') => {
                let target = from.resolve(module, self.directory);
                self.javascript_file(target, module, facts)
            }
            Language::JavaScript => {
                javascript::package(module, facts);
                None
            }
            Language::Python => self.python_file(from, module, facts),
        }
    }

    fn javascript_file(
        &self,
        target: Target,
        module: &str,
        facts: &mut CodeFacts,
    ) -> Option<Importer> {
        let path = match target {
            Target::Own(path) => path,
            Target::Host(path) => return self.host_file(&path, facts),
            Target::Neighbour(outside) | Target::Beyond(outside) => {
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
            .find(|path| self.texts.contains_key(path));
        if found.is_none() && Language::from_path(&path).is_some() {
            facts.missing.insert(module.to_owned());
        }
        found.map(Importer::Own)
    }

    /// Returns the file of a module of the host.
    fn host_file(&self, path: &str, facts: &mut CodeFacts) -> Option<Importer> {
        if path.is_empty() || host_path::installed(path, &mut facts.packages) {
            return None;
        }
        if let Some(part) = host_path::centre(path) {
            match part {
                Centre::Answered(part) => _ = facts.host_parts.insert(part),
                Centre::Server => _ = facts.outside.insert(path.to_owned()),
            }
            return None;
        }
        match self.host.found.get(path) {
            Some(HostModule::Carried(file)) => {
                facts.carried.insert(file.clone());
                return Some(Importer::Host(file.clone()));
            }
            Some(HostModule::Missing) => _ = facts.missing.insert(path.to_owned()),
            Some(HostModule::Refused(_)) => _ = facts.outside.insert(path.to_owned()),
            None => {
                facts.outside.insert(path.to_owned());
                facts.wanted.insert(path.to_owned());
            }
        }
        None
    }

    fn python_file(
        &self,
        from: &Importer,
        module: &str,
        facts: &mut CodeFacts,
    ) -> Option<Importer> {
        let n_dots = module.len() - module.trim_start_matches('.').len();
        let name = module[n_dots..].replace('.', "/");
        let up = "../".repeat(n_dots.saturating_sub(1));
        let near = from.resolve(&format!("./{up}{name}"), self.directory);
        let tails = [".py", "/__init__.py"];
        if let Target::Own(path) = &near {
            let found = tails
                .iter()
                .map(|tail| format!("{path}{tail}"))
                .find(|path| self.texts.contains_key(path));
            if found.is_some() {
                return found.map(Importer::Own);
            }
        }
        if let (Target::Host(path), true) = (&near, matches!(from, Importer::Host(_)))
            && let Some(file) = self.python_host_file(path, facts)
        {
            return Some(file);
        }
        if n_dots == 0 {
            let is_top = python::is_foreign(module) && facts.extends_path && !name.is_empty();
            if let Some(file) = is_top
                .then(|| self.python_host_file(&name, facts))
                .flatten()
            {
                return Some(file);
            }
            python::package(module, facts);
        }
        None
    }

    /// Returns a Python module of the host. Whether the host has it is a question, not a need: most
    /// names are those of packages.
    fn python_host_file(&self, path: &str, facts: &mut CodeFacts) -> Option<Importer> {
        match self.host.found.get(path) {
            Some(HostModule::Carried(file)) => {
                facts.carried.insert(file.clone());
                Some(Importer::Host(file.clone()))
            }
            Some(HostModule::Refused(_)) => {
                facts.outside.insert(path.to_owned());
                None
            }
            Some(HostModule::Missing) => None,
            None => {
                facts.wanted.insert(path.to_owned());
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use plugin_prose::InCode as _;

    use super::*;

    fn texts(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        let files = files.iter();
        files
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    fn read(files: &[(&str, &str)]) -> CodeFacts {
        let texts = texts(files);
        let host = HostModules::default();
        read_with(files[0].0, &texts, &host)
    }

    fn read_with(entry: &str, texts: &BTreeMap<String, String>, host: &HostModules) -> CodeFacts {
        let files = Reachable {
            directory: "X",
            texts,
            host,
        };
        read_code(entry, files)
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
                require('../../Plugin.js'); require('../../../modules/k'); require('./gone.js'); function shutdown() {}
                const key = hostConfig.Key; const other = entry.Key;"),
        ]);
        check(&facts.packages, &["@scope/y", "axios"]);
        check(&facts.outside, &["Plugin/Plugin.js", "modules/k"]);
        check(&facts.missing, &["./gone.js"]);
        check(&facts.variables, &["A", "B", "C", "D", "Key"]);
        check(&facts.exports, &["initialize", "processToolCall"]);
        assert!(facts.network && facts.contains("axios") && !facts.contains("commented"));
    }

    #[test]
    fn follows_the_places_of_a_loop() {
        let facts = read(&[
            (
                "a.js",
                "const all = [path.join(__dirname, 'own.js'), path.join(__dirname, 'gone.js'), path.join(__dirname, '../../modules/m.js')];
                 for (const place of all) { if (fs.existsSync(place)) return require(place); }",
            ),
            ("own.js", "require('axios')"),
        ]);
        check(&facts.packages, &["axios"]);
        check(&facts.wanted, &["modules/m.js"]);
        check(&facts.missing, &[]);
        check(&facts.outside, &[]);
    }

    #[test]
    fn follows_files_of_unknown_names() {
        let facts = read(&[
            (
                "a.js",
                "require(path.join(__dirname, 'dist', 'routes', name)); require(`./more/${name}.js`);",
            ),
            ("dist/routes/x.js", "require('../got.js')"),
            ("dist/got.js", "require('axios')"),
            ("dist/routes/y/index.js", "require('got')"),
            ("dist/routes/y/z.js", "require('not-reached')"),
            ("dist/routes/data.json", "{}"),
            ("dist/page.js", "require('react')"),
            ("more/m.js", "require('md5')"),
        ]);
        check(&facts.packages, &["axios", "got", "md5"]);
        check(&facts.missing, &[]);
        assert!(facts.network);
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

    /// The host has what the second argument lists, under the names that code uses.
    fn host(files: &[(&str, &str, &str)]) -> HostModules {
        let found = files.iter().map(|(module, path, _)| {
            let module = (*module).to_owned();
            match *path {
                "" => (module, HostModule::Missing),
                "!" => (module, HostModule::Refused("too large".to_owned())),
                path => (module, HostModule::Carried(path.to_owned())),
            }
        });
        let carried: Vec<_> = files.iter().map(|(_, path, text)| (*path, *text)).collect();
        HostModules {
            is_known: true,
            found: found.collect(),
            texts: texts(&carried),
            ..HostModules::default()
        }
    }

    #[test]
    fn follows_modules_of_the_host() {
        let plugin = texts(&[(
            "lib/a.js",
            "require('../../../modules/k'); require('../../../Plugin.js'); require('../../../gone');
                require('../../../huge'); require('../../../new'); require('../../../server.js');
                require('../../../node_modules/@a/b/c.js'); require('../../Other/x.js');
                require(path.join(__dirname, '..', '..', '..', 'modules', 'built.js'));",
        )]);
        let known = host(&[
            (
                "modules/k",
                "modules/k.js",
                "require('./l'); require('../KnowledgeBaseManager'); require('axios'); process.env.K;\n",
            ),
            (
                "modules/l",
                "modules/l/index.js",
                "require('../k'); require('../../Plugin/X/lib/a.js')",
            ),
            ("modules/built.js", "modules/built.js", ""),
            ("gone", "", ""),
            ("huge", "!", ""),
        ]);
        let facts = read_with("lib/a.js", &plugin, &known);
        check(
            &facts.carried,
            &["modules/built.js", "modules/k.js", "modules/l/index.js"],
        );
        check(
            &facts.outside,
            &["Plugin/Other/x.js", "huge", "new", "server.js"],
        );
        check(&facts.wanted, &["new"]);
        check(&facts.missing, &["gone"]);
        check(&facts.packages, &["@a/b", "axios"]);
        check(&facts.variables, &["K"]);
        check(&facts.files, &["lib/a.js"]);
        let parts: Vec<_> = facts.host_parts.iter().copied().collect();
        assert_eq!(parts, ["knowledge-base", "plugin-manager"]);
    }

    #[test]
    fn follows_python_into_the_host() {
        let plugin = texts(&[(
            "m.py",
            "import sys, os\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..'))\nimport requests\nfrom modules.text import f\n",
        )]);
        let asked = read_with("m.py", &plugin, &host(&[]));
        check(&asked.wanted, &["modules/text", "requests"]);
        check(&asked.outside, &[]);
        let known = host(&[
            (
                "modules/text",
                "modules/text.py",
                "from .more import g\nimport yaml\n",
            ),
            ("modules/more", "modules/more.py", ""),
            ("requests", "", ""),
            ("yaml", "", ""),
            ("modules/yaml", "", ""),
        ]);
        let facts = read_with("m.py", &plugin, &known);
        check(&facts.carried, &["modules/more.py", "modules/text.py"]);
        check(&facts.packages, &["requests", "yaml"]);
        check(&facts.wanted, &[]);
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
