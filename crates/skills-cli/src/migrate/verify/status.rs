//! `skills-migrate status`: one line for each plugin, or JSON.

use std::io::Write as _;

use serde_json::{Value, json};
use skill_parity::{Pairs, PluginStatus, Stage};

use super::super::Format;
use crate::{
    ExitStatus,
    output::{Streams, printable},
};

/// Reports how far every plugin is.
pub(super) fn run(
    pairs: &Pairs,
    format: Format,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let plugins = pairs.status();
    match format {
        Format::Text => text(&plugins, streams)?,
        Format::Json => writeln!(streams.stdout, "{:#}", json(&plugins))?,
    }
    let is_behind = plugins.iter().any(|plugin| plugin.stage.is_behind());
    Ok(if is_behind {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    })
}

fn counts(plugins: &[PluginStatus]) -> impl Iterator<Item = (Stage, usize)> {
    Stage::ALL.into_iter().map(|stage| {
        let n = plugins
            .iter()
            .filter(|plugin| plugin.stage == stage)
            .count();
        (stage, n)
    })
}

fn text(plugins: &[PluginStatus], streams: &mut Streams) -> std::io::Result<()> {
    for plugin in plugins {
        let PluginStatus {
            directory,
            skill,
            stage,
            why,
        } = plugin;
        let directory = match directory.as_str() {
            "" => ".",
            directory => directory,
        };
        let directory = printable(directory);
        write!(streams.stdout, "{:<14}  {directory}", stage.word())?;
        if let Some(skill) = skill {
            write!(streams.stdout, " -> {}", printable(skill))?;
        }
        if !why.is_empty() {
            write!(streams.stdout, ": {}", printable(&why.join("; ")))?;
        }
        writeln!(streams.stdout)?;
    }
    let counts: Vec<_> = counts(plugins)
        .map(|(stage, n)| format!("{n} {}", stage.word()))
        .collect();
    writeln!(
        streams.stdout,
        "{} plugins: {}",
        plugins.len(),
        counts.join(", ")
    )
}

fn json(plugins: &[PluginStatus]) -> Value {
    let counts = counts(plugins).map(|(stage, n)| (stage.word().replace(' ', "_"), n.into()));
    let results = plugins.iter().map(|plugin| {
        json!({
            "directory": plugin.directory,
            "skill": plugin.skill,
            "status": plugin.stage.word(),
            "why": plugin.why,
        })
    });
    json!({
        "version": 1,
        "plugins": plugins.len(),
        "counts": counts.collect::<serde_json::Map<_, _>>(),
        "results": results.collect::<Vec<_>>(),
    })
}
