//! The stage of each plugin: a line for each, or JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use skill_parity::{PluginStatus, Stage};

use skill_report::printable;

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
pub fn text(plugins: &[PluginStatus]) -> String {
    let mut res = String::new();
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
        let _ = write!(res, "{:<14}  {directory}", stage.word());
        if let Some(skill) = skill {
            let _ = write!(res, " -> {}", printable(skill));
        }
        if !why.is_empty() {
            let _ = write!(res, ": {}", printable(&why.join("; ")));
        }
        res.push('\n');
    }
    let counts: Vec<_> = counts(plugins)
        .map(|(stage, n)| format!("{n} {}", stage.word()))
        .collect();
    let word = if plugins.len() == 1 {
        "plugin"
    } else {
        "plugins"
    };
    let _ = writeln!(res, "{} {word}: {}", plugins.len(), counts.join(", "));
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
            "why": plugin.why,
        })
    });
    json!({
        "version": 1,
        "plugins": plugins.len(),
        "counts": counts.collect::<Map<_, _>>(),
        "results": results.collect::<Vec<_>>(),
    })
}
