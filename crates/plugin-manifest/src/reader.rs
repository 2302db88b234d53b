//! Reads values from nodes and collects findings about them.

use std::sync::Arc;

use plugin_model::{Field, Kind, Located, Millis, Node, Place};
use skill_diagnostics::{Diagnostic, LineIndex};

use crate::codes::UNEXPECTED_TYPE;

/// Reads values from nodes and collects findings about them.
pub(crate) struct Reader<'a> {
    file: Arc<str>,
    index: LineIndex<'a>,
    findings: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// Creates a reader for the text of a file.
    pub(crate) fn new(file: &str, text: &'a str) -> Self {
        Self {
            file: file.into(),
            index: LineIndex::new(text),
            findings: Vec::new(),
        }
    }

    /// Returns the path of the file.
    pub(crate) fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Returns the findings so far.
    pub(crate) fn into_findings(self) -> Vec<Diagnostic> {
        self.findings
    }

    /// Creates a place in the file.
    pub(crate) fn place(&self, pointer: impl Into<String>) -> Place {
        Place::new(&self.file, pointer)
    }

    /// Creates a field whose source has the expected type.
    pub(crate) fn exact<T>(&self, value: T, pointer: impl Into<String>) -> Field<T> {
        Field {
            value,
            place: self.place(pointer),
            exact: true,
        }
    }

    /// Creates a field whose source has another type than expected.
    pub(crate) fn converted<T>(&self, value: T, pointer: impl Into<String>) -> Field<T> {
        Field {
            value,
            place: self.place(pointer),
            exact: false,
        }
    }

    /// Creates a part of the file.
    pub(crate) fn located(&self, pointer: impl Into<String>, node: &Node) -> Located {
        Located {
            place: self.place(pointer),
            node: node.clone(),
        }
    }

    /// Adds the position of a node to a finding.
    pub(crate) fn locate(&self, finding: Diagnostic, node: &Node) -> Diagnostic {
        finding.at(self.index.span(node.span.clone()))
    }

    /// Adds a finding about a node.
    pub(crate) fn report(&mut self, finding: Diagnostic, node: &Node, pointer: &str) {
        let finding = self.locate(finding, node).at_pointer(pointer);
        self.findings.push(finding);
    }

    /// Reports a value of an unexpected type.
    pub(crate) fn unexpected(&mut self, expected: &str, node: &Node, pointer: &str) {
        let field = pointer.rsplit('/').next().unwrap_or(pointer);
        let message = format!("`{field}` is {}, expected {expected}", node.type_word());
        let finding =
            Diagnostic::warning(UNEXPECTED_TYPE, message).with_help("it is kept as it is");
        self.report(finding, node, pointer);
    }

    /// Reads a string; numbers and booleans count as their text.
    pub(crate) fn text(&mut self, parent: &Node, at: &str, key: &str) -> Option<Field<String>> {
        let node = parent.get(key)?;
        let pointer = format!("{at}/{key}");
        match &node.kind {
            Kind::String(value) => Some(self.exact(value.clone(), pointer)),
            Kind::Number(value) => Some(self.converted(value.clone(), pointer)),
            Kind::Bool(value) => Some(self.converted(value.to_string(), pointer)),
            Kind::Null => None,
            _ => {
                self.unexpected("a string", node, &pointer);
                None
            }
        }
    }

    /// Reads a boolean; the strings `true` and `false` count as well.
    pub(crate) fn flag(&mut self, parent: &Node, at: &str, key: &str) -> Option<Field<bool>> {
        let node = parent.get(key)?;
        let pointer = format!("{at}/{key}");
        let (value, exact) = match &node.kind {
            Kind::Bool(value) => (*value, true),
            Kind::String(text) if text.eq_ignore_ascii_case("true") => (true, false),
            Kind::String(text) if text.eq_ignore_ascii_case("false") => (false, false),
            Kind::Null => return None,
            _ => {
                self.unexpected("true or false", node, &pointer);
                return None;
            }
        };
        Some(Field {
            value,
            place: self.place(pointer),
            exact,
        })
    }

    /// Reads a time in milliseconds, as `setTimeout` does. A value that is falsy in JavaScript
    /// gives `None`.
    pub(crate) fn millis(&mut self, parent: &Node, at: &str, key: &str) -> Option<Field<Millis>> {
        let node = parent.get(key)?;
        let pointer = format!("{at}/{key}");
        let exact = matches!(node.kind, Kind::Number(_));
        let value = match &node.kind {
            Kind::Null => return None,
            Kind::Number(text) => text.parse().ok(),
            _ => as_number(node),
        };
        if value.is_none() {
            self.unexpected("a number of milliseconds", node, &pointer);
        }
        let is_false = match &node.kind {
            Kind::Bool(flag) => !flag,
            Kind::String(text) => text.is_empty(),
            _ => false,
        };
        // The string "0" is truthy, so it is a time, and expires at once.
        let value = value.filter(|value| exact || *value >= 1.0);
        (!is_false).then_some(Field {
            value: value.map_or(Millis::AT_ONCE, Millis),
            place: self.place(pointer),
            exact,
        })
    }
}

/// Returns the result of `Number` in JavaScript for a value that is not a number, or `None` for
/// `NaN`.
fn as_number(node: &Node) -> Option<f64> {
    match &node.kind {
        Kind::Number(text) => text.parse().ok(),
        Kind::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Kind::String(text) => {
            let text = text.trim();
            let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
            match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(digits) => u32::from_str_radix(digits, 16).ok().map(f64::from),
                None if text == "Infinity" => Some(f64::INFINITY),
                None if text.chars().all(plain) => text.parse().ok(),
                None => None,
            }
        }
        Kind::Array(items) => match &items[..] {
            [only] => as_number(only),
            _ => None,
        },
        _ => None,
    }
}
