//! Finds the skills.

use rayon::prelude::*;
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::catalog::SKIPPED_DIRECTORIES;
use skill_loader::fs::{Entry, Kind, Listing, NoteKind, WalkLimits};
use skill_model::{HOST_DIRECTORY, Lock};
use skill_validator::OtherVersion;

use crate::{CheckOptions, Target};

/// Directories of a skill that hold its resources: a `SKILL.md` in there is a file of its own kind,
/// a template or a carried program's, and clients do not discover it.
const RESOURCES: [&str; 3] = ["scripts", "references", "assets"];
/// Deepest directory that is searched; the client guide advises 4 to 6 for clients.
const MAX_DEPTH: usize = 32;
/// Largest lock that is read.
const MAX_LOCK_BYTES: u64 = 256 << 20;

/// The skills, locks and findings of a directory.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Skills by path.
    pub(crate) skills: Vec<Found>,
    /// Locks by their directory.
    pub(crate) locks: Vec<(String, Lock)>,
    /// Versions of skills beside other ones, which packages have.
    pub(crate) versions: Vec<OtherVersion>,
    /// Findings for everything that was not searched.
    pub(crate) findings: Vec<Diagnostic>,
}

/// A directory with a `SKILL.md`, in whatever case.
#[derive(Debug)]
pub(crate) struct Found {
    /// Path relative to the target; empty when it is that itself.
    pub(crate) path: String,
    /// Everything in it, when it has no directories.
    pub(crate) listing: Option<Vec<Entry>>,
}

impl Tree {
    /// The lock of a skill: the one in the directory above it.
    pub(crate) fn lock_of(&self, path: &str) -> Option<&Lock> {
        let above = path.rsplit_once('/').map_or("", |(above, _)| above);
        let at = self
            .locks
            .binary_search_by(|(directory, _)| directory.as_str().cmp(above));
        at.ok().map(|at| &self.locks[at].1)
    }

    /// Returns true if a path is in a skill inside the skill `outer`.
    pub(crate) fn is_inner(&self, outer: &str, path: &str) -> bool {
        let parents = path.match_indices('/').map(|(at, _)| &path[..at]);
        let mut inner = parents.filter(|parent| parent.len() > outer.len());
        inner.any(|parent| {
            self.skills
                .binary_search_by(|found| found.path.as_str().cmp(parent))
                .is_ok()
        })
    }

    fn merge(mut self, other: Self) -> Self {
        self.skills.extend(other.skills);
        self.locks.extend(other.locks);
        self.versions.extend(other.versions);
        self.findings.extend(other.findings);
        self
    }
}

/// Finds all skills, in parallel, in the order of their paths.
pub(crate) fn discover(target: &Target, options: &CheckOptions) -> Tree {
    let mut tree = visit(target, options, "", 0);
    tree.skills.sort_by(|a, b| a.path.cmp(&b.path));
    tree.locks.sort_by(|a, b| a.0.cmp(&b.0));
    tree.versions.sort();
    if tree.skills.is_empty() {
        let message = "no skill was found, expected a directory with `SKILL.md`";
        tree.findings
            .push(Diagnostic::error(Code("skill-md-missing"), message));
    }
    tree
}

fn visit(target: &Target, options: &CheckOptions, path: &str, depth: usize) -> Tree {
    let limits = WalkLimits {
        depth: 0,
        entries: usize::MAX,
    };
    let listing = match target.root.walk(path, &limits, &|_| true) {
        Ok(listing) => listing,
        Err(error) => return not_searched(path, &error.to_string()),
    };
    let mut tree = own(target, path, &listing);
    let is_skill = !tree.skills.is_empty();
    if let [found] = &mut tree.skills[..]
        && listing.notes.is_empty()
        && listing.entries.iter().all(|entry| entry.kind != Kind::Dir)
    {
        found.listing = Some(listing.entries);
        return tree;
    }
    let is_host = |entry: &Entry| entry.path.rsplit('/').next() == Some(HOST_DIRECTORY);
    if !is_skill && listing.entries.iter().any(is_host) {
        tree.versions = other_versions(target, path, &limits);
    }
    let inner: Vec<String> = listing
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Dir && is_entered(entry, is_skill))
        .map(|entry| entry.path.clone())
        .filter(|path| !options.excludes(path))
        .collect();
    if depth >= MAX_DEPTH && !inner.is_empty() {
        return tree.merge(not_searched(
            path,
            &format!("deeper than {MAX_DEPTH} levels"),
        ));
    }
    let found = inner
        .into_par_iter()
        .map(|path| visit(target, options, &path, depth + 1));
    tree = tree.merge(found.reduce(Tree::default, Tree::merge));
    tree
}

fn is_entered(entry: &Entry, in_skill: bool) -> bool {
    let name = entry.path.rsplit('/').next().unwrap_or_default();
    let is_resource = in_skill && RESOURCES.contains(&name);
    !is_resource && !SKIPPED_DIRECTORIES.contains(&name)
}

/// Returns the versions of skills beside those of a directory: `.host/NAME@VERSION`.
fn other_versions(target: &Target, path: &str, limits: &WalkLimits) -> Vec<OtherVersion> {
    let place = match path {
        "" => HOST_DIRECTORY.to_owned(),
        _ => format!("{path}/{HOST_DIRECTORY}"),
    };
    let Ok(listing) = target.root.walk(&place, limits, &|_| true) else {
        return Vec::new();
    };
    let names = listing.entries.iter().filter_map(|entry| {
        let name = entry.path.rsplit('/').next()?;
        name.split_once('@').filter(|_| entry.kind == Kind::Dir)
    });
    let versions = names.map(|(name, version)| OtherVersion {
        directory: path.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
    });
    versions.collect()
}

/// The skill and the lock in one directory.
fn own(target: &Target, path: &str, listing: &Listing) -> Tree {
    let mut tree = Tree::default();
    let names = listing
        .entries
        .iter()
        .map(|entry| entry.path.rsplit('/').next().unwrap_or_default());
    for (entry, name) in listing.entries.iter().zip(names) {
        if name.eq_ignore_ascii_case("SKILL.md")
            && tree.skills.is_empty()
            && entry.kind != Kind::Dir
        {
            tree.skills.push(Found {
                path: path.to_owned(),
                listing: None,
            });
        } else if name == "skills.lock" {
            tree = tree.merge(read_lock(target, path, &entry.path));
        }
    }
    let notes = listing
        .notes
        .iter()
        .filter(|note| !matches!(note.kind, NoteKind::Pruned | NoteKind::TooDeep));
    for note in notes {
        tree = tree.merge(not_searched(&note.path, &note_text(&note.kind)));
    }
    tree
}

fn note_text(kind: &NoteKind) -> String {
    match kind {
        NoteKind::NotUtf8 => "its name is not UTF-8".to_owned(),
        NoteKind::Unreadable(error) => error.to_string(),
        _ => "too many entries".to_owned(),
    }
}

/// A check that silently covers less is not a check.
fn not_searched(path: &str, why: &str) -> Tree {
    let finding = Diagnostic::error(
        Code("not-inspected"),
        format!("the directory was not searched: {why}"),
    );
    Tree {
        findings: vec![finding.in_file(path)],
        ..Tree::default()
    }
}

/// Reads the lock of a migration. That of a package, which has the same name, says nothing about the
/// sources of skills.
fn read_lock(target: &Target, directory: &str, path: &str) -> Tree {
    let read = || -> Result<Option<Lock>, Box<dyn std::error::Error>> {
        let bytes = target.root.read(path, MAX_LOCK_BYTES)?;
        if is_of_package(&bytes) {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&bytes)?))
    };
    let mut tree = Tree::default();
    match read() {
        Ok(lock) => {
            let lock = lock.map(|lock| (directory.to_owned(), lock));
            tree.locks.extend(lock);
        }
        Err(error) => {
            let message = format!("the lock cannot be read: {error}");
            tree.findings
                .push(Diagnostic::error(Code("not-inspected"), message).in_file(path));
        }
    }
    tree
}

/// Returns true for the `skills.lock` that `skills-migrate package` writes.
fn is_of_package(bytes: &[u8]) -> bool {
    let value: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    value["package"]["version"].is_string()
}
