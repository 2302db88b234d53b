//! The section "Configuration": the settings that a skill may have.

use serde_json::{Value, json};
use skill_model::Metadata;

use super::around::Around;
use super::{Language, around, parts, prepare, schema_table};
use crate::markdown::{code, codes};

/// Maximum number of settings in a table, and of names; `METADATA.yml` and the template of the settings
/// have them all.
const MAX_ROWS: usize = 4;
const MAX_NAMES: usize = 4;

/// The values of the section for the template.
pub(super) struct Section {
    /// The rows of the table.
    pub(super) rows: Vec<Value>,
    /// The command that gives a setting, unless it is shown elsewhere.
    pub(super) way: String,
    /// The declared settings without a table.
    pub(super) optional: String,
    /// The other settings that the program reads.
    pub(super) others: String,
    /// True if the names are not all.
    pub(super) is_cut: bool,
}

impl Section {
    pub(super) fn new(metadata: &Metadata, around: &Around, language: Language) -> Self {
        let first = prepare::first_settings(metadata, around);
        let is_other = |name: &String| !first.contains(name);
        let (bare, rows) = parts::bare_settings(parts::config_rows(metadata, language));
        let mut others = [&bare[..], &metadata.config.undeclared].concat();
        if !around::needs_tool(metadata, around) {
            others.extend(around.host_read.iter().cloned());
        }
        others.retain(is_other);
        let is_table = rows.len() <= MAX_ROWS;
        let names = rows.iter().filter_map(|row| row["name"].as_str());
        let optional: Vec<String> = names.map(str::to_owned).filter(is_other).collect();
        let optional = if is_table { Vec::new() } else { optional };
        Self {
            rows: if is_table { rows } else { Vec::new() },
            way: prepare::way(metadata, around),
            is_cut: optional.len().max(others.len()) > MAX_NAMES || !optional.is_empty(),
            optional: names_of(&optional),
            others: names_of(&others),
        }
    }

    /// Returns the values for the template, with the place of all settings in `more`.
    pub(super) fn into_data(self, more: &str) -> Value {
        json!({
            "config_columns": schema_table::columns(&self.rows),
            "config": self.rows,
            "config_way": self.way,
            "config_optional": self.optional,
            "config_names": self.others,
            "config_more": more,
        })
    }
}

/// Returns names as code, the first of them and their number if they are many.
pub(super) fn names_of(names: &[String]) -> String {
    let shown = codes(&names[..names.len().min(MAX_NAMES)]);
    if names.len() > MAX_NAMES {
        format!("{shown} … ({})", names.len())
    } else {
        shown
    }
}

/// Returns the name of the file that has all settings.
pub(super) fn file(language: Language) -> String {
    let text = language.pick("all settings:", "全部配置项：");
    format!("{text} {}", code("METADATA.yml"))
}
