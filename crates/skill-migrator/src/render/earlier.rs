//! The sentences of the commands before one, so that the next does not repeat them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Language;
use super::known::Known;
use crate::markdown::code;

/// The texts of the commands before.
#[derive(Default)]
pub(super) struct Earlier {
    /// Their summaries, and the introduction.
    pub(super) known: Known,
    /// The values in their calls.
    pub(super) shown: Known,
    /// The sentences below their tables.
    pub(super) told: Known,
    /// Their parameters with the first command of each.
    rows: BTreeMap<String, String>,
}

impl Earlier {
    /// Returns the state before the first command, with what the introduction says.
    pub(super) fn new(known: Known) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// Returns rows that refer to the command whose table has the same row with a long text.
    pub(super) fn unrepeated(
        &mut self,
        id: &str,
        mut rows: Vec<Value>,
        language: Language,
    ) -> Vec<Value> {
        const MIN: usize = 30;
        for row in &mut rows {
            let is_long = row["description"]
                .as_str()
                .is_some_and(|text| text.chars().count() >= MIN);
            let key = format!("{} {} {}", row["label"], row["value"], row["description"]);
            match self.rows.get(&key) {
                Some(first) if is_long => {
                    let same = language.pick("as for", "同");
                    row["description"] = json!(format!("{same} {}", code(first)));
                }
                _ => {
                    self.rows.entry(key).or_insert_with(|| id.to_owned());
                }
            }
        }
        rows
    }
}
