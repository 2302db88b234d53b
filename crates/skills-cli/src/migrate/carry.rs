//! Patterns of `--carry` that had no effect, each with what would help.

use std::io::Write as _;

use skill_loader::fs::Root;
use skill_migrator::{LeaveReason, leave_file};

use super::Settings;
use super::collect::survey;
use super::discover::Collection;
use crate::output::Streams;
use crate::wildcard;

/// Warns of every pattern that carries nothing. A part of a collection says nothing about the
/// whole, so a shard or a worker is silent.
pub(super) fn warn_of_idle(
    settings: &Settings,
    input: &Root,
    collection: &Collection,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    if settings.carry.is_empty() || settings.shard.is_some() || settings.worker.is_some() {
        return Ok(());
    }
    let paths = paths(input, collection);
    for glob in &settings.carry {
        if let Some(problem) = problem(glob, &paths) {
            writeln!(streams.stderr, "warning: --carry '{glob}': {problem}")?;
        }
    }
    Ok(())
}

/// Every file of every plugin that can be read: the plugin's directory, and the path within it.
fn paths(input: &Root, collection: &Collection) -> Vec<(String, String)> {
    let mut res = Vec::new();
    for found in &collection.plugins {
        let Ok(survey) = survey(input, &found.directory) else {
            continue;
        };
        let paths = survey.paths().map(str::to_owned);
        res.extend(paths.map(|path| (found.directory.clone(), path)));
    }
    res
}

/// Why a pattern carries nothing, if so.
fn problem(glob: &str, paths: &[(String, String)]) -> Option<&'static str> {
    let is_settings = |path: &str| leave_file(path) == Some(LeaveReason::Settings);
    if !glob.contains(['*', '?']) && is_settings(glob) {
        return Some("settings are never carried; they are handed over when the skill runs");
    }
    let mut fitting = paths.iter().filter(|(directory, path)| {
        wildcard::matches(glob, path) || wildcard::matches(glob, &format!("{directory}/{path}"))
    });
    let Some((_, first)) = fitting.next() else {
        return Some(
            "fits no file of any plugin; expected a path within a plugin, or PLUGIN/path, \
             with `*` and `?`",
        );
    };
    let is_all_settings = is_settings(first) && fitting.all(|(_, path)| is_settings(path));
    is_all_settings.then_some("fits settings only, and settings are never carried")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &str, expected: Option<&str>) {
        let path = |path: &str| ("Mail".to_owned(), path.to_owned());
        let paths = [path("config.env"), path("data/a.db"), path("session.json")];
        let found = problem(glob, &paths);
        assert_eq!(found.is_some(), expected.is_some(), "{glob}");
        let words = expected.unwrap_or_default();
        assert!(found.unwrap_or_default().contains(words), "{glob}");
    }

    #[test]
    fn patterns_without_effect_are_named() {
        check("data/*.db", None);
        check("Mail/data/*", None);
        check("*.json", None);
        check("*.sqlite", Some("fits no file"));
        check("config.env", Some("never carried"));
        check("Mail/config.env", Some("never carried"));
        check("*.env", Some("settings only"));
    }
}
