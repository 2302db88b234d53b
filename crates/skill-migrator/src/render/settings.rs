//! The section "Configuration": the settings that a skill may have and does without.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skill_model::Metadata;

use super::around::Around;
use super::parameter::{plain, unrepeated};
use super::{Language, parts, prepare, schema_table, setting_words};
use crate::env_example;
use crate::markdown::{code, codes};
use crate::needed;
use crate::setting_rows::{Effect, SettingRow};

/// Maximum number of settings in a table; `METADATA.yml` and the template of the settings have them all.
const MAX_ROWS: usize = 8;
/// Number of settings up to which amounts are shown too.
const FEW: usize = 4;
/// Maximum length of a suggested value, in characters.
const MAX_VALUE: usize = 100;

/// The values of the section for the template.
pub(super) struct Section {
    /// The rows of the table.
    pub(super) rows: Vec<Value>,
    /// The command that gives a setting, unless it is shown elsewhere.
    pub(super) way: String,
    /// True if there are settings without a row.
    pub(super) is_cut: bool,
    /// The sentence on settings of a side that no call reaches.
    aside: String,
}

impl Section {
    pub(super) fn new(metadata: &Metadata, around: &Around, language: Language) -> Self {
        let secrets: BTreeSet<&str> = metadata.config.secret.iter().map(String::as_str).collect();
        let rows = around.settings.iter().filter(|row| !is_inner(row));
        let rows = rows.filter_map(|row| {
            let value = shown(row, metadata, around, &secrets, language)?;
            Some((row.effect, value))
        });
        let rows: Vec<(Effect, Value)> = rows.collect();
        let n_first = rows.iter().filter(|(it, _)| *it < Effect::Amount).count();
        // Amounts are shown where there is little else.
        let n_rows = rows.iter().filter(|(it, _)| *it <= Effect::Amount).count();
        let n_rows = if n_rows <= FEW { n_rows } else { n_first };
        let rows = rows.into_iter().map(|(_, row)| row);
        let rows: Vec<Value> = rows.take(n_rows.min(MAX_ROWS)).collect();
        let is_told =
            |name: &str| around.needed.is_told(name) || rows.iter().any(|row| row["name"] == name);
        let schema = metadata.config.schema.as_ref();
        let declared = schema.and_then(|schema| schema["properties"].as_object());
        let declared = declared.into_iter().flatten().map(|(key, _)| key);
        let mut all = declared.chain(&metadata.config.undeclared);
        Self {
            is_cut: all.any(|name| !is_told(name)),
            way: prepare::way(metadata, around),
            aside: aside(metadata, around, language),
            rows,
        }
    }

    /// Returns the values for the template, with the place of all settings in `more`.
    pub(super) fn into_data(self, more: &str) -> Value {
        let more = [self.aside.as_str(), more];
        let more: Vec<&str> = more.into_iter().filter(|it| !it.is_empty()).collect();
        let more = more.join("\n\n");
        json!({
            "config_columns": schema_table::columns(&self.rows),
            "config": self.rows,
            "config_way": self.way,
            "config_more": more,
        })
    }
}

/// Returns the sentence on the settings that only handlers of events use. Those that restrict the program have a
/// section of their own.
fn aside(metadata: &Metadata, around: &Around, language: Language) -> String {
    const MAX: usize = 3;
    let is_guard = |key: &String| metadata.config.guards.iter().any(|it| it.key == *key);
    let names = around.aside.iter().filter(|key| !is_guard(key));
    let names: Vec<String> = names.take(MAX).cloned().collect();
    let is_empty = names.is_empty();
    let names = codes(&names);
    match (language, is_empty) {
        (_, true) => String::new(),
        (Language::English, _) => format!(
            "Other settings ({names} …) are about what the program itself receives, not about these commands."
        ),
        (Language::Chinese, _) => {
            format!("其余配置项（{names} 等）只用于程序自己收到的消息，与上述命令无关。")
        }
    }
}

/// Words of a setting for later, of an old name, and of the old host.
const OLD: [&str; 9] = [
    "预留",
    "reserved for",
    "兼容别名",
    "兼容旧",
    "已失效",
    "已废弃",
    "deprecated",
    "VAR_HTTP",
    "VarHttp",
];

/// Returns the row of a setting, unless it says nothing but a name.
fn shown(
    row: &SettingRow,
    metadata: &Metadata,
    around: &Around,
    secrets: &BTreeSet<&str>,
    language: Language,
) -> Option<Value> {
    let schema = metadata.config.schema.as_ref();
    let property = schema.map(|schema| &schema["properties"][&row.key]);
    let suggested = property
        .and_then(|it| it.get("x-legacy-default"))
        .map(plain);
    let suggested = suggested
        .filter(|it| !it.is_empty())
        .or(around.samples.get(&row.key).cloned());
    // A proxy and a path on another machine are their author's.
    let is_proxy = row.key.to_lowercase().contains("proxy");
    let is_of_author = |it: &str| {
        needed::elsewhere(it).is_some()
            || env_example::is_of_host(it)
            || is_proxy && it.contains(|c: char| c.is_ascii_digit())
    };
    let suggested = suggested.filter(|it| {
        !env_example::is_placeholder(it) && !is_of_author(it) && it.chars().count() <= MAX_VALUE
    });
    let default = match suggested {
        _ if secrets.contains(row.key.as_str()) => String::new(),
        Some(value) if row.default.is_empty() => {
            format!("{}{value}", language.pick("suggested ", "建议 "))
        }
        _ => row.default.clone(),
    };
    let declared = property.map(parts::described).unwrap_or_default();
    let declared = unrepeated(&declared, &json!({ "default": row.default }));
    let short =
        setting_words::explanation(metadata, around, &row.key, language).unwrap_or_default();
    // The comment of the example says when it is needed.
    let is_more = short.contains('；') && !declared.contains('；');
    let description = if declared.is_empty() || is_more {
        short
    } else {
        declared
    };
    // Nothing reads a setting for later yet, and the old host took results that come later.
    let is_of_host = OLD.iter().any(|word| description.contains(word))
        || [&description, &default]
            .iter()
            .any(|it| it.contains("plugin-callback"));
    let is_family = row.key.contains('*');
    let says = is_family || !default.is_empty() || !description.is_empty();
    (says && !is_of_host).then(|| {
        json!({
            "name": row.shown,
            "secret": if secrets.contains(row.key.as_str()) { "yes" } else { "" },
            "default": default,
            "description": description,
        })
    })
}

/// Returns true for a setting that changes nothing for an agent: an undeclared one that only changes the
/// manner of the program, and no choice of its way to work.
fn is_inner(row: &SettingRow) -> bool {
    const CHOICES: [&str; 6] = ["可选值", "选项", "模式", "必需", "one of", "mode"];
    let comment = row.comment.to_lowercase();
    let has_choice = CHOICES.iter().any(|word| comment.contains(word));
    // How far back it looks decides the result.
    let name = row.key.to_lowercase();
    let is_span = ["days", "hours", "range"]
        .iter()
        .any(|it| name.contains(it));
    let decides = is_span && row.effect == Effect::Amount && !row.default.is_empty();
    !row.is_declared && row.effect != Effect::Place && !has_choice && !decides
}

/// Returns the name of the file that has all settings.
pub(super) fn file(language: Language) -> String {
    let text = language.pick("all settings:", "全部配置项：");
    format!("{text} {}", code("METADATA.yml"))
}
