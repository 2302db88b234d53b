//! The notations of values: scalars, lists and objects.
//!
//! Source: OpenAPI, "Style Examples", which are expansions of RFC 6570.

use serde_json::Value;

use crate::encode::{Keep, encoded};
use crate::operation::Style;

/// The notation of one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notation {
    pub(crate) style: Style,
    pub(crate) explode: bool,
    pub(crate) keep: Keep,
}

impl Notation {
    fn encoded(self, text: &str) -> String {
        encoded(text, self.keep)
    }

    fn value(self, value: &Value) -> String {
        self.encoded(&text(value))
    }

    /// Returns a name. Nothing in it ends it, whatever its characters.
    fn name(self, text: &str) -> String {
        match self.keep {
            Keep::Reserved => self.encoded(text).replace('=', "%3D"),
            _ => self.encoded(text),
        }
    }

    /// Returns the sign between the items of a list that is not written item by item.
    fn separator(self) -> &'static str {
        let is_plain = self.keep == Keep::All;
        match self.style {
            Style::SpaceDelimited if is_plain => " ",
            Style::PipeDelimited if is_plain => "|",
            Style::SpaceDelimited => "%20",
            Style::PipeDelimited => "%7C",
            Style::DottedLabel => ".",
            Style::Label if self.explode => ".",
            _ => ",",
        }
    }

    /// Writes a value without its name: `simple` and `label`.
    pub(crate) fn plain(self, value: &Value) -> String {
        let text = match value {
            Value::Array(items) => {
                let items = items.iter().map(|item| self.value(item));
                items.collect::<Vec<_>>().join(self.separator())
            }
            Value::Object(members) => {
                let sign = if self.explode { "=" } else { self.separator() };
                let members = members.iter().filter(|(_, value)| !value.is_null());
                let members = members.map(|(key, value)| {
                    format!("{}{sign}{}", self.encoded(key), self.value(value))
                });
                members.collect::<Vec<_>>().join(self.separator())
            }
            value => self.value(value),
        };
        match self.style {
            Style::Label | Style::DottedLabel => format!(".{text}"),
            _ => text,
        }
    }

    /// Writes a value in the style `matrix`: `;name=a;name=b`.
    pub(crate) fn matrix(self, name: &str, value: &Value) -> String {
        let mut res = String::new();
        for (name, value) in self.pairs(name, value) {
            res.push(';');
            res.push_str(&name);
            if !value.is_empty() {
                res.push('=');
                res.push_str(&value);
            }
        }
        res
    }

    /// Returns names and values, encoded unless everything is kept. A list or object without items has none; null has none.
    pub(crate) fn pairs(self, name: &str, value: &Value) -> Vec<(String, String)> {
        let encoded_name = self.name(name);
        match value {
            Value::Null => Vec::new(),
            Value::Array(items) if items.is_empty() => Vec::new(),
            Value::Object(members) if members.is_empty() => Vec::new(),
            Value::Array(_) | Value::Object(_) if self.style == Style::DeepObject => {
                let mut res = Vec::new();
                self.deep(name, value, &mut res);
                res
            }
            Value::Array(items) if self.explode => {
                let items = items.iter().filter(|item| !item.is_null());
                items
                    .map(|item| (encoded_name.clone(), self.value(item)))
                    .collect()
            }
            Value::Object(members) if self.explode => {
                let members = members.iter().filter(|(_, value)| !value.is_null());
                members
                    .map(|(key, value)| (self.name(key), self.value(value)))
                    .collect()
            }
            value => vec![(encoded_name, self.plain(value))],
        }
    }

    /// Adds `name[key]=value` for each member, also for those of members.
    fn deep(self, name: &str, value: &Value, acc: &mut Vec<(String, String)>) {
        match value {
            Value::Null => {}
            Value::Object(members) => {
                for (key, value) in members {
                    self.deep(&format!("{name}[{key}]"), value, acc);
                }
            }
            Value::Array(items) if items.iter().all(|item| !is_nested(item)) => {
                let items = items.iter();
                acc.extend(items.map(|item| (self.name(name), self.value(item))));
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.deep(&format!("{name}[{at}]"), item, acc);
                }
            }
            value => acc.push((self.name(name), self.value(value))),
        }
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Returns a value as text: strings as they are, others as JSON, null as nothing.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
