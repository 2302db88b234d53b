//! Where two runs differ that should not.
//!
//! What differs between the plugin's own runs is unstable: times, random numbers, names of temporary
//! files. The skill runs between two runs of the plugin, so that whatever a clock decided either is the
//! same in all three or differs between those two.

use std::collections::BTreeSet;

use plugin_model::escape_pointer;
use serde_json::Value;

/// One place that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// JSON Pointer into `answer` and `files`.
    pub at: String,
    /// What the plugin gave; none where it gave nothing.
    pub plugin: Option<Value>,
    /// What the skill gave; none where it gave nothing.
    pub skill: Option<Value>,
}

/// The outcome of a comparison.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Comparison {
    /// What should not differ and does.
    pub(crate) differences: Vec<Difference>,
    /// What was not compared, or not in every word, because it is unstable.
    pub(crate) masked: BTreeSet<String>,
}

/// Compares what the skill gave with what the plugin gave, each time that it was asked.
pub(crate) fn compare(plugin: &[&Value], skill: &Value) -> Comparison {
    let mut res = Comparison::default();
    res.values("", plugin, skill);
    res
}

impl Comparison {
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
                if is_same_text(&texts, text) {
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
        let (steady, fickle): (Vec<_>, Vec<_>) = all
            .iter()
            .partition(|key| plugin.iter().all(|it| it.get(key.as_str()).is_some()));
        for key in steady {
            let inside = format!("{at}/{}", escape_pointer(key));
            let values: Vec<_> = plugin.iter().map(|it| &it[key.as_str()]).collect();
            match skill.get(key.as_str()) {
                Some(value) => self.values(&inside, &values, value),
                None => self.differ(&inside, Some(values[0]), None),
            }
        }
        let shapes: BTreeSet<_> = fickle.iter().map(|key| shape(key)).collect();
        for key in &fickle {
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
        self.missing(at, plugin, skill, &fickle, &seen);
    }

    /// Names that change from run to run, of which the skill has none of the same shape although
    /// every run of the plugin has one.
    fn missing(
        &mut self,
        at: &str,
        plugin: &[&Value],
        skill: &Value,
        fickle: &[&String],
        seen: &BTreeSet<String>,
    ) {
        let mut told = BTreeSet::new();
        for key in fickle {
            let shape = shape(key);
            let has = |value: &Value| {
                let mut keys = value.as_object().into_iter().flat_map(|map| map.keys());
                keys.any(|key| self::shape(key) == shape)
            };
            let is_lost = !seen.contains(&shape) && !has(skill);
            if is_lost && plugin.iter().all(|it| has(it)) && told.insert(shape.clone()) {
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

/// Whether a text is the same but for the words in which the others differ among themselves. Texts
/// that do not even have the same number of words are not compared further.
fn is_same_text(texts: &[&str], text: &str) -> bool {
    let texts: Vec<_> = texts.iter().map(|text| words(text)).collect();
    let first = &texts[0];
    if texts.iter().any(|words| words.len() != first.len()) {
        return true;
    }
    let text = words(text);
    let is_steady = |n: usize| texts.iter().all(|words| words[n] == first[n]);
    text.len() == first.len() && (0..text.len()).all(|n| text[n] == first[n] || !is_steady(n))
}

/// Runs of letters, digits and what joins them in times and names; every other character alone.
fn words(text: &str) -> Vec<&str> {
    let joins = |c: char| c.is_alphanumeric() || "._-:+".contains(c);
    let mut res = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = end_of(rest, c, joins);
        let (word, tail) = rest.split_at(end);
        res.push(word);
        rest = tail;
    }
    res
}

/// Where the run of characters that `text` begins with ends; `first`, when it belongs to none.
fn end_of(text: &str, first: char, belongs: impl Fn(char) -> bool) -> usize {
    if belongs(first) {
        text.find(|c| !belongs(c)).unwrap_or(text.len())
    } else {
        first.len_utf8()
    }
}

/// A name without its numbers: each run of letters and digits with a digit among them is `#`.
fn shape(name: &str) -> String {
    let mut res = String::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric();
        let end = end_of(rest, c, is_part);
        let (part, tail) = rest.split_at(end);
        let is_fickle = part.bytes().any(|byte| byte.is_ascii_digit());
        res.push_str(if is_fickle { "#" } else { part });
        rest = tail;
    }
    res
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::compare;

    /// The places that differ and those that are masked.
    #[track_caller]
    fn check(plugin: &[Value], skill: &Value, differ: &[&str], masked: &[&str]) {
        let plugin: Vec<_> = plugin.iter().collect();
        let res = compare(&plugin, skill);
        let found: Vec<_> = res.differences.iter().map(|it| it.at.as_str()).collect();
        assert_eq!(found, differ);
        assert_eq!(res.masked.iter().collect::<Vec<_>>(), masked);
    }

    #[test]
    fn what_is_stable_must_be_the_same() {
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
    fn what_is_unstable_is_masked_word_by_word() {
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
