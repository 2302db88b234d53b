//! Skills that are in several directories, byte for byte: each is migrated once. Only the directories of one
//! project and those of hosts count: two plugins of a collection are two plugins.

use std::collections::{BTreeMap, BTreeSet};

use plugin_readers::{Directory, is_home};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::Root;

use crate::groups;
use crate::input_directory::InputDirectory;
use crate::unit::{Unit, is_below, path_in};

/// The kind of servers, which are the same by their entries.
const SERVER: &str = "server";
/// A skill is in the input twice.
const SAME_SKILL: Code = Code("same-skill");
/// The largest file that is compared, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// Returns each skill once: a package and the directories of hosts in it often have the same ones, and programs
/// that install such directories have copies of them (`cli/assets/.claude`). The first stays, that of the package, with the names of all. One that is selected does not go for one
/// that is not.
pub(crate) fn once(
    input: &Root,
    units: Vec<Unit>,
    is_selected: &dyn Fn(&Unit) -> bool,
    notes: &mut Vec<Diagnostic>,
) -> Vec<Unit> {
    let mut kept: BTreeMap<Likeness, Vec<usize>> = BTreeMap::new();
    let mut same_as: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let Some(likeness) = Likeness::of(unit) else {
            continue;
        };
        let is_server = likeness.kind.0 == SERVER;
        let is_wanted = is_selected(unit);
        let others = kept.entry(likeness).or_default();
        let is_same = |other: &&usize| {
            units[**other].package.directory != unit.package.directory
                && is_near(&units[**other], unit)
                && (!is_wanted || is_selected(&units[**other]))
                && (is_server || is_same(input, &units[**other], unit))
        };
        if let Some(first) = others.iter().find(is_same) {
            same_as.insert(at, *first);
        } else {
            others.push(at);
        }
    }
    notes.extend(findings(input, &units, &same_as));
    let mut calls: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (at, first) in &same_as {
        let head = units[*at].head.iter();
        let names = head.flat_map(|head| std::iter::once(&head.call).chain(&head.aliases));
        calls.entry(*first).or_default().extend(names.cloned());
    }
    let units = units.into_iter().enumerate();
    let units = units.filter(|(at, _)| !same_as.contains_key(at));
    let units = units.map(|(at, mut unit)| {
        if let Some(head) = &mut unit.head {
            head.aliases.extend(calls.remove(&at).unwrap_or_default());
        }
        unit
    });
    units.collect()
}

/// Returns the project of a unit, and true if it is in the directory of a host there.
fn project(unit: &Unit) -> (&str, bool) {
    let directory = unit.package.directory.as_str();
    let (parent, name) = directory.rsplit_once('/').unwrap_or(("", directory));
    if is_home(name) {
        (parent, true)
    } else {
        (directory, false)
    }
}

/// Returns true for units of one project, and for those of directories of hosts.
fn is_near(one: &Unit, other: &Unit) -> bool {
    let ((one, is_home), (other, is_other_home)) = (project(one), project(other));
    one == other || is_home && is_other_home
}

/// The properties that skills have in common if they may be the same: the kind and the name. All hosts read a
/// `SKILL.md` alike; another text has the meaning that its own host gives it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Likeness {
    kind: (&'static str, String),
    name: String,
}

impl Likeness {
    fn of(unit: &Unit) -> Option<Self> {
        let head = unit.head.as_ref()?;
        let is_server = !head.likeness.is_empty();
        if head.file.is_empty() && !is_server || unit.package.unpacked.is_some() {
            return None;
        }
        let kind = match directory_of(&head.file) {
            _ if is_server => (SERVER, head.likeness.clone()),
            Some(_) => ("", String::new()),
            None => (unit.package.reader.name, head.type_word.clone()),
        };
        Some(Self {
            kind,
            name: head.name.clone(),
        })
    }
}

/// Returns the directory of a `SKILL.md`.
fn directory_of(file: &str) -> Option<&str> {
    file.strip_suffix("/SKILL.md")
}

/// Returns true if the files of two units are the same. A text of another project can use any file of its
/// package.
fn is_same(input: &Root, one: &Unit, other: &Unit) -> bool {
    let is_whole = project(one).0 != project(other).0;
    let files = |unit| Files::of(input, unit, is_whole);
    let (Some(one), Some(other)) = (files(one), files(other)) else {
        return false;
    };
    let bytes = |files: &Files, path: &str| {
        let path = path_in(&files.directory, path);
        input.read(&path, MAX_FILE).ok()
    };
    one.names == other.names
        && one.names.iter().all(|name| {
            let found = bytes(&one, name);
            found.is_some() && found == bytes(&other, name)
        })
}

/// The files of a unit, relative to the directory that they are in.
struct Files {
    directory: String,
    names: Vec<String>,
}

impl Files {
    fn of(input: &Root, unit: &Unit, is_whole: bool) -> Option<Self> {
        let file = &unit.head.as_ref()?.file;
        let package = unit.package.directory.as_str();
        let Some(directory) = directory_of(file) else {
            if is_whole {
                let names = InputDirectory::new(input, package).files("");
                let directory = package.to_owned();
                return Some(Self { directory, names });
            }
            let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
            return Some(Self {
                directory: path_in(package, directory),
                names: vec![name.to_owned()],
            });
        };
        let directory = path_in(package, directory);
        let names = InputDirectory::new(input, &directory).files("");
        Some(Self { directory, names })
    }
}

/// Returns the findings about skills that are there twice, and about the other files of packages of which
/// nothing else is left.
fn findings(input: &Root, units: &[Unit], same_as: &BTreeMap<usize, usize>) -> Vec<Diagnostic> {
    let path = |unit: &Unit| match unit.head.as_ref().map(|head| head.file.as_str()) {
        None | Some("") => unit.key.clone(),
        Some(file) => path_in(&unit.package.directory, file),
    };
    let mut acc: Vec<Diagnostic> = same_as
        .iter()
        .map(|(at, first)| {
            let first = path(&units[*first]);
            let message = format!(
                "the skill is the same as `{}`, and is migrated once",
                first.escape_debug()
            );
            Diagnostic::note(SAME_SKILL, message).in_file(path(&units[*at]))
        })
        .collect();
    let mut gone: BTreeMap<usize, Vec<&Unit>> = BTreeMap::new();
    for at in same_as.keys() {
        let own = gone.entry(units[*at].number).or_default();
        own.push(&units[*at]);
    }
    for (at, unit) in units.iter().enumerate() {
        if !same_as.contains_key(&at) {
            gone.remove(&unit.number);
        }
    }
    for units in gone.values() {
        let package = units[0].package.directory.as_str();
        let files = InputDirectory::new(input, package).files("");
        let heads = units.iter().filter_map(|unit| unit.head.as_ref());
        let read: Vec<&str> = heads
            .map(|head| match head.file.as_str() {
                "" => head.list.as_str(),
                file => directory_of(file).unwrap_or(file),
            })
            .collect();
        if units[0].package.claim.files.is_some() {
            continue;
        }
        let open = files.iter().map(String::as_str);
        let open = open.filter(|file| !read.iter().any(|read| is_below(file, read)));
        let open: BTreeSet<&str> = open.collect();
        acc.extend(groups::left(&open).map(|it| it.in_file(package)));
    }
    acc
}
