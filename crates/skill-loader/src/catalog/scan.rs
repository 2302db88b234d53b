//! Finding the skills of one root.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use skill_diagnostics::Diagnostic;
use skill_model::{HOST_DIRECTORY, skill_file};

use super::findings;
use super::{CatalogSettings, SkillRoot};
use crate::fs::{
    Entry, FileInfo, Kind, Listing, NoteKind, Root, Stamp, WalkLimits, resolve, shown,
};
use crate::load::{SkillPlace, Source};

/// Directories that are never searched for skills: other programs' stores ("skip `.git/` and
/// `node_modules/`", client guide), and this project's own.
pub const SKIPPED_DIRECTORIES: [&str; 4] =
    [".git", "node_modules", ".skills-migrate", HOST_DIRECTORY];

/// A file or directory that looks like a skill.
pub(super) struct Candidate {
    pub(super) place: SkillPlace,
    pub(super) source: Source,
    /// The `SKILL.md` or the single file, if it is a regular file.
    pub(super) file: Option<FileInfo>,
    /// The `METADATA.yml` in the same directory.
    pub(super) metadata: Option<FileInfo>,
    /// True if it is among the parts of a host.
    pub(super) is_hosted: bool,
}

/// A directory that was searched and is not itself a skill. If its stamp changes, it may contain
/// other skills.
#[derive(Clone, Debug)]
pub struct SearchedDirectory {
    /// The root that contains it.
    pub root: Arc<Root>,
    /// Path relative to the root; empty for the root itself.
    pub path: String,
    /// Its stamp before it was listed.
    pub stamp: Option<Stamp>,
}

impl Candidate {
    /// Returns the path for reports.
    pub(super) fn path(&self) -> String {
        shown(&self.place.location()).to_string()
    }
}

/// Scans all roots in order of precedence.
pub(super) fn scan(
    settings: &CatalogSettings,
) -> (Vec<Candidate>, Vec<Diagnostic>, Vec<SearchedDirectory>) {
    let mut roots: Vec<&SkillRoot> = settings.roots.iter().collect();
    roots.sort_by_key(|root| root.source);
    let (mut candidates, mut findings, mut searched) = (Vec::new(), Vec::new(), Vec::new());
    for root in roots {
        let mut scan = Scan {
            settings,
            source: root.source,
            is_hosted: false,
            n_directories: 0,
            candidates: Vec::new(),
            findings: Vec::new(),
            searched: Vec::new(),
        };
        scan.root(&root.path);
        candidates.append(&mut scan.candidates);
        findings.append(&mut scan.findings);
        searched.append(&mut scan.searched);
    }
    (candidates, findings, searched)
}

struct Scan<'s> {
    settings: &'s CatalogSettings,
    source: Source,
    /// True among the parts of a host.
    is_hosted: bool,
    n_directories: usize,
    candidates: Vec<Candidate>,
    findings: Vec<Diagnostic>,
    searched: Vec<SearchedDirectory>,
}

impl Scan<'_> {
    fn root(&mut self, path: &Path) {
        match Root::open(path) {
            Ok(root) => self.visit(&Arc::new(root), "", 0),
            Err(error) => match self.trusted(path) {
                Some(root) => self.visit(&Arc::new(root), "", 0),
                None => {
                    let path = shown(path).to_string();
                    let why = error.source.to_string();
                    self.findings.push(findings::not_listed(&path, &why));
                }
            },
        }
    }

    /// Opens the target of a link if it is trusted; nothing on the way there is followed.
    fn trusted(&self, link: &Path) -> Option<Root> {
        if self.settings.trusted.is_empty() {
            return None;
        }
        let real: PathBuf = resolve(link).ok()?;
        let is_trusted = |trusted: &PathBuf| real.starts_with(trusted);
        if !self.settings.trusted.iter().any(is_trusted) {
            return None;
        }
        Root::open_real(&real).ok()
    }

    fn visit(&mut self, root: &Arc<Root>, path: &str, depth: usize) {
        let bounds = self.settings.bounds;
        self.n_directories += 1;
        if self.n_directories > bounds.directories {
            if self.n_directories == bounds.directories + 1 {
                let what = format!("{} directories", bounds.directories);
                self.findings
                    .push(findings::bound(&full(root, path), &what));
            }
            return;
        }
        let limits = WalkLimits {
            depth: 0,
            entries: bounds.entries,
        };
        // Taken before the listing, so that the next refresh notices a change made during it.
        let stamp = root.stamp(path).ok().flatten();
        match root.walk(path, &limits, &|_| true) {
            Ok(listing) => {
                if self.take(root, path, depth, &listing) {
                    return;
                }
            }
            Err(error) => {
                let finding = findings::not_listed(&full(root, path), &error.to_string());
                self.findings.push(finding);
            }
        }
        self.searched.push(SearchedDirectory {
            root: root.clone(),
            path: path.to_owned(),
            stamp,
        });
    }

    /// Processes the content of a directory; returns true if it is a skill.
    fn take(&mut self, root: &Arc<Root>, path: &str, depth: usize, listing: &Listing) -> bool {
        self.note(root, listing);
        if let Some(candidate) = self.directory(root, path, listing) {
            self.candidates.push(candidate);
            return true;
        }
        for entry in &listing.entries {
            match entry.kind {
                Kind::Dir => self.inner(root, entry, depth),
                Kind::Symlink => self.link(root, entry),
                Kind::File(info) if depth == 0 && entry.path.ends_with(".md") => {
                    self.single(root, entry, info);
                }
                _ => {}
            }
        }
        false
    }

    fn directory(&self, root: &Arc<Root>, path: &str, listing: &Listing) -> Option<Candidate> {
        let find = |name: &str| {
            let is_it = |entry: &&Entry| entry.path.rsplit('/').next() == Some(name);
            listing.entries.iter().find(is_it)
        };
        let is_host = |part: Component<'_>| part.as_os_str() == HOST_DIRECTORY;
        let is_hosted = self.is_hosted || root.path().components().any(is_host);
        // An earlier version called it `SKILL.md` there too.
        let known = [skill_file(false), skill_file(is_hosted)];
        let mut files = known.into_iter().filter_map(find);
        let file = files.find(|entry| entry.kind != Kind::Dir)?;
        Some(Candidate {
            place: SkillPlace {
                root: root.clone(),
                dir: Some(path.to_owned()),
                file: file.path.clone(),
            },
            source: self.source,
            file: regular(file),
            metadata: find("METADATA.yml").and_then(regular),
            is_hosted: self.is_hosted,
        })
    }

    fn single(&mut self, root: &Arc<Root>, entry: &Entry, info: FileInfo) {
        self.candidates.push(Candidate {
            place: SkillPlace {
                root: root.clone(),
                dir: None,
                file: entry.path.clone(),
            },
            source: self.source,
            file: Some(info),
            metadata: None,
            is_hosted: self.is_hosted,
        });
    }

    fn inner(&mut self, root: &Arc<Root>, entry: &Entry, depth: usize) {
        let name = entry.path.rsplit('/').next().unwrap_or_default();
        if entry.path == HOST_DIRECTORY {
            self.is_hosted = true;
            self.visit(root, &entry.path, depth + 1);
            self.is_hosted = false;
        }
        if SKIPPED_DIRECTORIES.contains(&name) {
            return;
        }
        let max = self.settings.bounds.depth;
        if depth < max {
            self.visit(root, &entry.path, depth + 1);
        } else {
            let what = format!("{max} levels");
            let path = full(root, &entry.path);
            self.findings.push(findings::bound(&path, &what));
        }
    }

    /// Handles a link in the place of a skill: it becomes a root of its own if its target is
    /// trusted. Links further down are never followed.
    fn link(&mut self, root: &Arc<Root>, entry: &Entry) {
        let link = root.path().join(&entry.path);
        let Some(target) = self.trusted(&link).map(Arc::new) else {
            let path = full(root, &entry.path);
            self.findings.push(findings::link(&path));
            return;
        };
        let limits = WalkLimits {
            depth: 0,
            entries: self.settings.bounds.entries,
        };
        let listing = target.walk("", &limits, &|_| true).unwrap_or_default();
        self.n_directories += 1;
        self.candidates
            .extend(self.directory(&target, "", &listing));
    }

    fn note(&mut self, root: &Arc<Root>, listing: &Listing) {
        for note in &listing.notes {
            let path = full(root, &note.path);
            let finding = match &note.kind {
                NoteKind::Pruned | NoteKind::TooDeep => continue,
                NoteKind::NotUtf8 => findings::not_utf8(&path),
                NoteKind::Unreadable(error) => findings::not_listed(&path, &error.to_string()),
                NoteKind::TooMany => {
                    let what = format!("{} entries", self.settings.bounds.entries);
                    findings::bound(&path, &what)
                }
            };
            self.findings.push(finding);
        }
    }
}

fn regular(entry: &Entry) -> Option<FileInfo> {
    match entry.kind {
        Kind::File(info) => Some(info),
        _ => None,
    }
}

fn full(root: &Root, path: &str) -> String {
    shown(&root.path().join(path)).to_string()
}
