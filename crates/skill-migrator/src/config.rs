//! `configSchema` as JSON Schema, and the undeclared settings.
//!
//! Source: `docs/design/legacy-host.md` §1.2: a default is never applied, and an undeclared key never reaches the
//! process. Defaults are therefore written as `x-legacy-default`, and undeclared keys are listed.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{ConfigKey, Field};
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;
use skill_model::{Command, Config, env_keys};

use crate::{
    carry,
    code::{self, Analysis, CodeFacts, Fallback},
    codes::{CONFIG_DEFAULT, CONFIG_UNDECLARED},
    fate::{Ledger, METADATA},
    guards,
    plugin::Plugin,
};

/// Reads the configuration and records the fates of the leaves of `configSchema`.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    code: &CodeFacts,
    ledger: &mut Ledger<'_>,
) -> (Config, Vec<Diagnostic>) {
    let keys = &plugin.package.config.keys;
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in keys {
        properties.insert(key.key.clone(), property(key, ledger));
        if key.required.as_ref().is_some_and(|field| field.value) {
            required.push(key.key.clone());
        }
    }
    if plugin
        .package
        .config
        .keys
        .iter()
        .any(|key| key.place.pointer.starts_with("/configSchema/properties/"))
    {
        ledger.transformed(
            &plugin.place("/configSchema/type"),
            &format!("{METADATA}/config/schema/type"),
            "as the type of the schema",
        );
    }
    let undeclared = undeclared(plugin, code);
    let all = keys
        .iter()
        .filter(|key| holds_text(key))
        .map(|key| key.key.as_str())
        .chain(undeclared.iter().map(String::as_str));
    let secret: BTreeSet<String> = all
        .filter(|key| is_secret_key(key))
        .map(str::to_owned)
        .collect();
    let mut findings = findings(plugin, &undeclared);
    let (guards, open) = guards::read(plugin, code, &undeclared);
    findings.extend(open);
    let config = Config {
        schema: (!keys.is_empty()).then(|| schema(&properties, &required)),
        secret: secret.into_iter().collect(),
        undeclared,
        guards,
    };
    (config, findings)
}

/// The settings without which a program does not run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Needed {
    /// Those of every call, and of one that names no mode.
    pub(crate) always: Vec<String>,
    /// Those of calls with certain values of an argument.
    pub(crate) modes: BTreeMap<String, code::Mode>,
}

/// Returns the settings without which the program does not run: those that the plugin requires and the
/// program does not replace, those without which its code ends, and those that an error names as missing.
pub(crate) fn needed(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    config: &Config,
    commands: &[Command],
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
    let lacks = code::lacking(analysis, &keys, is_of_host);
    let (missing, mut modes) = by_mode(analysis, lacks, commands);
    let is_declared = |key: &String| !config.undeclared.contains(key);
    let mut uses = code::setting_uses(&code.files, plugin.texts, &keys);
    let replaced = uses
        .iter()
        .filter(|(_, used)| used.fallback == Some(Fallback::Value));
    let replaced: BTreeSet<String> = replaced.map(|(key, _)| key.clone()).collect();
    uses.retain(|key, used| match used.fallback {
        Some(Fallback::Ends) => true,
        Some(Fallback::Value | Fallback::On) => false,
        Some(Fallback::Nothing) => missing.contains(key),
        None if missing.contains(key) => true,
        None => is_declared(key) && names_a_service(key) && !used.is_switch && !used.is_split,
    });
    let is_needed = |key: &&str| {
        !modes.contains_key(*key)
            && (required.contains(key) && !replaced.contains(*key)
                || uses.contains_key(*key) && (missing.contains(*key) || !is_optional(config, key)))
    };
    let always = keys.iter().copied().filter(is_needed);
    let always = always.filter(|key| !HOST_VARIABLES.contains(key));
    let always: Vec<String> = always.map(str::to_owned).collect();
    modes.retain(|key, _| !HOST_VARIABLES.contains(&key.as_str()) && !replaced.contains(key));
    Needed { always, modes }
}

/// Returns the missing settings of every call, or of the value that the program takes for a missing
/// argument, and those of other modes.
fn by_mode(
    code: &Analysis<'_, '_>,
    lacks: BTreeSet<code::Lack>,
    commands: &[Command],
) -> (BTreeSet<String>, BTreeMap<String, code::Mode>) {
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
    let always: BTreeSet<String> = always.into_iter().map(|lack| lack.key).collect();
    let mut modes: BTreeMap<String, code::Mode> = BTreeMap::new();
    for lack in others {
        let Some((argument, values)) = lack.mode.filter(|_| !always.contains(&lack.key)) else {
            continue;
        };
        let known = modes.entry(lack.key).or_insert((argument, Vec::new()));
        known.1.extend(values);
    }
    (always, modes)
}

/// Returns the other secrets that the program uses and does not replace if they are missing: the keys of
/// services, without those that the manifest calls optional.
pub(crate) fn keys(
    plugin: &Plugin<'_>,
    code: &CodeFacts,
    config: &Config,
    needed: &Needed,
) -> Vec<String> {
    let secrets: BTreeSet<&str> = config.secret.iter().map(String::as_str).collect();
    let uses = code::setting_uses(&code.files, plugin.texts, &secrets);
    // A declared one may be read from an object with settings; another expression does not give its value.
    let is_used = |key: &str| match uses.get(key).map(|used| used.fallback) {
        Some(None | Some(Fallback::Nothing | Fallback::Ends)) => true,
        Some(Some(Fallback::Value | Fallback::On)) | None => {
            !config.undeclared.iter().any(|it| it == key)
        }
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
            && !is_optional(config, key)
            && is_used(key)
    };
    let res = secrets.into_iter().filter(is_first);
    res.map(str::to_owned).collect()
}

/// Returns true for an address of the old host, and for its own keys, which it gave to its file servers.
fn is_of_host(key: &str) -> bool {
    const KEYS: [&str; 7] = [
        "FILE_KEY",
        "File_Key",
        "IMAGE_KEY",
        "ImageServerKey",
        "Image_Key",
        "VCP_KEY",
        "VCP_Key",
    ];
    KEYS.contains(&key) || matches!(key, "VarHttpUrl" | "VarHttpsUrl")
}

/// Returns true for a setting that its description calls optional.
fn is_optional(config: &Config, key: &str) -> bool {
    const OPTIONAL: [&str; 12] = [
        "预留", "可选", "选填", "留空", "不填", "optional", "reserved", "if empty",
        // Needed in one mode, or in place of another one.
        "仅", "覆盖", "only", "override",
    ];
    let schema = config.schema.as_ref();
    let text = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
    let text = text.unwrap_or_default().to_lowercase();
    OPTIONAL.iter().any(|word| text.contains(word))
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

/// Excludes switches and amounts, which are not secrets whatever their names.
fn holds_text(key: &ConfigKey) -> bool {
    let word = key
        .type_word
        .as_ref()
        .and_then(|field| type_of(&field.value).name);
    !matches!(word, Some("boolean" | "integer" | "number"))
}

fn schema(properties: &Map<String, Value>, required: &[String]) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn findings(plugin: &Plugin<'_>, undeclared: &[String]) -> Vec<Diagnostic> {
    let mut acc = Vec::new();
    let defaults: Vec<_> = plugin
        .package
        .config
        .keys
        .iter()
        .filter(|key| key.default.is_some())
        .collect();
    if let [first, ..] = &defaults[..] {
        let n_keys = defaults.len();
        let message = format!(
            "{n_keys} of the configuration keys have a default that the old host never applied"
        );
        let default = first.default.as_ref();
        let pointer = default.map_or("", |default| &default.place.pointer);
        let finding = Diagnostic::note(CONFIG_DEFAULT, message).at_pointer(pointer);
        acc.push(
            finding.with_help("they are kept as `x-legacy-default`; set the keys to use them"),
        );
    }
    if !undeclared.is_empty() {
        let message = format!(
            "{} configuration keys are used and not declared",
            undeclared.len()
        );
        let help =
            "the old host passed none of them; the program reads them from `config.env` itself";
        acc.push(
            Diagnostic::note(CONFIG_UNDECLARED, message)
                .at_pointer("/configSchema")
                .with_help(help),
        );
    }
    acc
}

/// Converts one key to a property, in the key order type, description, enum, bounds, legacy.
fn property(key: &ConfigKey, ledger: &mut Ledger<'_>) -> Value {
    let to = format!(
        "{METADATA}/config/schema/properties/{}",
        plugin_model::escape_pointer(&key.key)
    );
    let mut res = Map::new();
    let word = key.type_word.as_ref().map(|field| type_of(&field.value));
    if let (Some(field), Some(word)) = (&key.type_word, &word) {
        type_fate(field, word, &to, ledger);
        if let Some(name) = word.name {
            res.insert("type".to_owned(), json!(name));
        }
    }
    if let Some(field) = &key.description {
        res.insert("description".to_owned(), json!(field.value));
        ledger.moved(
            &field.place,
            &format!("{to}/description"),
            field.exact,
            "as text",
        );
    }
    if let Some(choices) = &key.choices {
        res.insert("enum".to_owned(), choices.node.to_value());
        ledger.carried(&choices.place, &format!("{to}/enum"));
    }
    for (keyword, bound) in &key.bounds {
        res.insert((*keyword).to_owned(), bound.node.to_value());
        ledger.carried(&bound.place, &format!("{to}/{keyword}"));
    }
    if let (Some(field), Some(TypeWord { is_prose: true, .. })) = (&key.type_word, &word) {
        res.insert("x-legacy-type".to_owned(), json!(field.value));
    }
    if let Some(default) = &key.default {
        res.insert("x-legacy-default".to_owned(), default.node.to_value());
        ledger.carried(&default.place, &format!("{to}/x-legacy-default"));
    }
    if let Some(field) = &key.required {
        ledger.transformed(
            &field.place,
            &format!("{METADATA}/config/schema/required"),
            "as a list",
        );
    }
    Value::Object(res)
}

fn type_fate(field: &Field<String>, word: &TypeWord, to: &str, ledger: &mut Ledger<'_>) {
    if word.is_prose {
        ledger.moved(
            &field.place,
            &format!("{to}/x-legacy-type"),
            field.exact,
            "as text",
        );
    } else {
        let exact = field.exact && word.name == Some(field.value.as_str());
        ledger.moved(
            &field.place,
            &format!("{to}/type"),
            exact,
            "as a type of JSON Schema",
        );
    }
}

/// The type word of a configuration key.
#[derive(Clone, PartialEq, Eq, Debug)]
struct TypeWord {
    /// The type of JSON Schema.
    name: Option<&'static str>,
    /// True if the text says more than the type.
    is_prose: bool,
}

/// Returns the first type that a word or a sentence names.
fn type_of(text: &str) -> TypeWord {
    let lower = text.trim().to_lowercase();
    let end = lower
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(lower.len());
    let name = match &lower[..end] {
        "string" | "str" | "text" | "url" | "password" | "path" | "secret" | "字符串" | "文本" => {
            Some("string")
        }
        "integer" | "int" | "整数" => Some("integer"),
        "number" | "float" | "double" | "数字" | "浮点数" => Some("number"),
        "boolean" | "bool" | "布尔" | "布尔值" => Some("boolean"),
        "array" | "list" | "数组" | "列表" => Some("array"),
        "object" | "json" | "map" | "对象" => Some("object"),
        _ => None,
    };
    TypeWord {
        name,
        is_prose: name.is_none() || end < lower.len(),
    }
}

/// Variables that hosts and systems set, not users of a plugin.
const HOST_VARIABLES: [&str; 28] = [
    "CALLBACK_BASE_URL",
    "DECRYPTED_AUTH_CODE",
    "DebugMode",
    "HOME",
    "HOSTNAME",
    "IMAGESERVER_FILE_KEY",
    "IMAGESERVER_IMAGE_KEY",
    "Key",
    "LANG",
    "NODE_ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PATH",
    "PLUGIN_NAME_FOR_CALLBACK",
    "PORT",
    "PROJECT_BASE_PATH",
    "PWD",
    "PYTHONIOENCODING",
    "PYTHONPATH",
    "SERVER_PORT",
    "SHELL",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERPROFILE",
    "VCP_REQUEST_IP",
];

fn undeclared(plugin: &Plugin<'_>, code: &CodeFacts) -> Vec<String> {
    let env_files = plugin.texts.iter().filter(|(path, _)| {
        let name = path.to_ascii_lowercase();
        !name.contains('/') && carry::is_env_file(&name)
    });
    let mut keys: BTreeSet<String> = env_files.flat_map(|(_, text)| env_keys(text)).collect();
    keys.extend(code.variables.iter().cloned());
    let read = code
        .settings
        .iter()
        .filter(|key| guards::is_guard_name(key));
    keys.extend(read.cloned());
    keys.retain(|key| !HOST_VARIABLES.contains(&key.as_str()));
    let declared = plugin.package.config.keys.iter();
    let declared: BTreeSet<&str> = declared.map(|declared| &*declared.key).collect();
    keys.retain(|key| !declared.contains(&**key));
    keys.into_iter().collect()
}

/// Returns whether the values of a key are secrets, judged by its words: `WeatherKey`, `API_TOKEN`,
/// but not `KEYWORD`, `max_tokens` or `KEY_FILE_NAME`.
pub(crate) fn is_secret_key(key: &str) -> bool {
    let name = skill_model::slug(key).map(String::from).unwrap_or_default();
    let words: Vec<&str> = name.split('-').collect();
    let last = words.last().copied().unwrap_or_default();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let names_a_place = matches!(
        last,
        "path" | "file" | "dir" | "name" | "url" | "header" | "limit" | "count" | "id" | "prefix"
    );
    let is_amount = has(&["max", "min", "limit", "count", "num", "per"]);
    let strong = has(&[
        "secret",
        "secrets",
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "cookie",
        "cookies",
        "credential",
        "credentials",
        "apikey",
        "apikeys",
        "authorization",
    ]);
    let weak = matches!(
        last,
        "key"
            | "keys"
            | "token"
            | "auth"
            | "authcode"
            | "sessdata"
            | "jwt"
            | "bearer"
            | "pass"
            | "pin"
            | "otp"
    ) || last == "tokens" && !is_amount
        || last == "code" && has(&["auth"])
        // `TeaKeyImage`: the key of a service for images.
        || matches!(words[..], [.., "key", "image" | "video"])
        || name.ends_with("apikey")
        || name.ends_with("secretkey")
        || name.ends_with("accesskey");
    !names_a_place && (strong || weak && !is_amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_secrets_by_their_words() {
        for key in [
            "WeatherKey",
            "IMAP_PASS",
            "API_KEY",
            "apikey",
            "OPENAI_API_KEYS",
            "bilibili_cookie",
            "DB_PASSWORD",
            "GithubToken",
            "ClientSecret",
            "Image_Key",
        ] {
            assert!(is_secret_key(key), "{key}");
        }
        for key in [
            "KEYWORD",
            "max_tokens",
            "KEY_FILE_PATH",
            "Monkey",
            "VarCity",
            "TOKEN_LIMIT",
            "KeyName",
            "AuthorName",
            "MaxTokens",
        ] {
            assert!(!is_secret_key(key), "{key}");
        }
    }

    #[test]
    fn reads_type_words_and_prose() {
        let check = |text: &str, name, is_prose| {
            assert_eq!(type_of(text), TypeWord { name, is_prose }, "{text}");
        };
        check("string", Some("string"), false);
        check("Boolean", Some("boolean"), false);
        check("float", Some("number"), false);
        check("string(可选)，默认 1024x1024", Some("string"), true);
        check("整数，可选", Some("integer"), true);
        check("whatever", None, true);
        check("", None, true);
    }
}
