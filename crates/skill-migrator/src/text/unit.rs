//! A text unit as the migration sees it.

use std::borrow::Cow;

use plugin_model::{Document, Format, Package, Role, Text, Unit, UnitKind};
use skill_model::{SkillName, portable_name};

use crate::{plan::Options, plugin::Source, render::Language};

use super::{Agents, references::Names};

/// A unit that is a text, with its documents.
pub(crate) struct TextUnit<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) package: &'a Package<'a>,
    pub(crate) text: &'a Text,
    pub(crate) options: Options,
    /// The document of the text.
    pub(crate) document: &'a Document<'a>,
    /// The documents of the package, without those of other units.
    pub(crate) documents: Vec<Document<'a>>,
}

impl<'a> TextUnit<'a> {
    pub(crate) fn new(source: &'a Source<'a>, text: &'a Text, options: Options) -> Self {
        let package = source.package;
        let file = &source.unit.file;
        let document = package
            .document(file)
            .expect("a reader returns the document of each unit");
        let own = package.own_documents().into_iter();
        let own = own.filter(|own| own.file != *file);
        Self {
            source,
            package,
            text,
            options,
            document,
            documents: own.chain([document]).cloned().collect(),
        }
    }

    /// Returns the documents of the package itself.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = &Document<'a>> {
        let file = &self.source.unit.file;
        self.documents.iter().filter(move |it| it.file != *file)
    }

    /// Returns the word for the kind of the unit: `command`, `skill` or `agent`.
    pub(crate) fn kind_word(&self) -> String {
        let key = self.source.unit.key.to_string();
        key.split('/').next().unwrap_or_default().to_owned()
    }

    /// Returns whether the package has a file.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.file(path).is_some()
    }

    /// Returns whether a file of the package goes into no skill, such as a symbolic link.
    pub(crate) fn is_left_out(&self, path: &str) -> bool {
        let mut left = self.package.sources.left_out.iter();
        left.any(|left| match left.path.strip_suffix('/') {
            Some(directory) => {
                let rest = path.strip_prefix(directory);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            None => left.path == path,
        })
    }

    /// Returns the files of the package below a directory of it; all for the empty path.
    pub(crate) fn files_below(&self, directory: &str) -> &'a [plugin_model::SourceFile] {
        let files = self.package.sources.files;
        if directory.is_empty() {
            return files;
        }
        let inside = format!("{directory}/");
        let start = files.partition_point(|file| file.path < inside);
        let n_inside = files[start..].partition_point(|file| file.path.starts_with(&inside));
        &files[start..start + n_inside]
    }

    /// Returns a file of the package.
    pub(crate) fn file(&self, path: &str) -> Option<&'a plugin_model::SourceFile> {
        let files = self.package.sources.files;
        let at = files.binary_search_by(|file| file.path.as_str().cmp(path));
        at.ok().map(|at| &files[at])
    }

    /// Returns the language of the text.
    pub(crate) fn language(&self) -> Language {
        self.options.language.language_of(&self.text.body)
    }

    /// Returns the language of the words that replace placeholders.
    pub(crate) fn prose_language(&self) -> plugin_template::Language {
        match self.language() {
            Language::English => plugin_template::Language::English,
            Language::Chinese => plugin_template::Language::Chinese,
        }
    }

    /// Returns the agents of the package that are references of this unit.
    pub(crate) fn agents(&self) -> impl Iterator<Item = &'a Unit> {
        let are_references = self.options.agents == Agents::References;
        let units = self.package.units.iter().filter(move |_| are_references);
        let skills = self.source.calls.units;
        units.filter(|unit| {
            matches!(unit.kind, UnitKind::Agent(_)) && !skills.contains_key(&unit.key)
        })
    }

    /// Returns the skill that another text of the package becomes.
    pub(crate) fn skill_of(&self, path: &str) -> Option<&'a SkillName> {
        if *path == *self.source.unit.file {
            return None;
        }
        let mut units = self.package.units.iter();
        let other = units.find(|unit| *unit.file == *path)?;
        self.source.calls.units.get(&other.key)
    }

    /// Returns the skill of the part of the package that has this name in its own text, or by which
    /// the host calls it.
    pub(crate) fn skill_named(&self, name: &str) -> Option<&'a SkillName> {
        let has_name = |unit: &&Unit| {
            let document = self.package.document(&unit.file);
            document.is_some_and(|document| {
                let mut names = document.with_role(Role::Name);
                names.any(|(_, node)| node.as_str() == Some(name))
            })
        };
        let mut units = self.package.units.iter();
        let by_name = || self.source.calls.units.get(&units.find(has_name)?.key);
        self.names().get(name).or_else(by_name)
    }

    /// Returns the name of the unit if it has no letter or digit of ASCII, so that the name of the
    /// skill says nothing about it.
    pub(crate) fn lost_name(&self) -> Option<&'a str> {
        let name = self.text.call.rsplit([':', '/']).next()?;
        let is_lost = !name.is_empty() && !name.contains(|c: char| c.is_ascii_alphanumeric());
        is_lost.then_some(name)
    }

    /// Returns the names of skills in the texts of the unit.
    pub(crate) fn names(&self) -> Names<'a> {
        Names {
            calls: self.source.calls,
            package: &self.package.identity.name.value,
            takes_at_sign: self.package.format == Format::OpenCode,
        }
    }

    /// Returns the path in the skill of a file of the package: files of the unit's own directory
    /// are relative to it.
    pub(crate) fn target(&self, path: &str) -> String {
        let mut attached = self.package.attached.iter();
        if let Some(attached) = attached.find(|it| it.from == path) {
            return attached.to.clone();
        }
        let is_agent = self.agents().any(|agent| *agent.file == *path);
        let path = &*self.portable(path);
        if is_agent {
            let name = path.rsplit('/').next().unwrap_or(path);
            // An agent of the settings of a host has no file of its own.
            let ending = if path.contains('#') { ".md" } else { "" };
            return format!("references/agents/{name}{ending}");
        }
        let own = self.text.directory.as_deref();
        let own = own.and_then(|own| match own {
            "" => Some(path),
            own => path.strip_prefix(own)?.strip_prefix('/'),
        });
        let to = own.unwrap_or(path).trim_start_matches("../");
        // A skill inside of a skill would be another skill for agents.
        match to.strip_suffix("/SKILL.md") {
            Some(directory) => format!("{directory}/instructions.md"),
            None => to.to_owned(),
        }
    }

    /// Returns a path with a name that every system can store: `git:commit.md` is `git-commit.md`, or
    /// `git-commit-2.md` if that is another file.
    fn portable<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(portable) = portable_name(name).filter(|portable| portable != name) else {
            return Cow::Borrowed(path);
        };
        let prefix = &path[..path.len() - name.len()];
        let beside = self.files_below(directory).iter();
        let beside = beside.filter_map(|file| file.path.strip_prefix(prefix));
        let is_same = |own: &&str| portable_name(own).as_deref() == Some(&portable);
        let n_first = beside
            .filter(is_same)
            .filter(|own| *own == portable || *own < name)
            .count();
        let (stem, ending) = portable.split_at(portable.find('.').unwrap_or(portable.len()));
        let candidate = |n: usize| match n {
            0 => format!("{prefix}{portable}"),
            n => format!("{prefix}{stem}-{}{ending}", n + 1),
        };
        let mut all = (n_first..).map(candidate);
        let free = all.find(|it| n_first == 0 || !self.has_file(it));
        free.map_or(Cow::Borrowed(path), Cow::Owned)
    }
}
