//! The skills of the arguments, and their index.

use std::path::PathBuf;

use anyhow::Context as _;
use skill_diagnostics::Diagnostic;
use skill_disclosure::{IndexFile, IndexNote, Indexed};
use skill_loader::catalog::{Catalog, CatalogSettings};
use skill_loader::fs::{Root, resolve};
use skill_search::Model;

use crate::args::IndexArgs;
use skills_cli::{input, output::Streams};

/// The number of directories that are searched below each directory of skills. It is larger than in
/// other tools, because an index is for many skills.
const MAX_DIRECTORIES: usize = 1_000_000;
/// The maximum size of a file of coefficients, in bytes.
const MAX_MODEL: u64 = 1 << 20;
/// The directory of the indexes beneath the directory of caches.
const CACHE: &str = "skills-describe";

/// Returns the index of the skills: the one of an earlier run if nothing has changed, and otherwise a
/// new one.
pub(super) fn load(
    skills: &[PathBuf],
    args: &IndexArgs,
    streams: &mut Streams,
) -> anyhow::Result<Indexed> {
    let settings = settings(skills, args, streams)?;
    let roots = settings.open_roots()?;
    let file = IndexFile::find(args.file.as_deref(), cache(args), &settings.roots);
    let mut failed = Ok(());
    let mut note = |note: IndexNote<'_>| match note {
        IndexNote::Finding(one) => {
            let written = finding(one, streams);
            if failed.is_ok() {
                failed = written;
            }
        }
        IndexNote::Unusable(path) if args.verbose => {
            let text = format!("the index {path} cannot be used; a new one is made");
            let _ = streams.remark(&text);
        }
        IndexNote::NotKept(error) if args.verbose => {
            let _ = streams.remark(&format!("cannot write the index: {error}"));
        }
        IndexNote::Unusable(_) | IndexNote::NotKept(_) => {}
    };
    let mut indexed = Indexed::load(settings, &roots, file.as_ref(), &mut note);
    failed?;
    if let Some(path) = &args.model {
        let text = input::text(path, MAX_MODEL)?;
        indexed.set_model(Model::parse(&text).with_context(|| path.display().to_string())?);
    }
    Ok(indexed)
}

/// Returns the skills, and reports those that cannot be read.
pub(super) fn catalog(
    skills: &[PathBuf],
    args: &IndexArgs,
    streams: &mut Streams,
) -> anyhow::Result<Catalog> {
    let settings = settings(skills, args, streams)?;
    settings.open_roots()?;
    let catalog = Catalog::read(&settings);
    for one in &catalog.findings {
        finding(one, streams)?;
    }
    Ok(catalog)
}

fn finding(finding: &Diagnostic, streams: &mut Streams) -> std::io::Result<()> {
    let file = finding.place.file.as_deref().unwrap_or_default();
    let [severity, message] =
        [finding.severity.word(), &finding.message].map(|it| streams.language.say(it));
    let (code, colon) = (finding.code, streams.language.say(": "));
    writeln!(streams.stderr, "{file}: {severity}[{code}]{colon}{message}")
}

/// Returns the directory of what is kept between runs; `None` with `--no-index`.
pub(super) fn cache(args: &IndexArgs) -> Option<(Root, String)> {
    (!args.no_index).then(|| args.roots.nodes.caches.find(CACHE))?
}

fn settings(
    skills: &[PathBuf],
    args: &IndexArgs,
    streams: &mut Streams,
) -> anyhow::Result<CatalogSettings> {
    let nodes = args.roots.nodes.mirror(streams)?;
    let skills: Result<Vec<_>, _> = skills.iter().map(|path| resolve(path)).collect();
    let directories = (args.roots.max_directories).unwrap_or(MAX_DIRECTORIES);
    let mut res = args.roots.catalog(&skills?, nodes.as_deref(), "DIR")?;
    res.bounds = res.bounds.with_directories(directories);
    Ok(res)
}
