//! Patterns of `--carry` that had no effect, with advice for each.

use plugin_model::LeaveReason;
use skill_loader::fs::Root;
use skill_migrator::leave_file;

use crate::MigrateOptions;
use crate::collect::survey;
use crate::discover::Collection;
use skill_model::wildcard;

/// A pattern of `--carry` that carries nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdlePattern {
    /// The pattern.
    pub glob: String,
    /// The reason why it has no effect.
    pub problem: &'static str,
}

/// Returns every pattern that carries nothing. A part of a collection says nothing about the
/// whole, so a shard has none.
pub(crate) fn idle(
    options: &MigrateOptions,
    input: &Root,
    collection: &Collection,
) -> Vec<IdlePattern> {
    if options.carry.is_empty() || options.shard.is_some() {
        return Vec::new();
    }
    let paths = paths(input, collection);
    let problems = options.carry.iter().filter_map(|glob| {
        Some(IdlePattern {
            glob: glob.clone(),
            problem: problem(glob, &paths)?,
        })
    });
    problems.collect()
}

/// Returns every file of every readable plugin: the directory of the plugin, and the path within
/// it.
fn paths(input: &Root, collection: &Collection) -> Vec<(String, String)> {
    let mut res = Vec::new();
    for found in &collection.plugins {
        let Ok(survey) = survey(input, found) else {
            continue;
        };
        let paths = survey.paths().map(str::to_owned);
        res.extend(paths.map(|path| (found.directory.clone(), path)));
    }
    res
}

/// Returns the reason why a pattern carries nothing, if there is one.
fn problem(glob: &str, paths: &[(String, String)]) -> Option<&'static str> {
    let is_settings = |path: &str| leave_file(path) == Some(LeaveReason::Settings);
    if !glob.contains(['*', '?']) && is_settings(glob) {
        return Some("settings are never carried; pass them when the skill runs");
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
