//! An index of the skills below some directories, kept in a file between runs.
//!
//! - `cached`: the form of the file, and whether it still holds.

mod cached;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use skill_diagnostics::Diagnostic;
use skill_loader::Digest;
use skill_loader::catalog::{Bounds, Catalog, CatalogSettings, SkillRoot};
use skill_loader::fs::{ReadError, Root, resolve};
use skill_search::{Change, Document, Index, Model};

use crate::document::documents;
use cached::CachedIndex;

/// Largest file of an index.
const MAX_INDEX: u64 = 1 << 32;

/// The file that an index is kept in.
#[derive(Debug)]
pub struct IndexFile {
    /// A directory.
    pub root: Root,
    /// Directory beneath the root, made if missing; `.` for the root itself.
    pub dir: String,
    /// Name of the file.
    pub name: String,
}

/// Something that a user may want to know of an index.
#[derive(Debug)]
pub enum IndexNote<'a> {
    /// The file at this path is damaged, foreign or of another version; a new one is written.
    Unusable(&'a str),
    /// A skill that cannot be read, or something else that is wrong with the catalog.
    Finding(&'a Diagnostic),
    /// The file cannot be written; the next run is slower.
    NotKept(ReadError),
}

/// An index and its skills, if they were read.
pub struct Indexed {
    settings: CatalogSettings,
    source: IndexSource,
}

/// The origin of an index and its skills.
enum IndexSource {
    /// The index was built from these skills.
    Read(Catalog, Index),
    /// Nothing has changed since it was kept: no skill was read.
    Cached(CachedIndex),
}

impl fmt::Debug for Indexed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed")
            .field("is_kept", &matches!(self.source, IndexSource::Cached(_)))
            .finish_non_exhaustive()
    }
}

impl Indexed {
    /// Reads the index of the skills of `settings`: the one in `file` if every file and directory
    /// is as it was, and otherwise a new one, of which only what has changed is analysed again.
    /// `roots` are the opened directories of `settings.roots`.
    pub fn load(
        settings: CatalogSettings,
        roots: &[Root],
        file: Option<&IndexFile>,
        note: &mut dyn FnMut(IndexNote<'_>),
    ) -> Self {
        let kept = file.and_then(|file| file.read(roots, note));
        let mut older = None;
        if let Some((kept, is_fresh)) = kept {
            if is_fresh {
                let source = IndexSource::Cached(kept);
                return Self { settings, source };
            }
            older = Some(kept);
        }
        let catalog = Catalog::read(&settings);
        for finding in &catalog.findings {
            note(IndexNote::Finding(finding));
        }
        let (index, digests) = analysed(&catalog, &settings.bounds, older.as_ref());
        if let Some(file) = file {
            let traces = cached::traces(&catalog, roots);
            let is_clean = catalog.findings.is_empty();
            let bytes = cached::to_bytes(&index, &digests, &traces, is_clean);
            if let Err(error) = file.root.write_whole(&file.dir, &file.name, &bytes) {
                note(IndexNote::NotKept(error));
            }
        }
        let source = IndexSource::Read(catalog, index);
        Self { settings, source }
    }

    /// The index.
    pub fn index(&self) -> &Index {
        match &self.source {
            IndexSource::Read(_, index) => index,
            IndexSource::Cached(kept) => &kept.index,
        }
    }

    /// Judges with other coefficients from now on.
    pub fn set_model(&mut self, model: Model) {
        let index = match &mut self.source {
            IndexSource::Read(_, index) => index,
            IndexSource::Cached(kept) => &mut kept.index,
        };
        index.set_model(Arc::new(model));
    }

    /// Calls `use_both` with the index and all skills, which are read if they were not yet.
    pub fn with_catalog<T>(&self, use_both: impl FnOnce(&Index, &Catalog) -> T) -> T {
        match &self.source {
            IndexSource::Read(catalog, index) => use_both(index, catalog),
            IndexSource::Cached(kept) => use_both(&kept.index, &Catalog::read(&self.settings)),
        }
    }

    /// All skills.
    pub fn into_catalog(self) -> Catalog {
        match self.source {
            IndexSource::Read(catalog, _) => catalog,
            IndexSource::Cached(_) => Catalog::read(&self.settings),
        }
    }

    /// At least the skills of these names; of a kept index only they are read.
    pub fn into_catalog_of(self, names: &[&str]) -> Catalog {
        let IndexSource::Cached(kept) = &self.source else {
            return self.into_catalog();
        };
        let mut roots = Vec::new();
        for (root, directory) in kept.directories(names) {
            let Some(root) = self.settings.roots.get(root) else {
                continue;
            };
            let path = root.path.join(directory);
            roots.push(SkillRoot { path, ..*root });
        }
        Catalog::read(&CatalogSettings {
            roots,
            ..self.settings
        })
    }
}

impl IndexFile {
    /// Returns the file at `path` if the user named one, and otherwise one in the directory `cache` beneath
    /// its root. Returns `None` if there is neither.
    pub fn find(
        path: Option<&Path>,
        cache: Option<(Root, String)>,
        skills: &[SkillRoot],
    ) -> Option<Self> {
        if let Some(path) = path {
            return Self::from_path(path);
        }
        let (root, dir) = cache?;
        Self::from_cache(root, dir, skills)
    }

    /// Returns the file at a path that the user named. Returns `None` if its directory cannot be
    /// opened or its name is not UTF-8.
    pub fn from_path(path: &Path) -> Option<Self> {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        Some(Self {
            root: Root::open_following(parent.unwrap_or(Path::new("."))).ok()?,
            dir: ".".to_owned(),
            name: path.file_name()?.to_str()?.to_owned(),
        })
    }

    /// Returns the file in `dir` beneath `root` for the index of these directories of skills.
    /// Returns `None` if one of them does not exist.
    pub fn from_cache(root: Root, dir: String, skills: &[SkillRoot]) -> Option<Self> {
        let mut all = String::new();
        for skills in skills {
            all.push_str(&resolve(&skills.path).ok()?.to_string_lossy());
            all.push('\n');
        }
        let name = format!("{}.idx", &Digest::from_content(all.as_bytes()).hex()[..32]);
        Some(Self { root, dir, name })
    }

    fn path(&self) -> String {
        match &self.dir[..] {
            "." => self.name.clone(),
            dir => format!("{dir}/{}", self.name),
        }
    }

    /// Returns the index of an earlier run, and true if no skill has changed since; `None` if there is
    /// no usable one.
    fn read(
        &self,
        roots: &[Root],
        note: &mut dyn FnMut(IndexNote<'_>),
    ) -> Option<(CachedIndex, bool)> {
        let path = self.path();
        self.root.stamp(&path).ok()??;
        let read = self.root.read_parts(&path, MAX_INDEX).ok();
        let kept = read.and_then(|(mut parts, info)| {
            let take = move |n_bytes| parts.take(n_bytes).ok();
            CachedIndex::read(take, roots, info.stamp.modified)
        });
        if kept.is_none() {
            note(IndexNote::Unusable(&path));
        }
        kept
    }
}

/// The index of a catalog, and the digests of its documents.
fn analysed(
    catalog: &Catalog,
    bounds: &Bounds,
    older: Option<&CachedIndex>,
) -> (Index, Vec<Digest>) {
    let documents = documents(catalog.skills.values().map(AsRef::as_ref), bounds);
    let digests: Vec<Digest> = documents.par_iter().map(digest).collect();
    let index = match older {
        Some(kept) => updated(kept, documents, &digests),
        None => Index::build(&documents),
    };
    (index, digests)
}

/// The kept index with what has changed.
fn updated(kept: &CachedIndex, documents: Vec<Document>, digests: &[Digest]) -> Index {
    let known: BTreeMap<&str, Option<Digest>> = kept.index.names().zip(kept.digests()).collect();
    let names: BTreeSet<String> = documents.iter().map(|one| one.name.clone()).collect();
    let removed: Vec<&str> = known
        .keys()
        .copied()
        .filter(|name| !names.contains(*name))
        .collect();
    let changed = documents.into_iter().zip(digests);
    let changed = changed.filter(|(one, digest)| known.get(&one.name[..]) != Some(&Some(**digest)));
    let put: Vec<Document> = changed.map(|(one, _)| one).collect();
    if put.is_empty() && removed.is_empty() {
        return kept.index.clone();
    }
    kept.index.update(&Change {
        put: &put,
        removed: &removed,
    })
}

/// Of everything that a document says.
fn digest(document: &Document) -> Digest {
    Digest::from_content(format!("{document:?}").as_bytes())
}
