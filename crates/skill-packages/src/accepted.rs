//! The values that an argument accepts, and their changes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::impact::Impact;

/// The types and single values that the schema of an argument names.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct AcceptedValues {
    /// The types; all if empty.
    #[serde(default, rename = "type", skip_serializing_if = "BTreeSet::is_empty")]
    pub types: BTreeSet<String>,
    /// The values of `enum` or `const`; all of the types if absent.
    #[serde(default, rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
}

impl AcceptedValues {
    /// Reads the schema of an argument.
    pub(crate) fn new(schema: &Value) -> Self {
        let types = match &schema["type"] {
            Value::String(one) => vec![one.clone()],
            Value::Array(all) => {
                let names = all.iter().filter_map(Value::as_str);
                names.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let single = schema.get("const").map(|one| vec![one.clone()]);
        Self {
            types: types.into_iter().collect(),
            values: schema["enum"].as_array().cloned().or(single),
        }
    }

    /// Returns the change to other accepted values, with a phrase for it; `None` if the same calls work.
    pub(crate) fn change(&self, new: &Self) -> Option<(Impact, &'static str)> {
        if !new.takes_types_of(self) {
            return Some((Impact::Breaking, "has another type now"));
        }
        if !new.takes_values_of(self) {
            return Some((Impact::Breaking, "accepts fewer values now"));
        }
        let is_wider = !(self.takes_types_of(new) && self.takes_values_of(new));
        is_wider.then_some((Impact::Feature, "accepts more values now"))
    }

    fn takes_types_of(&self, other: &Self) -> bool {
        let takes = |one: &String| {
            self.types.contains(one) || (one == "integer" && self.types.contains("number"))
        };
        self.types.is_empty() || (!other.types.is_empty() && other.types.iter().all(takes))
    }

    fn takes_values_of(&self, other: &Self) -> bool {
        match (&self.values, &other.values) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(others)) => others.iter().all(|one| own.contains(one)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_values_break_calls_and_more_do_not() {
        for (old, new, expected) in [
            ("{}", "{}", ""),
            (
                r#"{"type": "string"}"#,
                r#"{"type": "string", "maxLength": 3}"#,
                "",
            ),
            (
                r#"{"type": "string"}"#,
                r#"{"type": "integer"}"#,
                "breaking has another type now",
            ),
            (
                r#"{"type": "number"}"#,
                r#"{"type": "integer"}"#,
                "breaking has another type now",
            ),
            (
                r#"{"type": "integer"}"#,
                r#"{"type": "number"}"#,
                "feature accepts more values now",
            ),
            (
                "{}",
                r#"{"type": "integer"}"#,
                "breaking has another type now",
            ),
            (
                r#"{"type": "integer"}"#,
                "{}",
                "feature accepts more values now",
            ),
            (
                r#"{"type": "string"}"#,
                r#"{"type": ["string", "null"]}"#,
                "feature accepts more values now",
            ),
            (
                r#"{"enum": ["a", "b"]}"#,
                r#"{"enum": ["a"]}"#,
                "breaking accepts fewer values now",
            ),
            (
                r#"{"enum": ["a"]}"#,
                r#"{"enum": ["b", "a"]}"#,
                "feature accepts more values now",
            ),
            (r#"{"enum": ["a", "b"]}"#, r#"{"enum": ["b", "a"]}"#, ""),
            (
                "{}",
                r#"{"const": "a"}"#,
                "breaking accepts fewer values now",
            ),
            (r#"{"const": "a"}"#, "{}", "feature accepts more values now"),
        ] {
            let [from, to] = [old, new].map(|text| {
                AcceptedValues::new(&serde_json::from_str(text).expect("this is JSON"))
            });
            let found = from.change(&to);
            let found = found.map(|(impact, what)| format!("{} {what}", impact.word()));
            assert_eq!(found.unwrap_or_default(), expected, "{old} {new}");
        }
    }
}
