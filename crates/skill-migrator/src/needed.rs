//! The settings that a program needs: for every call, for those of a mode, and the keys of services.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use skill_model::{Command, Config, GuardKind, Unset};

use crate::{
    code::{self, Analysis, Fallback, SettingUse},
    config::{HOST_VARIABLES, is_secret_key},
    env_comments::Comment,
    plugin::Plugin,
};

/// Maximum number of keys of services that are named; the section on settings leads to the others.
const MAX_KEYS: usize = 12;

/// The address of the old host, for which `skills-run` has a value.
const PROVIDED: &str = "VarHttpUrl";

/// The settings without which a program does not run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Needed {
    /// Those of every call, and of one that names no mode.
    pub(crate) always: Vec<String>,
    /// Those of calls with certain values of an argument.
    pub(crate) modes: BTreeMap<String, code::Mode>,
    /// Those among the first that only the value of an argument needs which it has by default.
    pub(crate) by_default: BTreeMap<String, code::Mode>,
    /// The other keys of services.
    pub(crate) keys: Vec<String>,
    /// Settings that count only with a value of another one, and whether it has that by default.
    pub(crate) by_setting: BTreeMap<String, (String, String, bool)>,
    /// Those among the keys without which the program does its work.
    pub(crate) optional: BTreeSet<String>,
    /// Those of the first that are a table, without which its program refuses everything.
    pub(crate) tables: BTreeSet<String>,
    /// The use of all settings in its code.
    pub(crate) uses: BTreeMap<String, SettingUse>,
    /// The settings without which it leaves out a part of its work.
    tolerated: BTreeSet<String>,
    /// The settings whose presence it tests.
    tested: BTreeSet<String>,
}

impl Needed {
    /// Returns true for a setting that the text tells how to give.
    pub(crate) fn is_told(&self, key: &str) -> bool {
        let mut all = self.always.iter().chain(&self.keys);
        all.any(|known| known == key) || self.modes.contains_key(key)
    }

    /// Leaves out settings that no call reaches.
    pub(crate) fn leave(&mut self, others: &BTreeSet<String>) {
        self.always.retain(|key| !others.contains(key));
        self.keys.retain(|key| !others.contains(key));
        self.modes.retain(|key, _| !others.contains(key));
    }

    /// Puts the settings into the order of a list, where it has all of them.
    pub(crate) fn sort_like(&mut self, order: &[String]) {
        for keys in [&mut self.always, &mut self.keys] {
            let place = |key: &String| order.iter().position(|it| it == key);
            if keys.iter().all(|key| place(key).is_some()) {
                keys.sort_by_key(place);
            }
        }
    }
}

/// Returns the settings without which the program does not run: those that the plugin requires and the
/// program does not replace, those without which its code ends, and those that an error names as missing.
pub(crate) fn needed(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    config: &Config,
    commands: &[Command],
    unread: &BTreeSet<String>,
) -> Needed {
    let code = analysis.facts;
    let schema = config.schema.as_ref();
    let required = schema.and_then(|schema| schema["required"].as_array());
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let required: BTreeSet<&str> = required.collect();
    let declared = schema.and_then(|schema| schema["properties"].as_object());
    let declared = declared.into_iter().flatten().map(|(key, _)| key.as_str());
    let keys: BTreeSet<&str> = declared
        .chain(config.undeclared.iter().map(String::as_str))
        .collect();
    let mut lacks = code::lacking(analysis, &keys, is_of_host);
    lacks.retain(|lack| lack.mode.is_some() || !is_of_mode(config, &lack.key));
    let (missing, mut modes, mut by_default) = by_mode(analysis, lacks, commands);
    let tolerated = code::tolerated(analysis, &keys);
    let tested = code::tested(analysis, &keys);
    let mut tables = code::refusing(analysis, &keys);
    tables.retain(|key| !is_optional(config, key) && !unread.contains(key));
    let is_declared = |key: &String| !config.undeclared.contains(key);
    let all = code::setting_uses(&code.files, plugin.texts, &keys);
    let mut uses = all.clone();
    let replaced = uses.iter().filter(|(key, used)| {
        used.fallback == Some(Fallback::Value) && !is_elsewhere(config, key, used)
    });
    let replaced: BTreeSet<String> = replaced.map(|(key, _)| key.clone()).collect();
    tables.retain(|key| !replaced.contains(key));
    uses.retain(|key, used| match used.fallback {
        Some(Fallback::Ends) => true,
        Some(Fallback::Value) => is_elsewhere(config, key, used),
        Some(Fallback::On) => false,
        Some(Fallback::Nothing) => missing.contains(key),
        None if missing.contains(key) => true,
        None if used.is_switch || used.is_split || tolerated.contains(key) => false,
        None if used.is_connection => !tested.contains(key) && !is_of_host(key),
        None => is_declared(key) && names_a_service(key),
    });
    let closed = config.guards.iter();
    let closed = closed.filter(|guard| guard.unset == Unset::Closed);
    let closed: BTreeSet<&str> = closed.map(|guard| guard.key.as_str()).collect();
    let is_needed = |key: &&str| {
        !modes.contains_key(*key)
            && !unread.contains(*key)
            && (closed.contains(*key)
                || tables.contains(*key)
                || required.contains(key) && !replaced.contains(*key)
                || key.contains('*') && missing.contains(*key)
                || uses.get(*key).is_some_and(|used| {
                    let is_certain = used.fallback == Some(Fallback::Ends);
                    is_certain || missing.contains(*key) || !is_optional(config, key)
                }))
    };
    let always = keys.iter().copied().filter(is_needed);
    let is_given = |key: &str| HOST_VARIABLES.contains(&key) || key == PROVIDED;
    let always = always.filter(|key| !is_given(key));
    let always: Vec<String> = always.map(str::to_owned).collect();
    modes.retain(|key, _| !is_given(key) && !replaced.contains(key));
    by_default.retain(|key, _| always.contains(key) && !required.contains(key.as_str()));
    Needed {
        always,
        modes,
        by_default,
        tables,
        uses: all,
        tolerated,
        tested,
        ..Needed::default()
    }
}

/// Returns true for a setting with the allowed directories whose default is on the machine of its author.
fn is_elsewhere(config: &Config, key: &str, used: &SettingUse) -> bool {
    let mut guards = config.guards.iter();
    let is_allowing =
        guards.any(|guard| guard.key == key && guard.kind == GuardKind::AllowDirectories);
    is_allowing
        && used
            .default
            .as_deref()
            .is_some_and(|it| elsewhere(it).is_some())
}

/// Returns the beginning of a path that only the machine of its author has: `/app/tea`, `D:\\tea`.
pub(crate) fn elsewhere(value: &str) -> Option<&str> {
    const STARTS: [&str; 10] = [
        "/var/www", "/app/", "/data/", "/home/", "/mnt/", "/opt/", "/root/", "/srv/", "/Users/",
        "/www/",
    ];
    let is_drive = value
        .split_once([':'])
        .is_some_and(|(drive, rest)| drive.len() == 1 && rest.starts_with(['/', '\\']));
    let start = STARTS.iter().find(|start| value.starts_with(*start));
    start.copied().or(is_drive.then(|| &value[..2]))
}

/// Returns the missing settings of every call, or of the value that the program takes for a missing
/// argument, and those of other modes.
fn by_mode(
    code: &Analysis<'_, '_>,
    lacks: BTreeSet<code::Lack>,
    commands: &[Command],
) -> (
    BTreeSet<String>,
    BTreeMap<String, code::Mode>,
    BTreeMap<String, code::Mode>,
) {
    let facts = code::argument_facts(code, &[Vec::new()]);
    let default = |argument: &str| {
        let known = facts.first()?.arguments.get(argument);
        let value = known.and_then(|it| it.settled.as_ref().or(it.defaults.first()));
        let mut declared = commands
            .iter()
            .filter_map(|command| command.input_schema["properties"][argument].get("default"));
        value.or_else(|| declared.next()).and_then(Value::as_str)
    };
    let is_always = |lack: &code::Lack| {
        lack.mode.as_ref().is_none_or(|(argument, values)| {
            default(argument).is_some_and(|value| values.iter().any(|it| it == value))
        })
    };
    let (always, others): (Vec<_>, Vec<_>) = lacks.into_iter().partition(is_always);
    let in_all = always.iter().filter(|lack| lack.mode.is_none());
    let in_all: BTreeSet<String> = in_all.map(|lack| lack.key.clone()).collect();
    let is_in_others = |key: &str| others.iter().any(|lack| lack.key == key);
    let by_default = always.iter().filter_map(|lack| {
        let is_alone = !in_all.contains(&lack.key) && !is_in_others(&lack.key);
        let mode = lack.mode.clone().filter(|_| is_alone)?;
        Some((lack.key.clone(), mode))
    });
    let by_default: BTreeMap<String, code::Mode> = by_default.collect();
    let always: BTreeSet<String> = always.into_iter().map(|lack| lack.key).collect();
    let mut modes: BTreeMap<String, code::Mode> = BTreeMap::new();
    for lack in others {
        let Some((argument, values)) = lack.mode.filter(|_| !always.contains(&lack.key)) else {
            continue;
        };
        let known = modes.entry(lack.key).or_insert((argument, Vec::new()));
        known.1.extend(values);
    }
    (always, modes, by_default)
}

/// Adds the other secrets that the program uses and does not replace if they are missing: the keys of
/// services, without those that the manifest calls optional.
pub(crate) fn keys(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    config: &Config,
    needed: &mut Needed,
    comments: &BTreeMap<String, Comment>,
    unread: &BTreeSet<String>,
) {
    let secrets: BTreeSet<&str> = config.secret.iter().map(String::as_str).collect();
    let uses = std::mem::take(&mut needed.uses);
    let declared = config
        .schema
        .iter()
        .filter_map(|schema| schema["properties"].as_object());
    let declared = declared.flatten().map(|(key, _)| key.as_str());
    let all: BTreeSet<&str> = declared.chain(secrets.iter().copied()).collect();
    let others = code::alternatives(analysis, &all);
    // A declared one may be read from an object with settings; another expression does not give its value.
    let is_used = |key: &str| match uses.get(key) {
        Some(used) if used.default.as_deref().is_some_and(|it| !it.is_empty()) => false,
        Some(used) if !matches!(used.fallback, Some(Fallback::Value | Fallback::On)) => true,
        _ => !config.undeclared.iter().any(|it| it == key),
    };
    // Beside a key that is needed, an undeclared one is another name of it or of something optional.
    let has_needed = needed.always.iter().any(|key| is_secret_key(key));
    let is_other_name = |key: &str| has_needed && config.undeclared.iter().any(|it| it == key);
    let is_first = |key: &&str| {
        !needed.always.iter().any(|other| other == key)
            && !needed.modes.contains_key(*key)
            && !is_of_host(key)
            && !HOST_VARIABLES.contains(key)
            && !is_other_name(key)
            && !others.contains_key(*key)
            && !unread.contains(*key)
            && !explanation(config, key).contains("预留")
            && is_used(key)
    };
    let says = |key: &str| {
        let comment = comments.get(key);
        is_optional(config, key) || comment.is_some_and(|it| calls_optional(&it.whole))
    };
    let goes_without = |key: &str| {
        let is_missing = uses
            .get(key)
            .is_some_and(|it| it.fallback == Some(Fallback::Nothing));
        let is_rust = uses.get(key).is_some_and(|it| it.file.ends_with(".rs"));
        needed.tolerated.contains(key) || is_missing && (is_rust || needed.tested.contains(key))
    };
    // An undeclared one that nobody explains, and that the program does without, is not worth a line.
    let is_explained = |key: &str| {
        !config.undeclared.iter().any(|it| it == key)
            || comments.get(key).is_some_and(|it| !it.text.is_empty())
            || is_in_readme(plugin, key)
    };
    let found = secrets.iter().copied().filter(is_first);
    let found = found.filter(|key| !(says(key) || goes_without(key)) || is_explained(key));
    let found: Vec<&str> = found.take(MAX_KEYS).collect();
    let optional = found.iter().filter(|key| says(key) || goes_without(key));
    needed.optional = optional.map(|key| (*key).to_owned()).collect();
    needed.keys = found.into_iter().map(str::to_owned).collect();
    needed.uses = uses;
    by_setting(analysis, config, needed, unread);
    let families = config.undeclared.iter().filter(|key| {
        let is_marked = comments.get(*key).is_some_and(|it| it.is_required);
        is_marked && !needed.always.contains(key)
    });
    let families: Vec<String> = families.cloned().collect();
    needed.always.extend(families);
}

/// Finds the keys that count only with a value of another setting, and adds the settings that count with them.
fn by_setting(
    analysis: &Analysis<'_, '_>,
    config: &Config,
    needed: &mut Needed,
    unread: &BTreeSet<String>,
) {
    let declared = config.schema.iter();
    let declared = declared.filter_map(|schema| schema["properties"].as_object());
    let declared = declared.flatten().map(|(key, _)| key.as_str());
    let all = declared.chain(config.undeclared.iter().map(String::as_str));
    let all: BTreeSet<&str> = all.collect();
    let mut found = code::setting_modes(analysis, &all);
    found.retain(|key, _| {
        !needed.always.contains(key) && !needed.modes.contains_key(key) && !unread.contains(key)
    });
    let of_keys: BTreeSet<&(String, String)> = needed
        .keys
        .iter()
        .filter_map(|key| found.get(key))
        .collect();
    let is_open = |key: &str| {
        needed.uses.get(key).is_some_and(|it| {
            !it.is_switch && matches!(it.fallback, None | Some(Fallback::Nothing | Fallback::Ends))
        })
    };
    let beside = found.iter().filter(|(key, of)| {
        let is_told = needed.keys.contains(key);
        !is_told && of_keys.contains(of) && is_open(key) && !is_of_host(key)
    });
    let beside: Vec<String> = beside.map(|(key, _)| key.clone()).collect();
    needed.keys.extend(beside);
    let of = found
        .into_iter()
        .filter(|(key, _)| needed.keys.contains(key));
    let of = of.map(|(key, (of, value))| {
        let default = needed.uses.get(&of).and_then(|it| it.default.as_deref());
        let is_default = default == Some(&*value);
        (key, (of, value, is_default))
    });
    needed.by_setting = of.collect();
}

/// Returns true if a readme names a setting.
fn is_in_readme(plugin: &Plugin<'_>, key: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    plugin.texts.iter().any(|(path, text)| {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let is_it = name.starts_with("readme") && text.contains(key);
        is_it && text.split(|c| !is_word(c)).any(|word| word == key)
    })
}

/// Returns true if the program reads settings that nobody declares and that it does not replace: without
/// the file of the old plugin, it does something else.
pub(crate) fn has_bare(config: &Config, needed: &Needed) -> bool {
    let undeclared: BTreeSet<&str> = config.undeclared.iter().map(String::as_str).collect();
    needed.uses.iter().any(|(key, used)| {
        if !undeclared.contains(key.as_str()) {
            return false;
        }
        let is_replaced = used.fallback.is_some() || used.is_switch;
        !is_replaced && !needed.tolerated.contains(key) && !HOST_VARIABLES.contains(&&**key)
    })
}

/// Returns true for an address of the old host, and for its own keys, which it gave to its file servers.
pub(crate) fn is_of_host(key: &str) -> bool {
    const KEYS: [&str; 10] = [
        "VAR_HTTP_URL",
        "VAR_HTTPS_URL",
        "VarHttpsUrl",
        "FILE_KEY",
        "File_Key",
        "IMAGE_KEY",
        "ImageServerKey",
        "Image_Key",
        "VCP_KEY",
        "VCP_Key",
    ];
    KEYS.contains(&key) || key == PROVIDED
}

/// Returns true for a setting that its description calls optional.
fn is_optional(config: &Config, key: &str) -> bool {
    calls_optional(&explanation(config, key))
}

/// Returns true for a text that calls a setting optional, or one of several ways.
fn calls_optional(text: &str) -> bool {
    const OPTIONAL: [&str; 20] = [
        "如果指定",
        "如果设置",
        "优先使用",
        "不需要",
        "二选一",
        "不消耗",
        "无需",
        "没有可以",
        "预留",
        "可选",
        "选填",
        "留空",
        "不填",
        "optional",
        "reserved",
        "if empty",
        // Needed in one mode, or in place of another one.
        "仅",
        "覆盖",
        "only",
        "override",
    ];
    let text = text.to_lowercase();
    OPTIONAL.iter().any(|word| text.contains(word)) || is_numbered_way(&text)
}

/// Returns true for `方式2：…` and `option 2: …`.
fn is_numbered_way(text: &str) -> bool {
    let rest = ["方式", "方法", "方案", "option", "method"]
        .iter()
        .find_map(|word| text.trim_start().strip_prefix(word));
    rest.is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns true for a setting that its description gives to one mode: `仅 Tavily 模式需要`.
fn is_of_mode(config: &Config, key: &str) -> bool {
    let text = explanation(config, key);
    ["仅", "only"].iter().any(|word| text.contains(word))
        && ["模式", "mode", "时必需", "时需要"]
            .iter()
            .any(|word| text.contains(word))
}

/// Returns the description of a setting in lower case.
fn explanation(config: &Config, key: &str) -> String {
    let property = config
        .schema
        .as_ref()
        .map(|schema| &schema["properties"][key]);
    let text = |name: &str| {
        property
            .and_then(|it| it[name].as_str())
            .unwrap_or_default()
    };
    format!("{}{}", text("description"), text("x-legacy-type")).to_lowercase()
}

/// Returns true for a name of the address of a service or of its model.
fn names_a_service(key: &str) -> bool {
    let name = skill_model::slug(key).map(String::from).unwrap_or_default();
    let last = name.rsplit('-').next().unwrap_or_default();
    let is_proxy = name.split('-').any(|word| word == "proxy");
    matches!(last, "url" | "addr" | "address" | "endpoint" | "model")
        && !is_proxy
        && !is_of_host(key)
}
