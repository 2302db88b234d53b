//! Inputs that nobody wrote: arguments from the schema of a command, requests to the routes that a
//! module registers, and conversations with the markers that its code searches for.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind};
use serde_json::{Map, Value, json};
use skill_loader::fs::{Kind, Root, WalkLimits};

/// The greatest depth of a value that is made from a schema.
const MAX_DEPTH: usize = 6;
/// The greatest number of changes of one command's arguments.
const MAX_VARIANTS: usize = 5;
/// The greatest number of routes that are asked.
const MAX_ROUTES: usize = 40;
/// The greatest number of markers in a conversation.
const MAX_MARKERS: usize = 24;
/// The longest marker, in bytes.
const MAX_MARKER: usize = 80;
/// The largest source file that is searched for markers, in bytes.
const MAX_SOURCE: u64 = 1 << 20;
/// The greatest number of source files that are searched.
const MAX_SOURCES: usize = 64;
/// The parameters by which calls of the old host pass the code of the administrator.
pub(crate) const AUTH_CODES: [&str; 4] = ["requireAdmin", "adminCode", "authCode", "auth_code"];
/// A code with six digits, as the old host makes them.
pub(crate) const AUTH_CODE: &str = "123456";
/// A picture of one pixel (PNG).
const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Returns arguments for a schema: those that are required, and, if there are more, all of them.
pub(crate) fn arguments(schema: &Value) -> Vec<Map<String, Value>> {
    let required = object(schema, false, 0);
    let all = object(schema, true, 0);
    if required == all {
        vec![all]
    } else {
        vec![required, all]
    }
}

fn object(schema: &Value, with_optional: bool, depth: usize) -> Map<String, Value> {
    let required: BTreeSet<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .filter(|(name, _)| with_optional || required.contains(name.as_str()))
        .map(|(name, schema)| (name.clone(), sample(name, schema, depth + 1)))
        .collect()
}

/// Returns changes of some arguments: each with another value of an enumeration or of a truth value, and
/// one with the defaults of all arguments that are absent.
pub(crate) fn variants(schema: &Value, base: &Value) -> Vec<(String, Value)> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut defaults = base.clone();
    let mut res = Vec::new();
    for (name, schema) in properties {
        let own = &base[name.as_str()];
        let (yes, no) = (json!(true), json!(false));
        let values: Vec<&Value> = match &schema["enum"] {
            Value::Array(values) => values.iter().collect(),
            _ if own.is_boolean() => vec![&yes, &no],
            _ => Vec::new(),
        };
        for value in values.into_iter().filter(|value| *value != own) {
            let mut input = base.clone();
            input[name.as_str()] = value.clone();
            res.push((format!("{name}={value}"), input));
        }
        if let Some(value) = schema.get("default").filter(|_| own.is_null()) {
            defaults[name.as_str()] = value.clone();
        }
    }
    res.truncate(MAX_VARIANTS);
    if defaults != *base {
        res.push(("defaults".to_owned(), defaults));
    }
    res
}

/// Returns a value that a schema allows; the name of the property decides where the schema does not.
fn sample(name: &str, schema: &Value, depth: usize) -> Value {
    let given = [
        schema.get("const"),
        schema.get("default"),
        schema["examples"].get(0),
        schema["enum"].get(0),
    ];
    if let Some(value) = given.into_iter().flatten().next() {
        return value.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find_map(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(true),
        Some("array") if depth < MAX_DEPTH => json!([sample(name, &schema["items"], depth + 1)]),
        Some("array") => json!([]),
        Some("object") if depth < MAX_DEPTH => object(schema, false, depth).into(),
        Some("object") => json!({}),
        _ => text(name, schema["format"].as_str()).into(),
    }
}

/// Returns a text for a property of this name and format.
fn text(name: &str, format: Option<&str>) -> &'static str {
    const BY_NAME: [(&[&str], &str); 7] = [
        (&["url", "uri", "link", "href"], "https://example.com/"),
        (&["email", "mail"], "reader@example.com"),
        (&["datetime", "timestamp"], "2024-01-02T03:04:05Z"),
        (&["date", "day"], "2024-01-02"),
        (&["path", "file", "filename"], "note.txt"),
        (&["count", "limit", "number", "size", "page"], "1"),
        (&["expression", "formula"], "1+1"),
    ];
    match format {
        Some("date-time") => return "2024-01-02T03:04:05Z",
        Some("date") => return "2024-01-02",
        Some("time") => return "03:04:05",
        Some("uri" | "url") => return "https://example.com/",
        Some("email") => return "reader@example.com",
        _ => {}
    }
    let name = name.to_ascii_lowercase().replace(['_', '-'], "");
    let found = BY_NAME
        .iter()
        .find(|(words, _)| words.iter().any(|word| name.ends_with(word)));
    found.map_or("test", |(_, text)| text)
}

/// Returns the arguments with every number and truth value as a text: the old host sent texts.
/// `None` if there is none.
pub(crate) fn as_texts(input: &Value) -> Option<Value> {
    let map = input.as_object()?;
    let plain = |value: &Value| value.is_number() || value.is_boolean();
    map.values().any(plain).then(|| {
        let texts = map.iter().map(|(name, value)| {
            let text = if plain(value) {
                value.to_string().into()
            } else {
                value.clone()
            };
            (name.clone(), text)
        });
        Value::Object(texts.collect())
    })
}

/// Returns requests to routes: those that only read, and the others with an empty object as body. What is
/// mounted at a path is asked for a file, too.
pub(crate) fn requests(routes: &Value) -> (Vec<Value>, Vec<Value>) {
    let routes = routes.as_array().into_iter().flatten().take(MAX_ROUTES);
    let requests = routes.flat_map(|route| {
        let (Some(method), Some(path)) = (route["method"].as_str(), route["path"].as_str()) else {
            return Vec::new();
        };
        let path = filled(path);
        match method {
            "GET" if route["mounted"] == true => vec![
                json!({"method": method, "path": path}),
                json!({"method": method, "path": format!("{path}/1.png")}),
            ],
            "GET" | "HEAD" | "OPTIONS" => vec![json!({"method": method, "path": path})],
            _ => vec![json!({"method": method, "path": path, "body": {}})],
        }
    });
    requests.partition(|request| request.get("body").is_none())
}

/// Returns a path with a value for each parameter: `/notes/:id` becomes `/notes/1`.
fn filled(path: &str) -> String {
    let mut res = String::new();
    let mut chars = path.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ':' | '*' => {
                while chars
                    .next_if(|c| c.is_alphanumeric() || *c == '_')
                    .is_some()
                {}
                res.push('1');
            }
            '\\' => res.extend(chars.next()),
            '{' | '}' | '?' | '(' | ')' => {}
            c => res.push(c),
        }
    }
    res
}

/// Returns conversations for a module that changes messages: a plain one, one with all markers of
/// its code, and one with a picture.
pub(crate) fn conversations(plugin: &Root) -> Vec<(&'static str, Value)> {
    let talk = |system: &str, user: Value| {
        json!([
            {"role": "system", "content": system},
            {"role": "user", "content": user},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": "What did I say?"},
        ])
    };
    let plain = json!([
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": "Hello, what can you do?"},
    ]);
    let mut res = vec![("conversation", plain)];
    let markers: Vec<String> = markers(plugin).into_iter().take(MAX_MARKERS).collect();
    if !markers.is_empty() {
        let text = markers.join("\n");
        res.push(("markers", talk(&text, text.as_str().into())));
    }
    let picture = json!([
        {"type": "text", "text": "Look at this."},
        {"type": "image_url", "image_url": {"url": PIXEL}},
    ]);
    res.push(("picture", talk("You are a helpful assistant.", picture)));
    res
}

/// Returns texts that the code of a module searches for in messages: placeholders in double braces,
/// and samples of its regular expressions that have brackets of this kind.
fn markers(plugin: &Root) -> BTreeSet<String> {
    let is_left_out = |path: &str| path.ends_with("node_modules") || path.starts_with('.');
    let walk = plugin.walk("", &WalkLimits::default(), &is_left_out);
    let entries = walk.map(|listing| listing.entries).unwrap_or_default();
    let sources = entries.into_iter().filter(|entry| {
        let is_source = [".js", ".mjs", ".cjs"]
            .iter()
            .any(|ending| entry.path.ends_with(ending));
        is_source && matches!(entry.kind, Kind::File(_))
    });
    let texts = sources
        .take(MAX_SOURCES)
        .filter_map(|entry| plugin.read(&entry.path, MAX_SOURCE).ok());
    texts
        .flat_map(|bytes| markers_of(&String::from_utf8_lossy(&bytes)))
        .collect()
}

fn markers_of(source: &str) -> Vec<String> {
    let literals = source.match_indices("{{").filter_map(|(at, _)| {
        let rest = &source[at..];
        let end = rest.find("}}").filter(|end| *end < MAX_MARKER)? + 2;
        let inner = &rest[2..end - 2];
        let is_name = |c: char| c.is_alphanumeric() || "_:-".contains(c);
        (!inner.is_empty() && inner.chars().all(is_name)).then(|| rest[..end].to_owned())
    });
    let samples = expressions(source).filter_map(|expression| {
        let hir = regex_syntax::Parser::new().parse(expression).ok()?;
        let mut res = String::new();
        append(&hir, &mut res);
        (is_marker(&res)).then_some(res)
    });
    literals.chain(samples).collect()
}

fn is_marker(text: &str) -> bool {
    const OPENERS: [&str; 8] = ["{{", "[[", "<<", "《", "「", "〔", "【", "[@"];
    text.len() <= MAX_MARKER && OPENERS.iter().any(|opener| text.contains(opener))
}

/// Returns the regular expressions of a JavaScript source: literals between slashes on one line.
fn expressions(source: &str) -> impl Iterator<Item = &str> {
    let starts = source.match_indices('/').filter(|(at, _)| {
        let before = source[..*at].trim_end_matches([' ', '\t']);
        before.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', ';', '\n'])
    });
    starts.filter_map(|(at, _)| {
        let rest = &source[at + 1..];
        if rest.starts_with(['/', '*']) {
            return None;
        }
        let (mut is_escaped, mut is_class) = (false, false);
        for (n, c) in rest.char_indices() {
            match c {
                '\n' => return None,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '[' => is_class = true,
                ']' => is_class = false,
                '/' if !is_class => return Some(&rest[..n]),
                _ => {}
            }
        }
        None
    })
}

/// Appends a short text that an expression matches.
fn append(hir: &Hir, res: &mut String) {
    if res.len() > MAX_MARKER {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => res.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => res.push(member(class)),
        HirKind::Repetition(repetition) => {
            let needed = repetition.min.clamp(1, 8);
            if repetition.min > 0 || repetition.max != Some(1) {
                (0..needed).for_each(|_| append(&repetition.sub, res));
            }
        }
        HirKind::Capture(capture) => append(&capture.sub, res),
        HirKind::Concat(parts) => parts.iter().for_each(|part| append(part, res)),
        HirKind::Alternation(parts) => append(&parts[0], res),
    }
}

/// Returns a character of a class: a plain letter if it has one.
fn member(class: &Class) -> char {
    let Class::Unicode(class) = class else {
        return 'a';
    };
    let has = |c: char| {
        class
            .ranges()
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&c))
    };
    let first = class.ranges().first().map(ClassUnicodeRange::start);
    ['a', '1', ' ']
        .into_iter()
        .find(|c| has(*c))
        .or(first)
        .unwrap_or('a')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_arguments(schema: &Value, expected: &[Value]) {
        let found: Vec<Value> = arguments(schema).into_iter().map(Value::Object).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn arguments_follow_the_schema() {
        check_arguments(&json!({}), &[json!({})]);
        check_arguments(
            &json!({"properties": {
                "city": {"type": "string"}, "days": {"type": "integer", "minimum": 3},
                "unit": {"enum": ["c", "f"]}, "deep": {"type": "object", "properties": {"a": {}}, "required": ["a"]},
            }, "required": ["city", "deep"]}),
            &[
                json!({"city": "test", "deep": {"a": "test"}}),
                json!({"city": "test", "days": 3, "unit": "c", "deep": {"a": "test"}}),
            ],
        );
        check_arguments(
            &json!({"properties": {"links": {"type": "array", "items": {"type": "string"}}, "image_url": {}}, "required": ["links", "image_url"]}),
            &[json!({"links": ["test"], "image_url": "https://example.com/"})],
        );
    }

    #[test]
    fn other_values_of_enumerations_and_defaults_are_sent() {
        let schema = json!({"properties": {
            "unit": {"enum": ["c", "f", "k"]}, "short": {"type": "boolean"},
            "days": {"type": "integer", "default": 3}, "city": {"default": "Oslo"},
        }});
        let found = variants(
            &schema,
            &json!({"unit": "c", "short": true, "city": "Rome"}),
        );
        let expected = [
            (
                "unit=\"f\"",
                json!({"unit": "f", "short": true, "city": "Rome"}),
            ),
            (
                "unit=\"k\"",
                json!({"unit": "k", "short": true, "city": "Rome"}),
            ),
            (
                "short=false",
                json!({"unit": "c", "short": false, "city": "Rome"}),
            ),
            (
                "defaults",
                json!({"unit": "c", "short": true, "city": "Rome", "days": 3}),
            ),
        ];
        assert_eq!(
            found,
            expected.map(|(what, input)| (what.to_owned(), input))
        );
        assert_eq!(variants(&json!({}), &json!({"a": 1})), []);
    }

    #[test]
    fn scalars_become_texts() {
        let input = json!({"a": 1, "b": false, "c": "x", "d": [1]});
        let expected = json!({"a": "1", "b": "false", "c": "x", "d": [1]});
        assert_eq!(as_texts(&input), Some(expected));
        assert_eq!(as_texts(&json!({"c": "x"})), None);
    }

    #[test]
    fn routes_become_requests() {
        let routes = json!([
            {"method": "GET", "path": "/notes/:id{.:ending}"},
            {"method": "POST", "path": "/a/*rest"},
            {"method": "GET", "path": "/:key/files", "mounted": true},
        ]);
        let (reading, others) = requests(&routes);
        let read = ["/notes/1.1", "/1/files", "/1/files/1.png"];
        assert_eq!(
            reading,
            read.map(|path| json!({"method": "GET", "path": path}))
        );
        assert_eq!(
            others,
            [json!({"method": "POST", "path": "/a/1", "body": {}})]
        );
    }

    #[track_caller]
    fn check_markers(source: &str, expected: &[&str]) {
        assert_eq!(markers_of(source), expected, "{source}");
    }

    #[test]
    fn markers_are_found_in_code() {
        check_markers("if (text.includes('{{Clock}}')) {", &["{{Clock}}"]);
        check_markers("`{{${name}}}` // {{ two words }}", &[]);
        check_markers(r"text.replace(/\[\[(.+?)日记本\]\]/g, x)", &["[[a日记本]]"]);
        check_markers(r"const R = /《《([^》]+)》》/;", &["《《a》》"]);
        check_markers(r"x = /\d{4}-[a-z]+/; y = a / b / c; // [[no]]", &[]);
        check_markers("const broken = /\\[\\[(?=x)/;", &[]);
    }
}
