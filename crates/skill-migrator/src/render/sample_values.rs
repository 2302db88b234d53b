//! Values of examples that nobody can use as they are: files of a machine, pages that do not exist.

use serde_json::{Map, Value};

use crate::signatures::SIGNATURES;

/// Endings of files that a program loads.
const ENDINGS: [&str; 14] = [
    "png", "jpg", "jpeg", "webp", "gif", "mp4", "webm", "mov", "mp3", "wav", "pdf", "zip", "txt",
    "exe",
];
/// Hosts of examples, which have no files.
const HOSTS: [&str; 3] = ["example.com", "example.org", "example.net"];

/// Returns the value of an example in a form that says what to put there; `None` for one that can be used.
pub(super) fn usable(name: &str, text: &str) -> Option<String> {
    let is_markup = text.trim_start().starts_with('<');
    if is_markup {
        return loads(text).then(|| "<h1>Hello</h1>".to_owned());
    }
    asset(text, name)
}

/// Returns the arguments of a first call: without optional files of a machine, names of callers, and
/// switches and numbers that no condition needs.
pub(super) fn shortest(arguments: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    if required.is_empty() {
        return arguments;
    }
    let pairs = arguments.into_iter().filter(|(name, value)| {
        let property = &schema["properties"][name];
        let is_free = [
            "x-one-of",
            "x-required-when",
            "x-mode",
            "x-numbered",
            "enum",
        ]
        .iter()
        .all(|key| property[*key].is_null());
        let is_optional = !property.is_null()
            && is_free
            && !name.ends_with(|c: char| c.is_ascii_digit())
            && !name.to_ascii_lowercase().contains("wait")
            && !required.iter().any(|it| it == name);
        !is_optional || !(SIGNATURES.contains(&name.as_str()) || is_extra(value))
    });
    pairs.collect()
}

/// Returns true for a switch, a number, and the address of a file of a machine.
fn is_extra(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => {
            matches!(text.as_str(), "true" | "false")
                || text.parse::<f64>().is_ok()
                || text.starts_with("file:///")
        }
        _ => false,
    }
}

/// Returns true for a page that loads a file of a machine or of a host of examples.
fn loads(text: &str) -> bool {
    text.contains("file:///") || HOSTS.iter().any(|host| text.contains(host))
}

/// Returns the form of the address of a file: `https://…/tea.png` for `https://example.com/tea.png`, and
/// `https://…/1.mp4` for `[address of the first.mp4]`.
fn asset(text: &str, name: &str) -> Option<String> {
    let ending = |path: &str| {
        let end = path.rsplit('.').next().unwrap_or_default();
        let end = end.trim_end_matches([']', '}', '>']).to_ascii_lowercase();
        ENDINGS.contains(&end.as_str()).then_some(end)
    };
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    if let Some((host, path)) = rest.and_then(|it| it.split_once('/')) {
        let is_example = HOSTS
            .iter()
            .any(|it| host == *it || host.ends_with(&format!(".{it}")));
        let file = path.rsplit('/').next().unwrap_or(path);
        ending(file).filter(|_| is_example)?;
        return Some(format!("https://…/{file}"));
    }
    let is_blank =
        text.starts_with('[') && text.ends_with(']') && text.to_lowercase().contains("url");
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    let number = if digits.is_empty() { "1" } else { &digits };
    let end = ending(text).filter(|_| is_blank && !text.contains(['"', ',']))?;
    Some(format!("https://…/{number}.{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_say_what_to_put_there() {
        let check = |name: &str, text: &str, expected: Option<&str>| {
            assert_eq!(usable(name, text).as_deref(), expected, "{text}");
        };
        check(
            "image",
            "https://example.com/a/tea.png",
            Some("https://…/tea.png"),
        );
        check("page", "https://example.com/tea", None);
        check("page", "https://tea.org/tea.png", None);
        check("video_url2", "[第二个URL.mp4]", Some("https://…/2.mp4"));
        check("list", "[\"url1.mp4\", \"b\"]", None);
        check(
            "html",
            "<style>src:url('file:///C:/a.woff2')</style>",
            Some("<h1>Hello</h1>"),
        );
        check("html", "<b>a</b>", None);
    }

    #[test]
    fn a_first_call_is_short() {
        let schema = json!({
            "properties": {
                "tea": {}, "cups": {}, "hot": {}, "kind": { "enum": ["1", "2"] }, "maid": {}, "note": {},
                "sound": {}, "image_2": {},
            },
            "required": ["tea"],
        });
        let call = json!({
            "command": "brew", "tea": 1, "cups": "2", "hot": true, "kind": "2", "maid": "A", "note": "x",
            "sound": "file:///C:/path/to/a.mp3", "image_2": "file:///C:/path/to/a.png",
        });
        let found = shortest(call.as_object().unwrap().clone(), &schema);
        let expected = json!({
            "command": "brew", "tea": 1, "kind": "2", "note": "x", "image_2": "file:///C:/path/to/a.png",
        });
        assert_eq!(Value::Object(found), expected);
    }
}
