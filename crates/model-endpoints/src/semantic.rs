//! A search with the vectors of a server, which are kept in a file.

use skill_disclosure::Indexed;
use skill_loader::catalog::Catalog;
use skill_loader::fs::Root;
use skill_search::{Index, Match, Request};

use crate::embeddings::Embeddings;
use crate::fusion::{SkillText, search};
use crate::vectors::{VectorFile, Vectors};

/// Returns the skills that fit a request by words and, with a server (its address and the name of a model),
/// by vectors. If there are none, the second value is the reason, for people. The vectors of skills are kept
/// in the directory `cache` beneath its root.
pub fn find(
    server: Option<(&str, &str)>,
    cache: Option<(Root, String)>,
    indexed: &Indexed,
    request: &Request,
) -> (Vec<Match>, Option<String>) {
    let found = server.map(|server| {
        indexed.with_catalog(|index, catalog| semantic(server, cache, index, request, catalog))
    });
    match found {
        Some(Ok(found)) => (found, None),
        Some(Err(reason)) => (indexed.index().search(request), Some(reason)),
        None => (indexed.index().search(request), None),
    }
}

fn semantic(
    (url, name): (&str, &str),
    cache: Option<(Root, String)>,
    index: &Index,
    request: &Request,
    catalog: &Catalog,
) -> Result<Vec<Match>, String> {
    let embedder = Embeddings::new(url, name)?;
    let file = cache.map(|(root, dir)| VectorFile::from_cache(root, dir, &embedder));
    let mut vectors = file
        .as_ref()
        .map_or_else(Vectors::default, VectorFile::read);
    let skills: Vec<SkillText> = catalog
        .skills
        .values()
        .map(|skill| SkillText {
            name: skill.name.clone(),
            text: format!("{}: {}", skill.name, skill.description),
        })
        .collect();
    let found = search(index, request, &skills, &embedder, &mut vectors);
    if let Some(file) = &file {
        // As an index, a file that cannot be written only makes the next run slower.
        let _ = file.write(&vectors);
    }
    found.map_err(|error| error.reason)
}
