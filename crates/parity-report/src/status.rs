//! The stage of each plugin: a line for each, or JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use skill_language::Language;
use skill_parity::{Level, PluginStatus, Stage};

use skill_report::printable;

use crate::{padded, totals, without_secrets};

fn counts(plugins: &[PluginStatus]) -> impl Iterator<Item = (Stage, usize)> {
    Stage::ALL.into_iter().map(|stage| {
        let n = plugins
            .iter()
            .filter(|plugin| plugin.stage == stage)
            .count();
        (stage, n)
    })
}

/// Returns a line for each plugin, and a last line with totals.
pub fn text(plugins: &[PluginStatus], language: Language) -> String {
    let mut res = String::new();
    for plugin in plugins {
        let PluginStatus {
            directory,
            skill,
            stage,
            why,
            level,
            without_secrets: files,
        } = plugin;
        let directory = match directory.as_str() {
            "" => ".",
            directory => directory,
        };
        let directory = printable(directory);
        let _ = write!(
            res,
            "{}  {directory}",
            padded(&language.say(stage.word()), 14)
        );
        if let Some(skill) = skill {
            let _ = write!(res, " -> {}", printable(skill));
        }
        if let Some(level) = level {
            let _ = write!(res, " ({})", language.say(level.word()));
        }
        if !why.is_empty() {
            let why = why.iter().map(|it| language.say(it));
            let why = why.collect::<Vec<_>>().join(&language.say("; "));
            let _ = write!(res, "{}{}", language.say(": "), printable(&why));
        }
        res.push('\n');
        res.push_str(&without_secrets(files, language));
    }
    let counts: Vec<_> = counts(plugins)
        .map(|(stage, n)| format!("{n} {}", language.say(stage.word())))
        .collect();
    res.push_str(&totals(plugins.len(), &counts, language));
    res
}

/// Returns the whole list for programs.
pub fn json(plugins: &[PluginStatus]) -> Value {
    let counts = counts(plugins).map(|(stage, n)| (stage.word().replace(' ', "_"), n.into()));
    let results = plugins.iter().map(|plugin| {
        json!({
            "directory": plugin.directory,
            "skill": plugin.skill,
            "status": plugin.stage.word(),
            "level": plugin.level.map(Level::word),
            "why": plugin.why,
            "without_secrets": plugin.without_secrets,
        })
    });
    json!({
        "version": 1,
        "plugins": plugins.len(),
        "counts": counts.collect::<Map<_, _>>(),
        "results": results.collect::<Vec<_>>(),
    })
}
