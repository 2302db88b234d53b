//! What the arguments mean.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use skill_loader::catalog::CatalogSettings;
use skill_loader::load::{BeyondLimit, Limits, Observations, RunId, Selection};

use super::args::{Args, Format};
use skills_cli::named;
use skills_cli::output::Streams;

/// Largest request or template.
const MAX_INPUT: u64 = 64 * 1024;

/// What was meant.
pub(super) struct Settings {
    pub(super) catalog: CatalogSettings,
    pub(super) skill: String,
    pub(super) resource: Option<String>,
    pub(super) selection: Selection,
    pub(super) limits: Limits,
    pub(super) request: Option<String>,
    pub(super) list: bool,
    pub(super) format: Format,
    pub(super) template: String,
    /// Where the use is recorded.
    pub(super) usage: Option<PathBuf>,
}

impl Settings {
    pub(super) fn resolve(args: Args, streams: &mut Streams) -> anyhow::Result<Self> {
        let of_nodes = args.roots.nodes.bring(streams)?;
        let template = match &args.template {
            Some(path) => read_file(path).context("cannot read the template")?,
            None => disclosure_report::reading::TEMPLATE.to_owned(),
        };
        let request = match &args.request {
            Some(path) if path == Path::new("-") => Some(read_stdin()?),
            Some(path) => Some(read_file(path).context("cannot read the request")?),
            None => None,
        };
        Ok(Self {
            usage: args.usage.clone(),
            catalog: args
                .roots
                .catalog(&args.skills, of_nodes.as_deref(), "--skills DIR")?,
            limits: limits(&args)?,
            skill: args.skill.unwrap_or_default(),
            resource: args.resource,
            selection: Selection {
                section: args.section,
                cursor: args.cursor,
            },
            request,
            list: args.list,
            format: args.format,
            template,
        })
    }
}

fn limits(args: &Args) -> anyhow::Result<Limits> {
    let mut res = Limits::default();
    res.body_lines = args.max_lines.unwrap_or(res.body_lines);
    res.body_chars = args.max_chars.unwrap_or(res.body_chars);
    res.excerpt_chars = args.max_excerpt.unwrap_or(res.excerpt_chars);
    res.file_bytes = args.max_bytes.unwrap_or(res.file_bytes);
    let types = args.types.iter();
    res.more_types = types
        .map(|ending| ending.trim_start_matches('.').to_lowercase())
        .collect();
    res.hard_links = args.allow_hard_links;
    if args.reject {
        res.beyond = BeyondLimit::Reject;
    }
    if let (Some(dir), Some(run)) = (&args.storage, &args.run_id) {
        let Some(run) = RunId::new(run) else {
            bail!("`{}` is no name of a run", run.escape_debug());
        };
        let dir = dir.clone();
        res.storage = Some(Observations { dir, run });
    }
    Ok(res)
}

/// A file that the user named.
pub fn read_file(path: &Path) -> anyhow::Result<String> {
    Ok(String::from_utf8(named::read(path, MAX_INPUT)?)?)
}

fn read_stdin() -> anyhow::Result<String> {
    Ok(String::from_utf8(named::stdin(MAX_INPUT)?)?)
}
