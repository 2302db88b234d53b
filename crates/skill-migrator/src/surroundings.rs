//! The surroundings of a program, and what it gives back, as its code shows it.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::LeaveReason;
use skill_model::{Command, Config};

use crate::{
    code::{self, Analysis, CodeFacts, Outcome},
    env_example, file_urls, host_values, needed, platforms,
    plugin::Plugin,
    program_facts,
    render::{Around, Places},
    unknown_commands, window_commands,
};

/// The manifest beside a program of the old host.
const MANIFEST: &str = "plugin-manifest.json";

/// Returns the surroundings of a program with these settings.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    config: &Config,
    commands: &[Command],
) -> Around {
    let code = analysis.facts;
    let needed = needed::needed(plugin, analysis, config, commands);
    let explained = env_example::explained(plugin);
    Around {
        host_values: host_values::read(plugin, code),
        keys: needed::keys(plugin, analysis, config, &needed, &explained),
        needed: needed.always,
        modes: needed.modes,
        unread: unread(plugin, config),
        explained,
        left_settings: if needed::has_bare(plugin, analysis, config) {
            left_settings(plugin)
        } else {
            Vec::new()
        },
        samples: env_example::samples(plugin),
        unknown: unknown_commands::unknown(plugin, analysis, commands),
        for_windows: window_commands::for_windows(commands),
        outcomes: outcomes(analysis, commands),
        outcome: code::outcome(analysis),
        writes: code.writes,
        places: places(plugin, code),
        reads_manifest: reads_manifest(plugin),
        compiled: platforms::compiled(plugin),
    }
}

/// Returns the places that the code names.
fn places(plugin: &Plugin<'_>, code: &CodeFacts) -> Places {
    Places {
        has_links: code
            .variables
            .iter()
            .any(|it| it.starts_with("IMAGESERVER_")),
        cuts_slash: file_urls::cuts_slash(plugin),
        beside_code: code.beside_code.clone(),
        in_base: code.in_base.clone(),
    }
}

/// Returns the form of the results of each command, by its identifier.
fn outcomes(analysis: &Analysis<'_, '_>, commands: &[Command]) -> BTreeMap<String, Outcome> {
    let values: Vec<Vec<String>> = commands.iter().map(program_facts::values).collect();
    let found = code::outcomes(analysis, &values).into_iter();
    let found = found.map(|(at, outcome)| (commands[at].id.clone(), outcome));
    found.collect()
}

/// Returns the declared settings whose names are nowhere in the code, where all of the code is text.
fn unread(plugin: &Plugin<'_>, config: &Config) -> BTreeSet<String> {
    let is_code = |(path, _): &(&String, &String)| crate::is_code_file(path);
    let code: Vec<&String> = plugin
        .texts
        .iter()
        .filter(is_code)
        .map(|(_, text)| text)
        .collect();
    let schema = config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"].as_object());
    let names = declared.into_iter().flatten().map(|(name, _)| name);
    let names = names.filter(|name| !code.iter().any(|text| text.contains(name.as_str())));
    if code.is_empty() || platforms::compiled(plugin).manifest.is_some() {
        BTreeSet::new()
    } else {
        names.cloned().collect()
    }
}

/// Returns whether the code names the manifest, which only `skills-run` lays out beside the program.
fn reads_manifest(plugin: &Plugin<'_>) -> bool {
    let mut code = plugin
        .texts
        .iter()
        .filter(|(path, _)| crate::is_code_file(path));
    code.any(|(_, text)| text.contains(MANIFEST))
}

/// Returns the paths of the files with settings that are not carried, because they may have secrets.
pub(crate) fn left_settings(plugin: &Plugin<'_>) -> Vec<String> {
    let left = plugin.left_out.iter();
    let settings = left.filter(|left| {
        left.reason == LeaveReason::Settings && !env_example::is_example(&left.path)
    });
    settings.map(|left| left.path.clone()).collect()
}
