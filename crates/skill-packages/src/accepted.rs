//! The values that an argument accepts, and their changes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::impact::Impact;

/// The values that the schema of an argument allows.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct AcceptedValues {
    /// The types; all if empty.
    #[serde(default, rename = "type", skip_serializing_if = "BTreeSet::is_empty")]
    pub types: BTreeSet<String>,
    /// The values of `enum` or `const`; all of the types if absent.
    #[serde(default, rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The keywords that limit values of a type, such as `maximum` and `pattern`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, Value>,
    /// The elements of a list; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<AcceptedValues>>,
    /// The members of an object.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, AcceptedValues>,
    /// The members that an object must have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub required: BTreeSet<String>,
    /// True if an object must not have other members (`"additionalProperties": false`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

/// Keywords of which a smaller number accepts fewer values.
const UPPER: [&str; 5] = [
    "maximum",
    "exclusiveMaximum",
    "maxLength",
    "maxItems",
    "maxProperties",
];
/// Keywords of which a larger number accepts fewer values.
const LOWER: [&str; 5] = [
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minProperties",
];
/// Keywords of which any other value may refuse what was accepted.
const EXACT: [&str; 5] = ["pattern", "multipleOf", "format", "uniqueItems", "not"];

/// A comparison of old and new values: whether old ones are refused now, and new ones were.
#[derive(Clone, Copy, Default)]
struct Difference {
    is_narrower: bool,
    is_wider: bool,
}

impl Difference {
    fn add(&mut self, other: Self) {
        self.is_narrower |= other.is_narrower;
        self.is_wider |= other.is_wider;
    }
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
        let keywords = UPPER.iter().chain(&LOWER).chain(&EXACT);
        let limits =
            keywords.filter_map(|key| Some(((*key).to_owned(), schema.get(*key)?.clone())));
        let members = schema["properties"].as_object().into_iter().flatten();
        let required = schema["required"].as_array().into_iter().flatten();
        let items = schema.get("items").filter(|items| items.is_object());
        Self {
            types: types.into_iter().collect(),
            values: schema["enum"].as_array().cloned().or(single),
            limits: limits.collect(),
            items: items.map(|items| Box::new(Self::new(items))),
            properties: members
                .map(|(name, schema)| (name.clone(), Self::new(schema)))
                .collect(),
            required: required
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            closed: schema["additionalProperties"] == Value::Bool(false),
        }
    }

    /// Returns the change to other accepted values, with a phrase for it; `None` if the same calls work.
    pub(crate) fn change(&self, new: &Self) -> Option<(Impact, &'static str)> {
        if !new.takes_types_of(self) {
            return Some((Impact::Breaking, "has another type now"));
        }
        let difference = self.difference(new);
        if difference.is_narrower {
            return Some((Impact::Breaking, "accepts fewer values now"));
        }
        let is_wider = difference.is_wider;
        is_wider.then_some((Impact::Feature, "accepts more values now"))
    }

    fn difference(&self, new: &Self) -> Difference {
        let mut res = Difference {
            is_narrower: !new.takes_types_of(self) || !new.takes_values_of(self),
            is_wider: !self.takes_types_of(new) || !self.takes_values_of(new),
        };
        res.add(limited(&self.limits, &new.limits));
        res.add(match (&self.items, &new.items) {
            (Some(old), Some(new)) => old.difference(new),
            (None, None) => Difference::default(),
            (old, new) => Difference {
                is_narrower: new.is_some(),
                is_wider: old.is_some(),
            },
        });
        res.add(self.members(new));
        res
    }

    /// Compares the members of objects. A member that only one of two open schemas names was and is
    /// accepted with any value where it is not named.
    fn members(&self, new: &Self) -> Difference {
        let any = Self::default();
        let mut res = Difference {
            is_narrower: new.closed && !self.closed || !new.required.is_subset(&self.required),
            is_wider: self.closed && !new.closed || !self.required.is_subset(&new.required),
        };
        let names: BTreeSet<&String> = self
            .properties
            .keys()
            .chain(new.properties.keys())
            .collect();
        for name in names {
            res.add(
                match (self.properties.get(name), new.properties.get(name)) {
                    (Some(old), Some(new)) => old.difference(new),
                    (Some(_), None) if new.closed => Difference {
                        is_narrower: true,
                        is_wider: false,
                    },
                    (None, Some(_)) if self.closed => Difference {
                        is_narrower: false,
                        is_wider: true,
                    },
                    (old, new) => old.unwrap_or(&any).difference(new.unwrap_or(&any)),
                },
            );
        }
        res
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

/// Compares the keywords that limit values. A keyword whose change cannot be judged counts as one that
/// refuses what was accepted.
fn limited(old: &BTreeMap<String, Value>, new: &BTreeMap<String, Value>) -> Difference {
    let mut res = Difference::default();
    for key in UPPER.iter().chain(&LOWER).chain(&EXACT).copied() {
        let (from, to) = (old.get(key), new.get(key));
        if from == to {
            continue;
        }
        let numbers = from.and_then(Value::as_f64).zip(to.and_then(Value::as_f64));
        let is_larger = numbers.map(|(from, to)| to > from);
        let is_narrower = match (from, to, is_larger) {
            (_, None, _) => false,
            (Some(_), Some(_), Some(is_larger)) if UPPER.contains(&key) => !is_larger,
            (Some(_), Some(_), Some(is_larger)) if LOWER.contains(&key) => is_larger,
            _ => true,
        };
        res.add(Difference {
            is_narrower,
            is_wider: !is_narrower,
        });
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEWER: &str = "breaking accepts fewer values now";
    const MORE: &str = "feature accepts more values now";

    #[test]
    fn fewer_values_break_calls_and_more_do_not() {
        for (old, new, expected) in [
            ("{}", "{}", ""),
            (
                r#"{"type": "string"}"#,
                r#"{"type": "string", "maxLength": 3}"#,
                FEWER,
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
            (r#"{"maximum": 10}"#, r#"{"maximum": 5}"#, FEWER),
            (r#"{"maximum": 10}"#, r#"{"maximum": 20}"#, MORE),
            (r#"{"minimum": 1}"#, r#"{"minimum": 2}"#, FEWER),
            (r#"{"minimum": 1}"#, "{}", MORE),
            (r#"{"pattern": "^a"}"#, r#"{"pattern": "^b"}"#, FEWER),
            (
                r#"{"items": {"type": "string"}}"#,
                r#"{"items": {"type": "integer"}}"#,
                FEWER,
            ),
            (r#"{"items": {"type": "string"}}"#, r#"{"items": {}}"#, MORE),
            (
                r#"{"properties": {"x": {"type": "string"}}}"#,
                r#"{"properties": {"x": {"type": "integer"}}}"#,
                FEWER,
            ),
            (r#"{"required": []}"#, r#"{"required": ["x"]}"#, FEWER),
            (r#"{"required": ["x"]}"#, r#"{"required": []}"#, MORE),
            (
                r#"{"additionalProperties": true}"#,
                r#"{"additionalProperties": false}"#,
                FEWER,
            ),
            (
                r#"{"additionalProperties": false}"#,
                r#"{"additionalProperties": false, "properties": {"x": {"type": "string"}}}"#,
                MORE,
            ),
            ("{}", r#"{"properties": {"x": {"title": "x"}}}"#, ""),
            (
                r#"{"additionalProperties": false, "properties": {"x": {}}}"#,
                r#"{"additionalProperties": false}"#,
                FEWER,
            ),
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
