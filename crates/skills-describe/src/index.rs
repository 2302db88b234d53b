//! The skills that were meant, and their index.

use std::path::Path;

use skill_diagnostics::Diagnostic;
use skill_disclosure::{IndexFile, IndexNote, Indexed};
use skill_loader::Digest;
use skill_loader::catalog::{Catalog, CatalogSettings};
use skill_loader::fs::{Root, resolve};

use super::Args;
use skills_cli::output::Streams;

/// Directories that are searched below each directory of skills; an index is for many.
const MAX_DIRECTORIES: usize = 1_000_000;
/// Directory of the indexes beneath the directory of caches.
const CACHE: &str = "skills-describe";

/// The index of the skills that were meant: the one that was kept if everything is as it was, and
/// otherwise a new one.
pub(super) fn load(args: &Args, streams: &mut Streams) -> anyhow::Result<Indexed> {
    let settings = settings(args, streams)?;
    let roots = opened(&settings)?;
    let file = file(args, &settings);
    let mut failed = Ok(());
    let mut note = |note: IndexNote<'_>| match note {
        IndexNote::Finding(one) => {
            let written = finding(one, streams);
            if failed.is_ok() {
                failed = written;
            }
        }
        IndexNote::Unusable(path) if args.verbose => {
            let _ = writeln!(
                streams.stderr,
                "the index {path} cannot be used and is made anew"
            );
        }
        IndexNote::NotKept(error) if args.verbose => {
            let _ = writeln!(streams.stderr, "the index is not kept: {error}");
        }
        IndexNote::Unusable(_) | IndexNote::NotKept(_) => {}
    };
    let indexed = Indexed::load(settings, &roots, file.as_ref(), &mut note);
    failed?;
    Ok(indexed)
}

/// The skills that were meant; what is wrong with others is said.
pub(super) fn catalog(args: &Args, streams: &mut Streams) -> anyhow::Result<Catalog> {
    let settings = settings(args, streams)?;
    opened(&settings)?;
    let catalog = Catalog::read(&settings);
    for one in &catalog.findings {
        finding(one, streams)?;
    }
    Ok(catalog)
}

fn finding(finding: &Diagnostic, streams: &mut Streams) -> std::io::Result<()> {
    let file = finding.place.file.as_deref().unwrap_or_default();
    let (severity, message) = (finding.severity.word(), &finding.message);
    let code = finding.code;
    writeln!(streams.stderr, "{file}: {severity}[{code}]: {message}")
}

fn opened(settings: &CatalogSettings) -> anyhow::Result<Vec<Root>> {
    let roots = settings.roots.iter();
    let opened = roots.map(|root| Root::open_following(&root.path));
    Ok(opened.collect::<Result<_, _>>()?)
}

/// The file that the user named, or one in the user's directory of caches; none if there is neither.
fn file(args: &Args, settings: &CatalogSettings) -> Option<IndexFile> {
    if args.no_index {
        return None;
    }
    if let Some(path) = &args.index {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        return Some(IndexFile {
            root: Root::open_following(parent.unwrap_or(Path::new("."))).ok()?,
            dir: ".".to_owned(),
            name: path.file_name()?.to_str()?.to_owned(),
        });
    }
    let mut all = String::new();
    for root in &settings.roots {
        all.push_str(&resolve(&root.path).ok()?.to_string_lossy());
        all.push('\n');
    }
    let name = format!("{}.idx", &Digest::from_content(all.as_bytes()).hex()[..32]);
    let (root, dir) = args.roots.nodes.caches.find(CACHE)?;
    Some(IndexFile { root, dir, name })
}

fn settings(args: &Args, streams: &mut Streams) -> anyhow::Result<CatalogSettings> {
    let of_nodes = args.roots.nodes.bring(streams)?;
    let skills: Result<Vec<_>, _> = args.skills.iter().map(|path| resolve(path)).collect();
    let directories = (args.roots.max_directories).unwrap_or(MAX_DIRECTORIES);
    let mut res = args.roots.catalog(&skills?, of_nodes.as_deref(), "DIR")?;
    res.bounds = res.bounds.with_directories(directories);
    Ok(res)
}
