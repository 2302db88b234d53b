//! Units that were found: their packages, and the names that their files have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_model::UnitKey;
use plugin_readers::{Claim, Reader, UnitHead};
use skill_loader::fs::Root;

use crate::{input_directory::InputDirectory, unpacked::Unpacked};

/// A directory that a reader claims.
#[derive(Clone, Debug)]
pub(crate) struct PackageDirectory {
    pub(crate) directory: String,
    pub(crate) reader: &'static Reader,
    pub(crate) claim: Claim,
    /// The files, if the package is an archive.
    pub(crate) unpacked: Option<Arc<Unpacked>>,
    /// The files and directories in it that other packages read, relative to it.
    pub(crate) read_by_others: Arc<BTreeSet<String>>,
}

impl PackageDirectory {
    /// Returns the packages of the directory: several plugins of a marketplace can be in one.
    pub(crate) fn each(mut self) -> impl Iterator<Item = Self> {
        let others = std::mem::take(&mut self.claim.others).into_iter();
        let base = self.clone();
        let others = others.map(move |manifest| {
            let mut res = base.clone();
            res.claim.manifest = Some(manifest);
            res
        });
        std::iter::once(self).chain(others)
    }

    /// Returns what naming and selection need of each unit.
    pub(crate) fn heads(&self, input: &Root) -> Vec<UnitHead> {
        let directory = match &self.unpacked {
            Some(unpacked) => InputDirectory::new(&unpacked.root, ""),
            None => InputDirectory::new(input, &self.directory),
        };
        (self.reader.heads)(&directory, &self.claim)
    }

    pub(crate) fn is_enabled(&self) -> bool {
        (self.reader.is_enabled)(&self.claim.manifest_file)
    }
}

/// Returns the directories that are not inside of others.
pub(crate) fn outermost(mut all: Vec<PackageDirectory>) -> Vec<PackageDirectory> {
    all.sort_by(|a, b| a.directory.cmp(&b.directory));
    let mut res: Vec<PackageDirectory> = Vec::new();
    for one in all {
        if !res
            .iter()
            .any(|outer| is_below(&one.directory, &outer.directory))
        {
            res.push(one);
        }
    }
    res
}

/// Returns the path of an entry of a directory; of the directory itself, if the entry is empty.
pub(crate) fn path_in(directory: &str, entry: &str) -> String {
    match (directory, entry) {
        ("", entry) => entry.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, entry) => format!("{directory}/{entry}"),
    }
}

/// Returns true if a directory is another one, or inside of it.
pub(crate) fn is_below(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    rest.is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with('/'))
}

/// A unit of a package; a package that cannot be read is one unit without a head.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) package: PackageDirectory,
    /// The number of the package.
    pub(crate) number: usize,
    /// The key of the unit in the collection.
    pub(crate) key: String,
    pub(crate) head: Option<UnitHead>,
}

impl Unit {
    pub(crate) fn new(
        number: usize,
        package: PackageDirectory,
        mut head: Option<UnitHead>,
    ) -> Self {
        if let Some(head) = head.as_mut().filter(|head| head.unit != UnitKey::ONLY) {
            head.alternatives.extend(alternatives(&package, head));
        }
        let unit = head
            .as_ref()
            .map_or(UnitKey::ONLY, |head| head.unit.clone());
        Self {
            key: unit.within(&package.directory),
            number,
            package,
            head,
        }
    }

    /// Returns what no two units have in common: the key, and the file if it has one of its own.
    fn ids(&self) -> impl Iterator<Item = String> {
        let head = self.head.as_ref();
        let file = head
            .filter(|head| !head.file.is_empty())
            .map(|head| path_in(&self.package.directory, &head.file));
        std::iter::once(self.key.clone()).chain(file)
    }
}

/// Returns each unit once. Several plugins of a marketplace in one directory can have the same
/// skill, and a package around others can name their files, which the innermost package keeps. The
/// unit that stays has the names of all of them.
pub(crate) fn each_once(units: Vec<Unit>) -> Vec<Unit> {
    let mut innermost: BTreeMap<String, usize> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        for id in unit.ids() {
            let kept = innermost.entry(id).or_insert(at);
            if units[*kept].package.directory.len() < unit.package.directory.len() {
                *kept = at;
            }
        }
    }
    let keeper = |at: usize, unit: &Unit| {
        let mut kept = unit.ids().map(|id| innermost[&id]);
        kept.find(|kept| *kept != at)
    };
    let mut calls: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut stays = Vec::with_capacity(units.len());
    for (at, unit) in units.iter().enumerate() {
        let keeper = keeper(at, unit);
        stays.push(keeper.is_none());
        if let (Some(keeper), Some(head)) = (keeper, &unit.head) {
            calls.entry(keeper).or_default().push(head.call.clone());
        }
    }
    let units = units.into_iter().enumerate();
    let mut res = Vec::with_capacity(stays.len());
    for (at, mut unit) in units.filter(|(at, _)| stays[*at]) {
        if let Some(head) = &mut unit.head {
            head.aliases.extend(calls.remove(&at).unwrap_or_default());
        }
        res.push(unit);
    }
    res
}

/// Returns further names of a unit: with the directory that the package is in, and with its kind.
fn alternatives(package: &PackageDirectory, head: &UnitHead) -> Vec<String> {
    let mut names = package.directory.rsplit('/');
    let directory = names.find(|name| !name.is_empty() && !name.starts_with('.'));
    let with_directory = directory.map(|directory| format!("{directory}-{}", head.name));
    let kind = format!("{}-{}", head.name, head.type_word);
    let with_kind = directory.map(|directory| format!("{directory}-{kind}"));
    let host = format!("{}-{}", head.name, package.reader.name);
    let is_agent = head.is_agent().then(|| kind.clone());
    if !head.name.contains(|c: char| c.is_ascii_alphanumeric()) {
        return with_kind.into_iter().collect();
    }
    let all = [is_agent, with_directory, with_kind, Some(kind), Some(host)];
    all.into_iter().flatten().collect()
}

/// Returns the paths in the keys of the units of each package, by its directory. `left` are the keys of
/// agents, which can be references of its skills.
pub(crate) fn siblings(
    units: &[Unit],
    left: &BTreeSet<String>,
) -> BTreeMap<String, Arc<BTreeSet<String>>> {
    let mut res: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for unit in units {
        let path = unit.head.as_ref().map(|head| path_of(&head.unit));
        let paths = res.entry(&unit.package.directory).or_default();
        paths.extend(path.filter(|path| !path.is_empty()));
    }
    for key in left {
        if let Some((directory, path)) = key.rsplit_once("#agent/") {
            res.entry(directory).or_default().insert(path.to_owned());
        }
    }
    let res = res.into_iter();
    res.map(|(directory, paths)| (directory.to_owned(), Arc::new(paths)))
        .collect()
}

/// Returns the path in the key of a unit; empty for a package that is one unit.
pub(crate) fn path_of(unit: &UnitKey) -> String {
    let unit = unit.to_string();
    let path = unit.split_once('/').map_or("", |(_, path)| path);
    path.to_owned()
}

/// Returns the names that a unit in this file can have: the path without a suffix, or the
/// directory of a `SKILL.md`, and each end of it that begins after a slash. `v1.2.md` can be `v1.2`.
pub(crate) fn names_ending(file: &str) -> impl Iterator<Item = &str> {
    let directory = file.strip_suffix("/SKILL.md");
    let name = file.rfind('/').map_or(0, |at| at + 1);
    let dots = file[name..].match_indices('.');
    let stems = dots.map(move |(dot, _)| &file[..name + dot]);
    let whole = (!file[name..].contains('.')).then_some(file);
    let stems = stems.chain(whole).filter(move |_| directory.is_none());
    directory.into_iter().chain(stems).flat_map(|stem| {
        let ends = stem.match_indices('/').map(|(at, _)| &stem[at + 1..]);
        let all = std::iter::once(stem).chain(ends);
        all.filter(|name| !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, names: &[&str]) {
        assert_eq!(names_ending(file).collect::<Vec<_>>(), names);
    }

    #[test]
    fn a_file_may_have_the_name_of_a_unit() {
        check(
            "commands/git/commit.md",
            &["commands/git/commit", "git/commit", "commit"],
        );
        check("skills/a.b/SKILL.md", &["skills/a.b", "a.b"]);
        check("x.prompt.md", &["x", "x.prompt"]);
        check("c/v1.2:a.md", &["c/v1", "v1", "c/v1.2:a", "v1.2:a"]);
        check("c/Makefile", &["c/Makefile", "Makefile"]);
        check(".md", &[]);
    }
}
