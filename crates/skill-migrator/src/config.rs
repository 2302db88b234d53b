//! `configSchema` as JSON Schema, and the undeclared settings.
//!
//! Source: `docs/design/legacy-host.md` §1.2: a default is never applied, and an undeclared key never reaches the
//! process. Defaults are therefore written as `x-legacy-default`, and undeclared keys are listed.

use std::collections::BTreeSet;

use plugin_model::{ConfigKey, Field};
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;
use skill_model::{Config, env_keys};

use crate::{
    carry,
    code::{self, CodeFacts},
    codes::{CONFIG_DEFAULT, CONFIG_UNDECLARED},
    env_comments,
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
pub(crate) const HOST_VARIABLES: [&str; 28] = [
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
    keys.extend(code.loaded.iter().chain(&code.families).cloned());
    let read = code
        .settings
        .iter()
        .filter(|key| guards::is_guard_name(key));
    keys.extend(read.cloned());
    let rust = plugin
        .texts
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"));
    keys.extend(rust.flat_map(|(_, text)| code::rust_settings(text)));
    keys.retain(|key| !HOST_VARIABLES.contains(&key.as_str()));
    // The members of a family that only the example has are its author's.
    let is_own = |key: &String| code.variables.contains(key) || code.loaded.contains(key);
    let is_member = |key: &String| {
        code.families
            .iter()
            .any(|it| env_comments::is_member(it, key))
    };
    keys.retain(|key| is_own(key) || !is_member(key));
    let declared = plugin.package.config.keys.iter();
    let declared: BTreeSet<&str> = declared.map(|declared| &*declared.key).collect();
    keys.retain(|key| !declared.contains(&**key));
    keys.into_iter().collect()
}

/// Returns whether the values of a key are secrets, judged by its words: `WeatherKey`, `API_TOKEN`,
/// but not `KEYWORD`, `max_tokens` or `KEY_FILE_NAME`. Settings have the names of other secrets, and some of
/// their own: cookies (`COOKIE_A1`), and keys of a service for images (`TeaKeyImage`).
pub(crate) fn is_secret_key(key: &str) -> bool {
    let name = skill_model::slug(key).map(String::from).unwrap_or_default();
    let words: Vec<&str> = name.split('-').collect();
    let is_cookie = words
        .iter()
        .any(|word| matches!(*word, "cookie" | "cookies"));
    let is_part = matches!(
        words.last(),
        Some(&("path" | "file" | "dir" | "name" | "url" | "domain" | "header" | "count"))
    );
    // Of a model, not of a request: that is not a setting.
    let is_signature = words.last() == Some(&"sig");
    let is_own = is_cookie && !is_part || matches!(words[..], [.., "key", "image" | "video"]);
    is_own || skill_model::is_secret_name(key) && !is_signature
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
            "XHS_COOKIE_A1",
            "COOKIES_RAW",
            "TeaKeyImage",
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
            "COOKIE_PATH",
            "EmbeddingModelSig",
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
