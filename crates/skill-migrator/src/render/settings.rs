//! The section "Configuration": the settings that a skill may have.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skill_model::Metadata;

use super::around::Around;
use super::{Language, parts, prepare, schema_table};
use crate::markdown::code;

/// Maximum number of settings in a table; `METADATA.yml` and the template of the settings have them all.
const MAX_ROWS: usize = 4;

/// The values of the section for the template.
pub(super) struct Section {
    /// The rows of the table; none if they are many.
    pub(super) rows: Vec<Value>,
    /// The command that gives a setting, unless it is shown elsewhere.
    pub(super) way: String,
    /// True if there are settings without a row.
    pub(super) is_cut: bool,
}

impl Section {
    pub(super) fn new(metadata: &Metadata, around: &Around, language: Language) -> Self {
        let (bare, mut rows) = parts::bare_settings(parts::config_rows(metadata, language));
        let told = around.needed.iter().chain(&around.keys);
        let told: BTreeSet<&str> = told
            .chain(around.modes.keys())
            .map(String::as_str)
            .collect();
        let is_told = |name: &str| told.contains(name);
        // A switch for messages of the program changes nothing for an agent.
        let is_debug = |name: &str| {
            let name = name.to_lowercase();
            name.starts_with("debug") || name.split('_').any(|word| word == "debug")
        };
        let is_left_out =
            |name: &str| is_told(name) || is_debug(name) || around.unread.contains(name);
        // Where the old host took results that come later.
        let is_callback = |row: &Value| {
            ["default", "description"].iter().any(|key| {
                row[key]
                    .as_str()
                    .is_some_and(|it| it.contains("plugin-callback"))
            })
        };
        // Nothing reads a setting for later yet.
        let is_reserved = |text: &str| text.contains("预留") || text.contains("reserved for");
        rows.retain(|row| {
            !row["name"].as_str().is_some_and(is_left_out)
                && !row["description"].as_str().is_some_and(is_reserved)
                && !is_callback(row)
        });
        let mut others = bare.iter().chain(&metadata.config.undeclared);
        let is_table = rows.len() <= MAX_ROWS;
        Self {
            is_cut: !is_table || others.any(|name| !is_told(name)),
            rows: if is_table { rows } else { Vec::new() },
            way: prepare::way(metadata, around),
        }
    }

    /// Returns the values for the template, with the place of all settings in `more`.
    pub(super) fn into_data(self, more: &str) -> Value {
        json!({
            "config_columns": schema_table::columns(&self.rows),
            "config": self.rows,
            "config_way": self.way,
            "config_more": more,
        })
    }
}

/// Returns the name of the file that has all settings.
pub(super) fn file(language: Language) -> String {
    let text = language.pick("all settings:", "全部配置项：");
    format!("{text} {}", code("METADATA.yml"))
}
