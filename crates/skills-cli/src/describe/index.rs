//! The skills that were meant, and their index.

use std::path::Path;

use anyhow::ensure;
use skill_diagnostics::Diagnostic;
use skill_disclosure::{IndexFile, IndexNote, Indexed};
use skill_loader::Digest;
use skill_loader::catalog::{Bounds, Catalog, CatalogSettings, SkillRoot};
use skill_loader::fs::{Root, resolve};
use skill_loader::load::Source;

use super::Args;
use crate::output::Streams;

/// Where a project keeps its skills.
const DEFAULT_ROOTS: [&str; 3] = ["skills", ".agents/skills", ".claude/skills"];
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
    let (root, dir) = args.nodes.caches.find(CACHE)?;
    Some(IndexFile { root, dir, name })
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
