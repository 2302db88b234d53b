//! A plugin as the migration sees it: a unit of a package, as values.

use std::collections::BTreeMap;

use plugin_model::{
    Document, HostModules, LeftOut, Package, Place, Program, SourceFile, Unit, UnitKey,
};
use skill_model::SkillName;

use crate::{HostRoot, mentions::Mentions, polish::Polish};

/// One unit of a package, to be migrated.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Directory relative to the input, `/` between components; empty if the input is the package.
    pub directory: &'a str,
    /// The package.
    pub package: &'a Package<'a>,
    /// The unit of the package.
    pub unit: &'a Unit,
    /// The other packages of the collection: the skill of each, by the name of its directory.
    pub neighbours: &'a BTreeMap<String, SkillName>,
    /// The files in the root of the old host.
    pub host: &'a HostRoot,
    /// The skills that texts refer to.
    pub calls: Calls<'a>,
    /// The paths that the files of the package mention, shared by its units.
    pub mentions: &'a Mentions,
    /// Texts in place of the planned ones of a program.
    pub polish: Option<&'a Polish>,
}

/// The skills of other units, for references in texts.
#[derive(Clone, Copy, Debug)]
pub struct Calls<'a> {
    /// The skills of the units of the same package.
    pub units: &'a BTreeMap<UnitKey, SkillName>,
    /// The same, by the names by which the host calls them.
    pub own: &'a BTreeMap<String, SkillName>,
    /// The skills of all units of the input, by the names by which their hosts call them.
    pub all: &'a BTreeMap<String, SkillName>,
}

impl<'a> Calls<'a> {
    /// Returns the skill with this name, of the same package if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<&'a SkillName> {
        self.own.get(name).or_else(|| self.all.get(name))
    }
}

/// A unit that is a program.
pub(crate) struct Plugin<'a> {
    pub(crate) directory: &'a str,
    pub(crate) package: &'a Package<'a>,
    pub(crate) program: &'a Program,
    /// The document that declares the program.
    document: &'a Document<'a>,
    pub(crate) files: &'a [SourceFile],
    pub(crate) texts: &'a BTreeMap<String, String>,
    pub(crate) left_out: &'a [LeftOut],
    pub(crate) host: &'a HostModules,
    pub(crate) neighbours: &'a BTreeMap<String, SkillName>,
    pub(crate) host_root: &'a HostRoot,
    pub(crate) polish: Option<&'a Polish>,
}

impl<'a> Plugin<'a> {
    /// Returns the texts of the files with code.
    pub(crate) fn code_texts(&self) -> impl Iterator<Item = &'a str> {
        let code = self
            .texts
            .iter()
            .filter(|(path, _)| crate::is_code_file(path));
        code.map(|(_, text)| text.as_str())
    }

    pub(crate) fn new(source: &Source<'a>, program: &'a Program) -> Self {
        let Package { sources, .. } = source.package;
        Self {
            directory: source.directory,
            package: source.package,
            program,
            document: source
                .package
                .document(&source.unit.file)
                .expect("a reader returns the document of each unit"),
            files: sources.files,
            texts: sources.texts,
            left_out: sources.left_out,
            host: sources.host,
            neighbours: source.neighbours,
            host_root: source.host,
            polish: source.polish,
        }
    }

    /// Returns the document that declares the program.
    pub(crate) fn document(&self) -> &'a Document<'a> {
        self.document
    }

    /// Returns a place in the document that declares the program.
    pub(crate) fn place(&self, pointer: impl Into<String>) -> Place {
        Place::new(&self.document.file, pointer)
    }

    /// Returns the last component of the directory, or the name of the package if the package is
    /// the input.
    pub(crate) fn directory_name(&self) -> &'a str {
        let last = self.directory.rsplit('/').next().unwrap_or_default();
        if last.is_empty() {
            &self.package.identity.name.value
        } else {
            last
        }
    }

    /// Returns whether a file exists (path relative to the plugin).
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .is_ok()
    }
}
