//! The surroundings of a program, and what it gives back, as its code shows it.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{LeaveReason, PluginType};
use skill_model::{Command, Config};

use crate::{
    code::{self, Analysis, Answers, CodeFacts, LocalServices, Outcome, Results},
    entry,
    env_comments::Comment,
    env_example, file_urls, host_values, needed, numbered_calls, platforms,
    plugin::Plugin,
    program_facts, readme_requirements, readme_ways,
    render::{Around, Places, SettingsFile},
    setting_rows, unknown_commands, window_commands,
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
    let unread = unread(plugin, config);
    let mut comments = env_example::explained(plugin, config);
    add_ways(plugin, config, &mut comments);
    let mut needed = needed::needed(plugin, analysis, config, commands, &unread);
    needed::keys(plugin, analysis, config, &mut needed, &comments, &unread);
    needed.sort_like(&env_example::order(plugin));
    let keys = keys(config);
    let aside = code::aside(analysis, &keys);
    needed.leave(&aside);
    let mut settings = setting_rows::rows(plugin, analysis, config, &needed, &comments);
    settings.retain(|row| !unread.contains(&row.key) && !aside.contains(&row.key));
    let has_bare = needed::has_bare(config, &needed);
    let files = code::settings_files(analysis);
    let mut unknown = unknown_commands::unknown(plugin, analysis, commands);
    unknown.extend(failing(plugin, analysis, commands));
    let (results, outcomes) = results(plugin, analysis, commands, &unknown);
    Around {
        host_values: host_values::read(plugin, code),
        needed,
        comments,
        left_settings: if has_bare {
            left_settings(plugin)
        } else {
            Vec::new()
        },
        samples: env_example::samples(plugin),
        unknown,
        for_windows: window_commands::for_windows(commands),
        of_batches: numbered_calls::explanations(commands),
        client_actions: client_actions(analysis, commands),
        asks_to_repeat: code::asks_to_repeat(analysis),
        outcomes,
        results,
        conditions: code.conditions.clone(),
        services: services(analysis, config),
        settings_files: settings_files(plugin, &files.read),
        samples_of_files: samples_of_files(plugin, &settings),
        settings,
        made_once: files.made_once,
        posted: code::posted(analysis, &keys),
        endings: code::endings(analysis),
        replaced: replaced(analysis, commands),
        has_scheduler: code::has_scheduler(analysis),
        through_modules: through_modules(plugin, code),
        awaited: code::awaited_connection(analysis),
        aside,
        requirements: readme_requirements::read(plugin),
        only_windows: code.only_windows(),
        writes: code.writes,
        lowest: code::lowest(analysis),
        longest_wait: code::longest_wait(analysis),
        places: places(plugin, code),
        reads_manifest: reads_manifest(plugin),
        compiled: platforms::compiled(plugin),
    }
}

/// Returns the settings that name a file which the plugin does not have at that place, with a file of that name
/// elsewhere in it.
fn samples_of_files(
    plugin: &Plugin<'_>,
    settings: &[setting_rows::SettingRow],
) -> Vec<(String, String)> {
    let found = settings.iter().filter_map(|row| {
        let name = row.default.trim_start_matches("./");
        let is_file = [".json", ".yml", ".yaml", ".toml"]
            .iter()
            .any(|end| name.ends_with(end));
        if !is_file || name.contains(['/', '\\']) || plugin.has_file(name) {
            return None;
        }
        let mut paths = plugin.files.iter().map(|file| file.path.as_str());
        let is_same = |path: &&str| path.rsplit_once('/').is_some_and(|(_, last)| last == name);
        Some((row.key.clone(), format!("scripts/{}", paths.find(is_same)?)))
    });
    found.collect()
}

/// Returns the skills that no file of the plugin names, with the module of the old host that does.
fn through_modules(plugin: &Plugin<'_>, code: &CodeFacts) -> BTreeMap<String, String> {
    let own: Vec<&str> = plugin.code_texts().collect();
    let mut res = BTreeMap::new();
    for (directory, skill) in plugin.neighbours {
        let is_own = || own.iter().any(|text| text.contains(directory.as_str()));
        if !code.neighbours.contains(directory) || is_own() {
            continue;
        }
        let mut modules = plugin.host.texts.iter();
        let module = modules
            .find(|(path, text)| code.carried.contains(*path) && text.contains(directory.as_str()));
        if let Some((path, _)) = module {
            res.insert(skill.to_string(), path.clone());
        }
    }
    res
}

/// Returns the settings that the plugin declares, and the others.
fn keys(config: &Config) -> BTreeSet<&str> {
    let schema = config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"].as_object());
    let declared = declared.into_iter().flatten().map(|(key, _)| key.as_str());
    let all = declared.chain(config.undeclared.iter().map(String::as_str));
    all.collect()
}

/// Returns the services of this machine that the code asks, also at the port of the old host.
fn services(analysis: &Analysis<'_, '_>, config: &Config) -> LocalServices {
    let mut keys = keys(config);
    keys.extend(["PORT", "SERVER_PORT"]);
    code::local_services(analysis, &keys)
}

/// Returns the members that commands empty where they are missing, by the identifiers of the commands.
fn replaced(analysis: &Analysis<'_, '_>, commands: &[Command]) -> BTreeMap<String, code::Replaced> {
    let found = code::replaced(analysis, &values(commands.iter())).into_iter();
    let found = found.map(|(at, members)| (commands[at].id.clone(), members));
    found.collect()
}

/// Adds how to get secrets, as the readme says it, where the example of the settings does not.
fn add_ways(plugin: &Plugin<'_>, config: &Config, comments: &mut BTreeMap<String, Comment>) {
    let Some((kind, how)) = readme_ways::read(plugin) else {
        return;
    };
    let of_kind = config.secret.iter();
    for key in of_kind.filter(|key| key.to_lowercase().contains(kind)) {
        let comment = comments.entry(key.clone()).or_default();
        if comment.how.is_empty() {
            comment.how.clone_from(&how);
        }
    }
}

/// Returns the files with settings that the plugin reads and does not have, where it has their template.
fn settings_files(plugin: &Plugin<'_>, names: &BTreeSet<String>) -> Vec<SettingsFile> {
    const WORDS: [&str; 4] = ["template", "example", "sample", "default"];
    let missing = names.iter().filter(|name| !plugin.has_file(name));
    let files = missing.filter_map(|name| {
        let stem = name.strip_suffix(".json").unwrap_or(name);
        let is_template = |path: &&str| {
            let lower = path.to_lowercase();
            !path.contains('/')
                && path.starts_with(stem)
                && WORDS.iter().any(|word| lower.contains(word))
        };
        let mut paths = plugin.files.iter().map(|file| file.path.as_str());
        let template = paths.find(is_template)?;
        Some(SettingsFile {
            path: format!("scripts/{name}"),
            template: format!("scripts/{template}"),
        })
    });
    files.collect()
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

/// The number of declared settings up to which the code is searched for them.
const MAX_SETTINGS: usize = 64;

/// Returns the declared settings whose names are nowhere in the code, where all of the code is text.
fn unread(plugin: &Plugin<'_>, config: &Config) -> BTreeSet<String> {
    let code: Vec<&str> = plugin.code_texts().collect();
    let schema = config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"].as_object());
    // A skill with more settings has no table of them.
    let names = declared.filter(|all| all.len() <= MAX_SETTINGS);
    let names = names.into_iter().flatten().map(|(name, _)| name);
    // `{{NAME}}` is a place in a prompt.
    let is_in = |name: &str| {
        let place = format!("{{{{{name}}}}}");
        let n_of = |text: &str, what: &str| text.matches(what).count();
        code.iter().any(|text| {
            text.contains(name) && (!text.contains(&place) || n_of(text, name) > n_of(text, &place))
        })
    };
    let names = names.filter(|name| !is_in(name));
    if code.is_empty() || platforms::compiled(plugin).manifest.is_some() {
        BTreeSet::new()
    } else {
        names.cloned().collect()
    }
}

/// Returns the texts of the plugin's own files with an ending.
fn texts<'p>(plugin: &Plugin<'p>, end: &str) -> Vec<&'p str> {
    let texts = plugin.texts.iter();
    let texts = texts.filter(|(path, _)| path.ends_with(end) && !path.contains("node_modules"));
    texts.map(|(_, text)| text.as_str()).collect()
}

/// Returns the identifiers of the commands that call what a compiled module of the plugin does not have.
fn failing(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    commands: &[Command],
) -> BTreeSet<String> {
    let found = code::lacking_methods(
        analysis,
        (&texts(plugin, ".d.ts"), &texts(plugin, ".rs")),
        &values(commands.iter()),
    )
    .into_iter();
    let found = found.map(|at| commands[at].id.clone());
    found.collect()
}

/// Returns the members of results that only a window of the old host read, by the identifiers of commands.
fn client_actions(analysis: &Analysis<'_, '_>, commands: &[Command]) -> BTreeMap<String, String> {
    let found = code::client_actions(analysis, &values(commands.iter())).into_iter();
    let found = found.map(|(at, name)| (commands[at].id.clone(), name));
    found.collect()
}

/// Returns the values that select each command.
fn values<'c>(commands: impl Iterator<Item = &'c Command>) -> Vec<Vec<String>> {
    commands.map(program_facts::values).collect()
}

/// Returns the form of all results, and that of each command, by its identifier. Where the commands have
/// others, there is none of all.
fn results(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    commands: &[Command],
    unknown: &BTreeSet<String>,
) -> (Results, BTreeMap<String, Outcome>) {
    let kind = plugin.program.plugin_type.value;
    let answers = match kind {
        PluginType::Static => Answers::Printed,
        _ if entry::is_module(kind) => Answers::Module,
        _ => Answers::Program,
    };
    let values = values(commands.iter());
    let mut found = code::outcomes(analysis, &values, answers);
    found.retain(|at, _| !unknown.contains(&commands[*at].id));
    let n_known = commands
        .iter()
        .filter(|it| !unknown.contains(&it.id))
        .count();
    let mut all = code::results(analysis, &values, answers);
    if all.form.is_none() && answers != Answers::Printed {
        all.form = code::outcome_of_rust(&texts(plugin, ".rs"));
    }
    let is_message = |form: &Outcome| form.members().any(|it| it == "content");
    let has_message = all.form.as_ref().is_some_and(is_message);
    let n_of = |form: &Outcome| found.values().filter(|it| *it == form).count();
    let most = found.values().max_by_key(|form| n_of(form)).cloned();
    let n_most = most.as_ref().map_or(0, n_of);
    let is_different = n_most < found.len();
    if is_different && found.len() == n_known && n_most * 3 >= n_known * 2 {
        all.form = most;
        all.is_split = true;
    } else if is_different && !has_message && found.len() * 2 > n_known {
        all.form = None;
    } else if is_different && has_message && found.len() == n_known {
        let form = all.form.take();
        let each: Vec<&Outcome> = found.values().collect();
        all.form = form.and_then(|it| it.common(&each));
        all.is_split = all.form.is_some();
    }
    if !found.is_empty() || answers == Answers::Printed || all.form.is_some() {
        all.partly = None;
    }
    if let Some(form) = &mut all.form {
        form.mark_echoes(&commands.iter().flat_map(parameters).collect());
    }
    let found = found.into_iter().map(|(at, mut outcome)| {
        outcome.mark_echoes(&parameters(&commands[at]).collect());
        (commands[at].id.clone(), outcome)
    });
    (all, found.collect())
}

/// Returns the names of the parameters of a command, also those that only its code reads.
fn parameters(command: &Command) -> impl Iterator<Item = String> + '_ {
    let schema = &command.input_schema;
    let all = [&schema["properties"], &schema["x-also"]].into_iter();
    let all = all.filter_map(serde_json::Value::as_object);
    all.flat_map(|it| it.keys().cloned())
}

/// Returns whether the code names the manifest, which only `skills-run` lays out beside the program.
fn reads_manifest(plugin: &Plugin<'_>) -> bool {
    plugin.code_texts().any(|text| text.contains(MANIFEST))
}

/// Returns the paths of the files with settings that are not carried, because they may have secrets.
pub(crate) fn left_settings(plugin: &Plugin<'_>) -> Vec<String> {
    let left = plugin.left_out.iter();
    let settings = left.filter(|left| {
        left.reason == LeaveReason::Settings && !env_example::is_example(&left.path)
    });
    settings.map(|left| left.path.clone()).collect()
}
