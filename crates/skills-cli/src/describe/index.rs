//! The skills that were meant, and their index.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::ensure;
use rayon::prelude::*;
use skill_disclosure::document;
use skill_loader::Digest;
use skill_loader::catalog::{Bounds, Catalog, CatalogSettings, CatalogSkill, SkillRoot};
use skill_loader::fs::{Root, resolve};
use skill_loader::load::Source;
use skill_search::{Change, Document, Index, Model};

use super::Args;
use super::file::IndexFile;
use super::kept::{self, Kept};
use crate::output::Streams;

/// Where a project keeps its skills.
const DEFAULT_ROOTS: [&str; 3] = ["skills", ".agents/skills", ".claude/skills"];
/// Directories that are searched below each directory of skills; an index is for many.
const MAX_DIRECTORIES: usize = 1_000_000;

/// An index, and the skills behind it as far as they were read.
pub(super) struct Indexed {
    settings: CatalogSettings,
    behind: Behind,
}

/// Where an index and its skills are from.
enum Behind {
    /// It was made of these skills.
    Read(Catalog, Index),
    /// Nothing has changed since it was kept: no skill was read.
    Kept(Kept),
}

impl Indexed {
    /// The index.
    pub(super) fn index(&self) -> &Index {
        match &self.behind {
            Behind::Read(_, index) => index,
            Behind::Kept(kept) => &kept.index,
        }
    }

    /// Judges with other coefficients from now on.
    pub(super) fn set_model(&mut self, model: Model) {
        let index = match &mut self.behind {
            Behind::Read(_, index) => index,
            Behind::Kept(kept) => &mut kept.index,
        };
        index.set_model(Arc::new(model));
    }

    /// All skills.
    pub(super) fn into_catalog(self) -> Catalog {
        match self.behind {
            Behind::Read(catalog, _) => catalog,
            Behind::Kept(_) => Catalog::read(&self.settings),
        }
    }

    /// At least the skills of these names; of a kept index only they are read.
    pub(super) fn into_catalog_of(self, names: &[&str]) -> Catalog {
        let Behind::Kept(kept) = &self.behind else {
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

/// The index of the skills that were meant: the one that was kept if everything is as it was, and
/// otherwise a new one, of which only what has changed is analysed again.
pub(super) fn load(args: &Args, streams: &mut Streams) -> anyhow::Result<Indexed> {
    let settings = settings(args, streams)?;
    let roots = opened(&settings)?;
    let file = IndexFile::of(args, &settings);
    let kept = file
        .as_ref()
        .and_then(|file| file.read(&roots, args.verbose, streams));
    let mut older = None;
    if let Some((kept, is_fresh)) = kept {
        if is_fresh {
            return Ok(Indexed {
                settings,
                behind: Behind::Kept(kept),
            });
        }
        older = Some(kept);
    }
    let catalog = read(&settings, streams)?;
    let (index, digests) = analysed(&catalog, &settings.bounds, older.as_ref());
    if let Some(file) = file {
        let traces = kept::traces(&catalog, &roots);
        let is_clean = catalog.findings.is_empty();
        let bytes = kept::to_bytes(&index, &digests, &traces, is_clean);
        file.write(&bytes, args.verbose, streams);
    }
    let behind = Behind::Read(catalog, index);
    Ok(Indexed { settings, behind })
}

/// The skills that were meant; what is wrong with others is said.
pub(super) fn catalog(args: &Args, streams: &mut Streams) -> anyhow::Result<Catalog> {
    let settings = settings(args, streams)?;
    opened(&settings)?;
    read(&settings, streams)
}

fn opened(settings: &CatalogSettings) -> anyhow::Result<Vec<Root>> {
    let roots = settings.roots.iter();
    let opened = roots.map(|root| Root::open_following(&root.path));
    Ok(opened.collect::<Result<_, _>>()?)
}

fn read(settings: &CatalogSettings, streams: &mut Streams) -> anyhow::Result<Catalog> {
    let catalog = Catalog::read(settings);
    for finding in &catalog.findings {
        let file = finding.place.file.as_deref().unwrap_or_default();
        let (severity, message) = (finding.severity.word(), &finding.message);
        let code = finding.code;
        writeln!(streams.stderr, "{file}: {severity}[{code}]: {message}")?;
    }
    Ok(catalog)
}

/// The index of a catalogue, and the digests of its documents.
fn analysed(catalog: &Catalog, bounds: &Bounds, older: Option<&Kept>) -> (Index, Vec<Digest>) {
    let skills: Vec<&CatalogSkill> = catalog.skills.values().map(|skill| &**skill).collect();
    let documents = skills.par_iter().map(|skill| document(skill, bounds));
    let documents: Vec<Document> = documents.collect();
    let digests: Vec<Digest> = documents.par_iter().map(digest).collect();
    let index = match older {
        Some(kept) => updated(kept, documents, &digests),
        None => Index::build(&documents),
    };
    (index, digests)
}

/// The kept index with what has changed.
fn updated(kept: &Kept, documents: Vec<Document>, digests: &[Digest]) -> Index {
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

fn settings(args: &Args, streams: &mut Streams) -> anyhow::Result<CatalogSettings> {
    let given = args.skills.iter().map(|path| Ok(root(&resolve(path)?)));
    let mut roots = given.collect::<anyhow::Result<Vec<SkillRoot>>>()?;
    if roots.is_empty() {
        let paths = DEFAULT_ROOTS.iter().map(Path::new);
        roots = paths
            .filter(|path| Root::open(path).is_ok())
            .map(root)
            .collect();
    }
    if let Some(nodes) = args.nodes.resolve()? {
        roots.extend(nodes.bring(streams)?.map(of_nodes));
    }
    ensure!(
        !roots.is_empty(),
        "there is neither skills nor .agents/skills nor .claude/skills here, expected DIR"
    );
    Ok(CatalogSettings {
        roots,
        bounds: Bounds::default().with_directories(MAX_DIRECTORIES),
        trusted: Vec::new(),
    })
}

fn of_nodes(path: &Path) -> SkillRoot {
    SkillRoot {
        path: path.to_owned(),
        source: Source::BuiltIn,
    }
}

fn root(path: &Path) -> SkillRoot {
    SkillRoot {
        path: path.to_owned(),
        source: Source::Project,
    }
}
