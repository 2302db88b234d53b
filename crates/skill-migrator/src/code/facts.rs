//! The facts that the code of a plugin shows, and the languages it is written in.

use std::collections::BTreeSet;

use plugin_prose::InCode;
use skill_model::SharedFile;

use super::conditions;

/// The facts that the code shows.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each fact is independent of the others"
)]
pub(crate) struct CodeFacts {
    /// Packages that must be installed: npm names, or Python modules.
    pub(crate) packages: BTreeSet<String>,
    /// Modules outside the plugin directory that are not carried, as paths in the old host:
    /// `Plugin/…` for another plugin, anything else for the host itself.
    pub(crate) outside: BTreeSet<String>,
    /// Modules of the old host that the code may load and of which nothing is known yet.
    pub(crate) wanted: BTreeSet<String>,
    /// Files of the old host that were reached and are carried.
    pub(crate) carried: BTreeSet<String>,
    /// Parts of the host that this code receives or loads.
    pub(crate) host_parts: BTreeSet<&'static str>,
    /// Relative modules that do not exist, as written.
    pub(crate) missing: BTreeSet<String>,
    /// Environment variables.
    pub(crate) variables: BTreeSet<String>,
    /// Keys of other objects with settings.
    pub(crate) loaded: BTreeSet<String>,
    /// Families of settings: `TABLE_*`.
    pub(crate) families: BTreeSet<String>,
    /// True if it names a file with settings.
    pub(super) reads_settings: bool,
    /// Names in the form of settings that it defines itself.
    pub(super) defined: BTreeSet<String>,
    /// Functions for a host, defined anywhere in the entry.
    pub(crate) exports: BTreeSet<String>,
    /// Programs of other makers that it starts.
    pub(crate) programs: BTreeSet<String>,
    /// Sentences of its errors on what has to be installed or running.
    pub(crate) conditions: BTreeSet<String>,
    /// True if it uses the network.
    pub(crate) network: bool,
    /// True if it writes files.
    pub(crate) writes: bool,
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
    /// Data files in the directories of other plugins.
    pub(crate) neighbour_files: BTreeSet<SharedFile>,
    /// Directories that plugins shared and that this one uses.
    pub(crate) shared: BTreeSet<&'static str>,
    /// Names of directories and files beside the code, by a path that begins there.
    pub(crate) beside_code: BTreeSet<String>,
    /// Names of directories and files in the directory of the old host.
    pub(crate) in_base: BTreeSet<String>,
    /// True if Python code adds directories to its search path.
    pub(super) extends_path: bool,
    /// Literals that may be identifiers.
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
        self.conditions.extend(conditions::read(text));
    }

    /// Returns true for code that starts the shell of Windows or uses its modules, and knows no other system.
    pub(crate) fn only_windows(&self) -> bool {
        const SHELLS: [&str; 4] = ["powershell.exe", "powershell", "cmd.exe", "pwsh.exe"];
        const MODULES: [&str; 6] = [
            "comtypes",
            "pythoncom",
            "win32api",
            "win32com",
            "win32gui",
            "wmi",
        ];
        const OTHERS: [&str; 11] = [
            "linux",
            "darwin",
            "Linux",
            "Darwin",
            "bash",
            "/bin/bash",
            "/bin/sh",
            "sh",
            "zsh",
            "pwsh",
            "xdg-open",
        ];
        let has = |words: &[&str]| words.iter().any(|word| self.literals.contains(*word));
        let has_module = MODULES.iter().any(|name| self.packages.contains(*name));
        (has(&SHELLS) || has_module) && !has(&OTHERS)
    }

    /// Adds the settings of objects that are parameters, once all files are known.
    pub(super) fn settle(&mut self) {
        // A module that is not there may define them.
        let is_whole = self.missing.is_empty();
        if is_whole && (self.reads_settings || !self.variables.is_empty()) {
            let read = self.settings.difference(&self.defined);
            self.loaded.extend(read.cloned());
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

/// A module that code loads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Import {
    /// As written: a package, a relative path, or a name with dots in Python.
    Module(String),
    /// A path below the directory of the old host.
    FromHost(String),
    /// Any file of a directory, which is relative to that of the code.
    Within(String),
    /// One of several places where the code looks for a module; it need not exist.
    Optional(Box<Self>),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_for_windows_only() {
        for (literals, expected) in [
            (&["powershell.exe", "win32"][..], true),
            (&["powershell.exe", "/bin/sh"], false),
            (&["cmd.exe", "linux"], false),
            (&["tea"], false),
        ] {
            let mut facts = CodeFacts::default();
            for text in literals {
                facts.literal(text);
            }
            assert_eq!(facts.only_windows(), expected, "{literals:?}");
        }
    }
}
