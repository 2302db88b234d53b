//! The settings of the arguments.

use std::path::PathBuf;

use anyhow::Context as _;
use skill_loader::catalog::{CatalogSettings, directory};
use skill_loader::load::{BeyondLimit, Limits, Observations, RunId, Selection};

use crate::args::{Args, Format};
use skills_cli::input;
use skills_cli::output::Streams;

/// The maximum size of a request or template, in bytes.
const MAX_INPUT: u64 = 64 * 1024;

pub(super) struct Settings {
    pub(super) catalog: CatalogSettings,
    pub(super) skill: String,
    pub(super) resource: Option<String>,
    pub(super) arguments: Option<String>,
    pub(super) selection: Selection,
    pub(super) with_required: bool,
    pub(super) limits: Limits,
    pub(super) request: Option<String>,
    pub(super) list: bool,
    pub(super) format: Format,
    pub(super) template: String,
    pub(super) usage: Option<PathBuf>,
}

impl Settings {
    pub(super) fn resolve(args: Args, streams: &mut Streams) -> anyhow::Result<Self> {
        let nodes = args.roots.nodes.mirror(streams)?;
        let template = match &args.template {
            Some(path) => input::text(path, MAX_INPUT).context("cannot read the template")?,
            None => disclosure_report::reading::TEMPLATE.to_owned(),
        };
        let request = match &args.request {
            Some(path) => {
                let text = input::text_or_stdin(path, MAX_INPUT);
                Some(text.context("cannot read the request")?)
            }
            None => None,
        };
        let (roots, skill) = (&args.roots, args.skill.clone().unwrap_or_default());
        let skills = directory(&skill).map_or(args.skills.clone(), |dir| vec![dir]);
        let catalog = roots.catalog(&skills, nodes.as_deref(), "--skills DIR")?;
        Ok(Self {
            usage: args.usage.clone(),
            catalog,
            limits: limits(&args)?,
            skill,
            resource: args.resource,
            arguments: args.arguments,
            with_required: args.with_required,
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
    res.allow_types(&args.types);
    res.hard_links = args.allow_hard_links;
    if args.reject {
        res.beyond = BeyondLimit::Reject;
    }
    if let (Some(dir), Some(run)) = (&args.storage, &args.run_id) {
        let named = || format!("`{}` is not a name of a run", run.escape_debug());
        let (dir, run) = (dir.clone(), RunId::new(run).with_context(named)?);
        res.storage = Some(Observations { dir, run });
    }
    Ok(res)
}
