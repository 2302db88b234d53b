//! JSON with positions.
//!
//! `serde_json` does the reading. A [`RawValue`] is a slice of the source, so its start is the
//! position of the value.

use std::{borrow::Cow, collections::BTreeMap, fmt, ops::Range};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, value::RawValue};
use skill_diagnostics::{Diagnostic, LineIndex, steps};

use crate::codes::{DUPLICATE_KEY, LONE_SURROGATE, MALFORMED_JSON};

/// The maximum nesting depth; the limit of `serde_json` itself.
const MAX_DEPTH: usize = 128;

/// A JSON value and its position.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The position of the value in the text, in bytes.
    pub span: Range<usize>,
    /// The value.
    pub kind: Kind,
}

/// The value of a [`Node`].
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written: `1e400` and 30-digit integers are numbers too.
    Number(String),
    /// A string, decoded.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// An object, in the order of the text; keys are unique.
    Object(Vec<Member>),
}

/// One entry of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The key, decoded.
    pub key: String,
    /// The value.
    pub value: Node,
}

/// Reads a JSON text. A syntax error gives no tree and one finding with its position.
///
/// ```
/// let (node, findings) = plugin_model::parse_json(r#"{"a": [1, 2]}"#);
/// assert_eq!(node.unwrap().at("/a/1").unwrap().span, 10..11);
/// assert!(findings.is_empty());
/// ```
pub fn parse_json(text: &str) -> (Option<Node>, Vec<Diagnostic>) {
    let index = LineIndex::new(text);
    if let Some(at) = too_deep(text) {
        let message = format!("nested deeper than {MAX_DEPTH} levels");
        let finding = Diagnostic::error(MALFORMED_JSON, message).at(index.span(at..at + 1));
        return (None, vec![finding]);
    }
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => {
            let mut reader = Reader {
                text,
                index,
                findings: Vec::new(),
            };
            let node = reader.node(raw, "");
            (Some(node), reader.findings)
        }
        Err(error) => (None, vec![syntax_finding(text, &index, &error)]),
    }
}

/// Returns the position where the nesting gets too deep, if it does.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

fn syntax_finding(text: &str, index: &LineIndex<'_>, error: &serde_json::Error) -> Diagnostic {
    let line_start = u32::try_from(error.line())
        .ok()
        .and_then(|line| index.line_start(line));
    let offset = line_start.unwrap_or(text.len()) + error.column().saturating_sub(1);
    let offset = offset.min(text.len());
    let full = error.to_string();
    let full = if comma_before_bracket(text, offset) {
        "trailing comma".to_owned()
    } else {
        full
    };
    let message = full
        .rsplit_once(" at line ")
        .map_or(full.as_str(), |(message, _)| message);
    let span = index.span(offset..(offset + 1).min(text.len()).max(offset));
    let finding = Diagnostic::error(MALFORMED_JSON, format!("not JSON: {message}")).at(span);
    match help_for(message) {
        Some(help) => finding.with_help(help),
        None => finding,
    }
}

fn comma_before_bracket(text: &str, offset: usize) -> bool {
    let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
    after.starts_with(['}', ']']) && before.trim_end().ends_with(',')
}

fn help_for(message: &str) -> Option<&'static str> {
    if message.starts_with("trailing comma") {
        Some("JSON allows no comma before a closing bracket")
    } else if message.starts_with("control character") {
        Some("a line break inside a string is written \\n")
    } else if message.starts_with("trailing characters") {
        Some("the manifest ends before this; remove what follows")
    } else if message.starts_with("EOF") {
        Some("the file ends too early; was it cut?")
    } else {
        None
    }
}

struct Reader<'a> {
    text: &'a str,
    index: LineIndex<'a>,
    findings: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn node(&mut self, raw: &'a RawValue, pointer: &str) -> Node {
        let slice = raw.get();
        let start = slice.as_ptr() as usize - self.text.as_ptr() as usize;
        let span = start..start + slice.len();
        let kind = match slice.as_bytes().first() {
            Some(b'n') => Kind::Null,
            Some(b't') => Kind::Bool(true),
            Some(b'f') => Kind::Bool(false),
            Some(b'"') => Kind::String(self.string(slice, &span, pointer)),
            Some(b'[') => self.array(slice, pointer),
            Some(b'{') => self.object(slice, &span, pointer),
            _ => Kind::Number(slice.to_owned()),
        };
        Node { span, kind }
    }

    fn string(&mut self, slice: &str, span: &Range<usize>, pointer: &str) -> String {
        if let Ok(string) = serde_json::from_str::<String>(slice) {
            return string;
        }
        let finding = Diagnostic::warning(LONE_SURROGATE, "half of a surrogate pair in a string")
            .at(self.index.span(span.clone()))
            .at_pointer(pointer)
            .with_help("it was replaced by U+FFFD");
        self.findings.push(finding);
        lossy_string(slice)
    }

    fn array(&mut self, slice: &'a str, pointer: &str) -> Kind {
        let raws: Vec<&'a RawValue> =
            serde_json::from_str(slice).expect("the whole text was read as JSON before");
        let items = raws.into_iter().enumerate();
        Kind::Array(
            items
                .map(|(at, raw)| self.node(raw, &format!("{pointer}/{at}")))
                .collect(),
        )
    }

    fn object(&mut self, slice: &'a str, span: &Range<usize>, pointer: &str) -> Kind {
        let Entries(raws) =
            serde_json::from_str(slice).expect("the whole text was read as JSON before");
        let mut members: Vec<Member> = Vec::with_capacity(raws.len());
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        steps::count(raws.len());
        for (key, raw) in raws {
            let at = format!("{pointer}/{}", escape_pointer(&key));
            let value = self.node(raw, &at);
            if let Some(place) = places.get(&*key) {
                self.findings
                    .push(self.duplicate_finding(&key, &at, &value, span));
                members[*place].value = value;
                continue;
            }
            let key = key.into_owned();
            places.insert(key.clone(), members.len());
            members.push(Member { key, value });
        }
        Kind::Object(members)
    }

    fn duplicate_finding(
        &self,
        key: &str,
        at: &str,
        value: &Node,
        span: &Range<usize>,
    ) -> Diagnostic {
        debug_assert!(span.start <= value.span.start);
        Diagnostic::warning(
            DUPLICATE_KEY,
            format!("the key `{key}` stands here a second time"),
        )
        .at(self.index.span(value.span.clone()))
        .at_pointer(at)
        .with_help("the last value counts, as in the old host; the earlier one is lost")
    }
}

/// Decodes a string with lone surrogates, which `serde_json` only provides as bytes.
fn lossy_string(slice: &str) -> String {
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }
        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(slice);
    let bytes = deserializer.deserialize_bytes(Bytes).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The entries of one object, repeated keys included.
struct Entries<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<&'de RawValue>()? {
            let key = serde_json::from_str(key.get()).unwrap_or_else(|_| lossy_string(key.get()));
            entries.push((Cow::Owned(key), map.next_value()?));
        }
        Ok(Entries(entries))
    }
}

/// Escapes one token of a JSON Pointer (RFC 6901 §3).
pub fn escape_pointer(token: &str) -> Cow<'_, str> {
    if token.contains(['~', '/']) {
        Cow::Owned(token.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(token)
    }
}

impl Node {
    /// Returns the value of a key, or `None` if this is not an object with that key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let members = self.members().iter();
        let found = members.rev().find(|member| {
            steps::count(1);
            member.key == key
        });
        found.map(|member| &member.value)
    }

    /// Returns the entries of an object; for other values the result is empty.
    pub fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of a list; for other values the result is empty.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    /// Returns the string, or `None` if this is not a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(string) => Some(string),
            _ => None,
        }
    }

    /// Returns the node at a JSON Pointer.
    pub fn at(&self, pointer: &str) -> Option<&Node> {
        let mut node = self;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            node = match &node.kind {
                Kind::Array(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => node.get(&token)?,
            };
        }
        Some(node)
    }

    /// Returns the name of the value's type for messages.
    pub fn type_word(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }

    /// Returns the same value without positions. A number that `serde_json` cannot hold becomes a
    /// string.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(bool) => Value::Bool(*bool),
            Kind::Number(text) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            Kind::String(string) => Value::String(string.clone()),
            Kind::Array(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Object(members) => {
                let entries = members.iter();
                let map: Map<_, _> = entries
                    .map(|member| (member.key.clone(), member.value.to_value()))
                    .collect();
                Value::Object(map)
            }
        }
    }

    /// Returns the pointers of all leaves below this node: scalars, empty lists and empty objects.
    pub fn leaves(&self) -> Vec<String> {
        let mut acc = Vec::new();
        self.collect_leaves(&mut String::new(), &mut acc);
        acc
    }

    fn collect_leaves(&self, pointer: &mut String, acc: &mut Vec<String>) {
        let n_before = pointer.len();
        match &self.kind {
            Kind::Array(items) if !items.is_empty() => {
                for (at, item) in items.iter().enumerate() {
                    pointer.push('/');
                    pointer.push_str(&at.to_string());
                    item.collect_leaves(pointer, acc);
                    pointer.truncate(n_before);
                }
            }
            Kind::Object(members) if !members.is_empty() => {
                for member in members {
                    pointer.push('/');
                    pointer.push_str(&escape_pointer(&member.key));
                    member.value.collect_leaves(pointer, acc);
                    pointer.truncate(n_before);
                }
            }
            _ => acc.push(pointer.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_value(text: &str, expected: &Value) {
        let (node, findings) = parse_json(text);
        assert_eq!(findings, []);
        assert_eq!(&node.expect("valid JSON").to_value(), expected);
    }

    #[track_caller]
    fn check_finding(text: &str, code: &str, line: u32, column: u32) {
        let (_, findings) = parse_json(text);
        let finding = &findings[0];
        let position = finding.place.span.as_ref().expect("a place").position;
        assert_eq!(
            (finding.code.0, position.line, position.column),
            (code, line, column)
        );
    }

    #[test]
    fn reads_what_serde_json_reads() {
        check_value(
            r#" {"a":[1,-2.5e3,null,true],"b":{"参":"\u4e2d"}} "#,
            &serde_json::json!({"a": [1, -2.5e3, null, true], "b": {"参": "中"}}),
        );
        check_value("1e400", &Value::String("1e400".to_owned()));
    }

    #[test]
    fn says_where_the_syntax_breaks() {
        check_finding("{\n  \"a\": 1,\n}", "malformed-json", 3, 1);
        check_finding("{} x", "malformed-json", 1, 4);
        check_finding("{\"a\": 1", "malformed-json", 1, 7);
        check_finding("", "malformed-json", 1, 1);
        check_finding(&"[".repeat(100_000), "malformed-json", 1, 129);
    }

    #[test]
    fn reports_repeated_keys_and_lone_surrogates() {
        check_finding("{\"a\": 1,\n \"\\u0061\": 2}", "duplicate-key", 2, 12);
        check_finding(r#"{"a": "x\ud800y"}"#, "lone-surrogate", 1, 7);
        let (node, _) = parse_json(r#"{"a": 1, "b": 2, "a": 3}"#);
        assert_eq!(
            node.map(|node| node.to_value()),
            Some(serde_json::json!({"a": 3, "b": 2}))
        );
    }

    #[test]
    fn finds_nodes_and_leaves_by_pointer() {
        let (node, _) = parse_json(r#"{"a/b": [{"c": []}, 2], "~": {}}"#);
        let node = node.expect("valid JSON");
        assert_eq!(node.leaves(), ["/a~1b/0/c", "/a~1b/1", "/~0"]);
        for leaf in node.leaves() {
            assert!(node.at(&leaf).is_some(), "{leaf}");
        }
    }
}
