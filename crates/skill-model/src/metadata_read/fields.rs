//! A map whose keys are taken one by one, so that unknown keys remain.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use skill_diagnostics::{Diagnostic, nearest};

use super::metadata_codes as codes;

/// The findings and unknown values of the whole file.
#[derive(Default)]
pub(super) struct Log {
    findings: RefCell<Vec<Diagnostic>>,
    unknown: RefCell<BTreeMap<String, Value>>,
}

impl Log {
    pub(super) fn into_parts(self) -> (Vec<Diagnostic>, BTreeMap<String, Value>) {
        (self.findings.into_inner(), self.unknown.into_inner())
    }
}

/// The keys of one map.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    pointer: String,
    known: BTreeSet<&'static str>,
    used: BTreeSet<&'a str>,
    log: &'a Log,
}

/// A value of a map whose values are maps or texts.
pub(super) enum EntryValue<'t, 'a> {
    Map(Fields<'a>),
    Text(&'t str),
}

/// A value with its position.
struct ValueAt<'a> {
    value: &'a Value,
    pointer: String,
}

impl<'a> Fields<'a> {
    /// Creates the fields of the root; `None` if it is not a map.
    pub(super) fn new(value: &'a Value, log: &'a Log) -> Option<Self> {
        Self::at(value, String::new(), log)
    }

    fn at(value: &'a Value, pointer: String, log: &'a Log) -> Option<Self> {
        Some(Self {
            map: value.as_object()?,
            pointer,
            known: BTreeSet::new(),
            used: BTreeSet::new(),
            log,
        })
    }

    /// Takes the value of a key in `snake_case` or `camelCase`; null counts as absent.
    fn take(&mut self, key: &'static str) -> Option<ValueAt<'a>> {
        self.known.insert(key);
        let same = |(name, _): &(&'a String, &'a Value)| *name == key || snake(name) == key;
        let (name, value) = self.map.iter().find(same)?;
        self.used.insert(name);
        let pointer = self.pointer_to(name);
        (!value.is_null()).then_some(ValueAt { value, pointer })
    }

    fn pointer_to(&self, name: &str) -> String {
        let name = name.replace('~', "~0").replace('/', "~1");
        format!("{}/{name}", self.pointer)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// Takes a string; numbers and booleans count as their JSON text.
    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
        let found = self.take(key)?;
        let text = as_text(found.value);
        self.checked(text, &found, "a string")
    }

    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        let found = self.take(key)?;
        self.checked(found.value.as_bool(), &found, "true or false")
    }

    pub(super) fn whole(&mut self, key: &'static str) -> Option<u64> {
        let found = self.take(key)?;
        self.checked(found.value.as_u64(), &found, "a whole number")
    }

    pub(super) fn number(&mut self, key: &'static str) -> Option<f64> {
        let found = self.take(key)?;
        self.checked(found.value.as_f64(), &found, "a number")
    }

    /// Takes a list of strings; a single string counts as a list.
    pub(super) fn texts(&mut self, key: &'static str) -> Vec<String> {
        let texts = self.placed_texts(key).into_iter();
        texts.map(|(text, _)| text).collect()
    }

    /// Does the same; a flaw that `flaw` reports is an error, and the string is kept.
    pub(super) fn texts_but(
        &mut self,
        key: &'static str,
        flaw: impl Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        let texts = self.placed_texts(key);
        for (text, pointer) in &texts {
            if let Some(message) = flaw(text) {
                self.report(
                    Diagnostic::error(codes::METADATA_WRONG_VALUE, message)
                        .at_pointer(pointer.clone()),
                );
            }
        }
        texts.into_iter().map(|(text, _)| text).collect()
    }

    /// Takes the strings of a list with their pointers.
    fn placed_texts(&mut self, key: &'static str) -> Vec<(String, String)> {
        let Some(found) = self.take(key) else {
            return Vec::new();
        };
        let Some(items) = found.value.as_array() else {
            let text = self.checked(as_text(found.value), &found, "a list");
            return text.map(|text| (text, found.pointer)).into_iter().collect();
        };
        let items = items.iter().enumerate().filter_map(|(n, value)| {
            let item = ValueAt {
                value,
                pointer: format!("{}/{n}", found.pointer),
            };
            let text = self.checked(as_text(value), &item, "a string")?;
            Some((text, item.pointer))
        });
        items.collect()
    }

    /// Takes a word of a closed set.
    pub(super) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        set: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let found = self.take(key)?;
        let text = found.value.as_str().unwrap_or_default();
        let member = set
            .iter()
            .copied()
            .find(|t| word(*t).eq_ignore_ascii_case(text));
        let words: Vec<_> = set.iter().copied().map(word).collect();
        self.checked(member, &found, &format!("one of {}", words.join(", ")))
    }

    /// Takes a list of words of a closed set, which must be written exactly.
    pub(super) fn words(&mut self, key: &'static str, set: &[&'static str]) -> Vec<String> {
        let expected = format!("one of {}", set.join(", "));
        self.members(key, &expected, |text| set.contains(&text))
    }

    /// Takes a list of strings that `is_member` accepts; `expected` describes them.
    pub(super) fn members(
        &mut self,
        key: &'static str,
        expected: &str,
        is_member: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let Some(found) = self.take(key) else {
            return Vec::new();
        };
        let Some(items) = found.value.as_array() else {
            self.checked(None::<()>, &found, "a list");
            return Vec::new();
        };
        let items = items.iter().enumerate().filter_map(|(n, value)| {
            let pointer = format!("{}/{n}", found.pointer);
            let member = value.as_str().filter(|text| is_member(text));
            self.checked(member, &ValueAt { value, pointer }, expected)
        });
        items.map(str::to_owned).collect()
    }

    /// Takes a list of lists of strings.
    pub(super) fn lists(&mut self, key: &'static str) -> Vec<Vec<String>> {
        let Some(found) = self.take(key) else {
            return Vec::new();
        };
        let list = self.checked(found.value.as_array(), &found, "a list of lists");
        let items = list.into_iter().flatten().enumerate();
        let items = items.filter_map(|(n, value)| {
            let pointer = format!("{}/{n}", found.pointer);
            let item = ValueAt { value, pointer };
            let texts = value.as_array().and_then(|texts| {
                let texts = texts.iter().map(|text| text.as_str().map(str::to_owned));
                texts.collect::<Option<Vec<String>>>()
            });
            self.checked(texts, &item, "a list of strings")
        });
        items.collect()
    }

    /// Takes any value.
    pub(super) fn value(&mut self, key: &'static str) -> Option<Value> {
        self.take(key).map(|found| found.value.clone())
    }

    pub(super) fn map(&mut self, key: &'static str) -> Option<Map<String, Value>> {
        let found = self.take(key)?;
        self.checked(found.value.as_object().cloned(), &found, "a map")
    }

    /// Takes a map as fields.
    pub(super) fn inner(&mut self, key: &'static str) -> Option<Fields<'a>> {
        let found = self.take(key)?;
        let inner = Fields::at(found.value, found.pointer.clone(), self.log);
        self.checked(inner, &found, "a map")
    }

    /// Takes a list of maps as fields.
    pub(super) fn inners(&mut self, key: &'static str) -> Vec<Fields<'a>> {
        let Some(found) = self.take(key) else {
            return Vec::new();
        };
        let list = self.checked(found.value.as_array(), &found, "a list");
        let items = list.into_iter().flatten().enumerate();
        items
            .filter_map(|(n, value)| {
                let pointer = format!("{}/{n}", found.pointer);
                let inner = Fields::at(value, pointer.clone(), self.log);
                self.checked(inner, &ValueAt { value, pointer }, "a map")
            })
            .collect()
    }

    /// Takes a map whose values are maps or texts, one by one.
    pub(super) fn entries(
        &mut self,
        key: &'static str,
        mut each: impl FnMut(&str, EntryValue<'_, 'a>),
    ) {
        let Some(found) = self.take(key) else { return };
        let Some(map) = self.checked(found.value.as_object(), &found, "a map") else {
            return;
        };
        for (name, value) in map {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            let pointer = format!("{}/{escaped}", found.pointer);
            if let Some(fields) = Self::at(value, pointer.clone(), self.log) {
                each(name, EntryValue::Map(fields));
            } else if let Some(text) = value.as_str() {
                each(name, EntryValue::Text(text));
            } else {
                self.checked(None::<()>, &ValueAt { value, pointer }, "a map or a text");
            }
        }
    }

    fn checked<T>(&self, value: Option<T>, found: &ValueAt<'_>, expected: &str) -> Option<T> {
        if value.is_none() {
            let message = format!("found {}, expected {expected}", shown(found.value));
            self.report(
                Diagnostic::warning(codes::METADATA_WRONG_VALUE, message)
                    .at_pointer(found.pointer.clone()),
            );
        }
        value
    }

    /// Reports an error about the value of a key.
    pub(super) fn wrong(&self, key: &str, message: String) {
        let pointer = self.pointer_to(key);
        let finding = Diagnostic::error(codes::METADATA_WRONG_VALUE, message);
        self.report(finding.at_pointer(pointer));
    }

    /// Reports that a key is missing.
    pub(super) fn missing(&self, key: &str) {
        let message = format!("the key `{key}` is missing");
        self.report(
            Diagnostic::warning(codes::METADATA_MISSING_KEY, message)
                .at_pointer(self.pointer.clone()),
        );
    }

    fn report(&self, finding: Diagnostic) {
        self.log.findings.borrow_mut().push(finding);
    }

    /// Reports and keeps every key that was not taken.
    pub(super) fn finish(self) {
        let left = self
            .map
            .iter()
            .filter(|(name, _)| !self.used.contains(name.as_str()));
        for (name, value) in left {
            let pointer = self.pointer_to(name);
            let finding = Diagnostic::note(
                codes::METADATA_UNKNOWN_KEY,
                format!("the key `{name}` is unknown here"),
            )
            .at_pointer(pointer.clone());
            let near = nearest(&snake(name), self.known.iter().copied());
            self.report(match near {
                Some(near) => finding.with_help(format!("did you mean `{near}`?")),
                None => finding,
            });
            self.log.unknown.borrow_mut().insert(pointer, value.clone());
        }
    }
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Converts `displayName` to `display_name`.
fn snake(name: &str) -> String {
    let mut res = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            res.push('_');
        }
        res.push(if c == '-' {
            '_'
        } else {
            c.to_ascii_lowercase()
        });
    }
    res
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a map".to_owned(),
        Value::String(text) => {
            let start: String = text.chars().take(40).collect();
            format!("`{}`", start.escape_debug())
        }
        other => format!("`{other}`"),
    }
}
