//! Differences between the runs of a plugin and of its skill.
//!
//! Values that differ between the plugin's own runs are unstable: times, random numbers, names of
//! temporary files. The skill runs between two runs of the plugin. A value that depends on the time is
//! therefore the same in all three runs, or differs between the two of the plugin.

use std::collections::BTreeSet;

use plugin_model::escape_pointer;
use serde_json::Value;

use crate::lines::has_same_lines;
use crate::words::{shape, words};

/// One value that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// JSON Pointer into `answer` and `files`.
    pub at: String,
    /// The value of the plugin, if it has one there.
    pub plugin: Option<Value>,
    /// The value of the skill, if it has one there.
    pub skill: Option<Value>,
}

/// The outcome of a comparison.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Compared {
    /// The values that should be equal and are not.
    pub(crate) differences: Vec<Difference>,
    /// JSON Pointers to values that were not compared, or not in every word, because they are unstable.
    pub(crate) masked: BTreeSet<String>,
}

/// Compares the result of the skill with all results of the plugin.
pub(crate) fn compare(plugin: &[&Value], skill: &Value) -> Compared {
    let mut res = Compared::default();
    res.values("", plugin, skill);
    res
}

impl Compared {
    fn differ(&mut self, at: &str, plugin: Option<&Value>, skill: Option<&Value>) {
        self.differences.push(Difference {
            at: at.to_owned(),
            plugin: plugin.cloned(),
            skill: skill.cloned(),
        });
    }

    fn values(&mut self, at: &str, plugin: &[&Value], skill: &Value) {
        let first = plugin[0];
        let is_stable = plugin.iter().all(|other| *other == first);
        if is_stable && first == skill {
            return;
        }
        match (kinds(plugin), skill) {
            (Some(Kinds::Objects), Value::Object(_)) => self.objects(at, plugin, skill),
            (Some(Kinds::Arrays), Value::Array(items))
                if plugin
                    .iter()
                    .all(|it| it.as_array().map(Vec::len) == Some(items.len())) =>
            {
                for (n, item) in items.iter().enumerate() {
                    let items: Vec<_> = plugin.iter().map(|it| &it[n]).collect();
                    self.values(&format!("{at}/{n}"), &items, item);
                }
            }
            (Some(Kinds::Texts), Value::String(text)) if !is_stable => {
                let texts: Vec<_> = plugin.iter().filter_map(|it| it.as_str()).collect();
                if is_same_text(&texts, text) || has_same_lines(&texts, text) {
                    self.masked.insert(at.to_owned());
                } else {
                    self.differ(at, Some(first), Some(skill));
                }
            }
            _ if is_stable || !plugin.iter().any(|it| is_same_kind(it, skill)) => {
                self.differ(at, Some(first), Some(skill));
            }
            _ => {
                self.masked.insert(at.to_owned());
            }
        }
    }

    fn objects(&mut self, at: &str, plugin: &[&Value], skill: &Value) {
        let keys = |value: &Value| -> BTreeSet<String> {
            value
                .as_object()
                .into_iter()
                .flat_map(|map| map.keys().cloned())
                .collect()
        };
        let all: BTreeSet<_> = plugin.iter().flat_map(|it| keys(it)).collect();
        let (stable, unstable): (Vec<_>, Vec<_>) = all
            .iter()
            .partition(|key| plugin.iter().all(|it| it.get(key.as_str()).is_some()));
        for key in stable {
            let inside = format!("{at}/{}", escape_pointer(key));
            let values: Vec<_> = plugin.iter().map(|it| &it[key.as_str()]).collect();
            match skill.get(key.as_str()) {
                Some(value) => self.values(&inside, &values, value),
                None => self.differ(&inside, Some(values[0]), None),
            }
        }
        let shapes: BTreeSet<_> = unstable.iter().map(|key| shape(key)).collect();
        for key in &unstable {
            self.masked.insert(format!("{at}/{}", escape_pointer(key)));
        }
        let mut seen = BTreeSet::new();
        for key in keys(skill).difference(&all) {
            let shape = shape(key);
            if !shapes.contains(&shape) {
                let inside = format!("{at}/{}", escape_pointer(key));
                self.differ(&inside, None, skill.get(key));
            }
            seen.insert(shape);
        }
        self.missing(at, plugin, skill, &unstable, &seen);
    }

    /// Reports names that change from run to run if every run of the plugin has one of the same shape
    /// and the skill has none.
    fn missing(
        &mut self,
        at: &str,
        plugin: &[&Value],
        skill: &Value,
        unstable: &[&String],
        seen: &BTreeSet<String>,
    ) {
        let mut reported = BTreeSet::new();
        for key in unstable {
            let shape = shape(key);
            let has = |value: &Value| {
                let mut keys = value.as_object().into_iter().flat_map(|map| map.keys());
                keys.any(|key| self::shape(key) == shape)
            };
            let is_lost = !seen.contains(&shape) && !has(skill);
            if is_lost && plugin.iter().all(|it| has(it)) && reported.insert(shape.clone()) {
                let value = plugin.iter().find_map(|it| it.get(key.as_str()));
                let inside = format!("{at}/{}", escape_pointer(key));
                self.differ(&inside, value, None);
            }
        }
    }
}

enum Kinds {
    Objects,
    Arrays,
    Texts,
}

fn kinds(values: &[&Value]) -> Option<Kinds> {
    if values.iter().all(|it| it.is_object()) {
        Some(Kinds::Objects)
    } else if values.iter().all(|it| it.is_array()) {
        Some(Kinds::Arrays)
    } else if values.iter().all(|it| it.is_string()) {
        Some(Kinds::Texts)
    } else {
        None
    }
}

fn is_same_kind(one: &Value, other: &Value) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Returns true if `text` equals `texts` except for the words in which these differ among themselves.
/// If `texts` do not even have the same number of words, they are not compared further.
fn is_same_text(texts: &[&str], text: &str) -> bool {
    let texts: Vec<_> = texts.iter().map(|text| words(text)).collect();
    let first = &texts[0];
    if texts.iter().any(|words| words.len() != first.len()) {
        return true;
    }
    let text = words(text);
    let is_stable = |n: usize| texts.iter().all(|words| words[n] == first[n]);
    text.len() == first.len() && (0..text.len()).all(|n| text[n] == first[n] || !is_stable(n))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::compare;

    /// Checks the places that differ and those that are masked.
    #[track_caller]
    fn check(plugin: &[Value], skill: &Value, differ: &[&str], masked: &[&str]) {
        let plugin: Vec<_> = plugin.iter().collect();
        let res = compare(&plugin, skill);
        let places: Vec<_> = res.differences.iter().map(|it| it.at.as_str()).collect();
        assert_eq!(places, differ);
        assert_eq!(res.masked.iter().collect::<Vec<_>>(), masked);
    }

    #[test]
    fn stable_values_must_be_equal() {
        let plugin = [
            json!({"a": [1, "x"], "b/": null}),
            json!({"a": [1, "x"], "b/": null}),
        ];
        check(&plugin, &plugin[0], &[], &[]);
        check(&plugin, &json!({"a": [1, "y"], "b/": null}), &["/a/1"], &[]);
        check(
            &plugin,
            &json!({"a": [1], "c": 0}),
            &["/a", "/b~1", "/c"],
            &[],
        );
        check(&plugin, &json!([]), &[""], &[]);
    }

    #[test]
    fn unstable_values_are_masked_word_by_word() {
        let plugin = [
            json!({"at": "done at 10:00:01 by cook", "n": 4}),
            json!({"at": "done at 10:00:02 by cook", "n": 5}),
        ];
        check(
            &plugin,
            &json!({"at": "done at 10:00:01 by cook", "n": 9}),
            &[],
            &["/at", "/n"],
        );
        check(
            &plugin,
            &json!({"at": "done at 11:11:11 by chef", "n": 9}),
            &["/at"],
            &["/n"],
        );
        check(
            &plugin,
            &json!({"at": "done at 10:00:01 by cook", "n": "4"}),
            &["/n"],
            &["/at"],
        );
        check(&plugin, &json!({"at": "done", "n": 1}), &["/at"], &["/n"]);
    }

    #[test]
    fn names_that_change_have_a_shape() {
        let plugin = [
            json!({"log-17.txt": 1, "a": 1}),
            json!({"log-18.txt": 1, "a": 1}),
        ];
        let masked = ["/log-17.txt", "/log-18.txt"];
        check(&plugin, &json!({"log-99.txt": 1, "a": 1}), &[], &masked);
        check(
            &plugin,
            &json!({"lag-99.txt": 1, "a": 1}),
            &["/lag-99.txt", "/log-17.txt"],
            &masked,
        );
        check(&plugin, &json!({"a": 1}), &["/log-17.txt"], &masked);
    }
}
