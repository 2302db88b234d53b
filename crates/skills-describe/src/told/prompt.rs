//! Placeholders of older hosts in a prompt.

use std::path::Path;

use serde_json::json;
use skill_disclosure::placeholders::{Descriptions, RenderedText, UnknownPlaceholder, resolve};
use skill_disclosure::{Facts, FullSource as _, Phase, describe};
use skill_loader::catalog::Catalog;

use super::{Settings, bodies};
use crate::Args;
use crate::Format;
use crate::batch;
use skills_cli::{ExitStatus, output::Streams};

/// Resolves the placeholders of a file. Unknown ones stay and are reported.
pub(super) fn answer(
    path: &Path,
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let text = batch::read(path)?;
    let skills: Vec<Facts> = catalog
        .skills
        .values()
        .map(|skill| Facts::from_skill(skill))
        .collect();
    let rendered = resolve(&text, &skills, &Told { settings, catalog });
    if args.format == Format::Json {
        json(&rendered, streams)?;
        return Ok(ExitStatus::Fine);
    }
    write!(streams.stdout, "{}", rendered.text)?;
    for unknown in &rendered.unknown {
        let UnknownPlaceholder {
            key,
            line,
            column,
            provider,
        } = unknown;
        write!(streams.stderr, "{}:{line}:{column}: ", path.display())?;
        match provider {
            Some(skill) => writeln!(
                streams.stderr,
                "{{{{{key}}}}} stays: its value comes from a run of `{skill}`"
            )?,
            None => writeln!(
                streams.stderr,
                "{{{{{key}}}}} stays: no skill is known by it"
            )?,
        }
    }
    Ok(ExitStatus::Fine)
}

/// The descriptions that placeholders stand for: all skills as a list, one of them briefly.
struct Told<'a> {
    settings: &'a Settings,
    catalog: &'a Catalog,
}

impl Descriptions for Told<'_> {
    fn all(&self) -> String {
        self.settings.describer.compose(self.catalog, None).text
    }

    fn one(&self, facts: &Facts) -> String {
        let describer = &self.settings.describer;
        let preference = describer.disclosure.preferences.get(&facts.name);
        let phase = if self.settings.has_phase() {
            describer.phase(&facts.name, None)
        } else {
            preference.copied().unwrap_or(Phase::Brief)
        };
        let bodies = bodies(self.catalog);
        let body = bodies.body(&facts.name).unwrap_or_default();
        let facts = facts.clone().with_body(&body);
        let counter = &*describer.counter;
        let described = describe(&facts, phase, &describer.budgets, &bodies, counter);
        described.map_or_else(|_| facts.description.clone(), |described| described.text)
    }
}

fn json(rendered: &RenderedText, streams: &mut Streams) -> anyhow::Result<()> {
    let unknown = rendered.unknown.iter().map(
        |it| json!({"key": it.key, "line": it.line, "column": it.column, "provider": it.provider}),
    );
    let whole = json!({
        "schema": 1,
        "text": rendered.text,
        "resolved": rendered.resolved,
        "unknown": unknown.collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut streams.stdout, &whole)?;
    writeln!(streams.stdout)?;
    Ok(())
}
