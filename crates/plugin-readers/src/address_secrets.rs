//! Secrets in the addresses of documents: their values become settings, and no copy has them.

use std::collections::BTreeMap;
use std::ops::Range;

use http_request::{secret_places, secrets_of};
use plugin_model::{Kind, Node};
use plugin_openapi::is_secret_variable;
use skill_model::REDACTED;

use crate::openapi_text::parse;
use crate::secret_values::{self, KEYWORDS, redacted_scalar};

/// Returns a document of a service with `REDACTED` in place of the secrets of its addresses (`url`); `None`
/// if it has none, or is not a document.
pub fn without_address_secrets(text: &str) -> Option<String> {
    let document = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let words = document.split([' ', '\n', '"', '\'']);
    let mut addresses = words.filter(|word| word.contains(['?', '@']));
    if !document.contains("variables")
        && !KEYWORDS.iter().any(|word| document.contains(word))
        && !addresses.any(|word| word.contains('\\') || !secrets_of(word).is_empty())
    {
        return None;
    }
    let root = parse(document).ok()?;
    let mut found = BTreeMap::new();
    visit(&root, &mut found);
    let mut changes: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut marks = Marks::default();
    for ((start, end), (url, secrets)) in found {
        let written = document.get(start..end)?;
        let mut plain = url.to_owned();
        let own: Vec<String> = secrets
            .iter()
            .map(|it| marks.of(&url[it.clone()]))
            .collect();
        for (range, mark) in secrets.iter().zip(own).rev() {
            plain.replace_range(range.clone(), &mark);
        }
        changes.insert((start, end), redacted(written, url, plain));
    }
    for place in secret_values::places(document, &root) {
        let written = document.get(place.clone())?;
        let is_quoted = written.starts_with('"') || document.trim_start().starts_with('{');
        let text = redacted_scalar(written, is_quoted);
        changes.insert((place.start, place.end), text);
    }
    let mut res = document.to_owned();
    for ((start, end), text) in changes.into_iter().rev() {
        res.replace_range(start..end, &text);
    }
    (res != document).then_some(res)
}

/// The addresses with secrets, by their place in the text.
type Found<'n> = BTreeMap<(usize, usize), (&'n str, Vec<Range<usize>>)>;

fn visit<'n>(node: &'n Node, found: &mut Found<'n>) {
    for item in node.items() {
        visit(item, found);
    }
    variables(node, found);
    for member in node.members() {
        match &member.value.kind {
            Kind::String(url) if member.key == "url" || is_address(url) => {
                let secrets = secrets(url);
                if !secrets.is_empty() {
                    let span = &member.value.span;
                    found.insert((span.start, span.end), (url, secrets));
                }
            }
            _ => visit(&member.value, found),
        }
    }
}

/// Returns true for a text that is an address as a whole, such as a `logo_url`.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    let is_scheme = scheme.bytes().all(|it| it.is_ascii_alphanumeric());
    !scheme.is_empty() && is_scheme && !text.contains(char::is_whitespace)
}

/// Adds the values that a server gives to variables of its address that are secrets.
fn variables<'n>(server: &'n Node, found: &mut Found<'n>) {
    let url = server.get("url").and_then(Node::as_str).unwrap_or_default();
    let variables = server.get("variables").map_or(&[][..], Node::members);
    for variable in variables
        .iter()
        .filter(|it| is_secret_variable(url, &it.key))
    {
        let values = variable.value.members().iter();
        let values = values.filter(|it| matches!(it.key.as_str(), "default" | "enum"));
        for value in values {
            let items = value.value.items().iter().chain([&value.value]);
            for item in items {
                let (Kind::String(text) | Kind::Number(text)) = &item.kind else {
                    continue;
                };
                if !text.is_empty() && !is_mark(text) {
                    let whole = Vec::from([Range {
                        start: 0,
                        end: text.len(),
                    }]);
                    found.insert((item.span.start, item.span.end), (text, whole));
                }
            }
        }
    }
}

/// Returns the places of the secrets of an address, in their order. Variables have no value.
fn secrets(url: &str) -> Vec<Range<usize>> {
    let is_value = |range: &Range<usize>| {
        let value = &url[range.clone()];
        !value.is_empty() && !value.contains('{') && !is_mark(value)
    };
    secret_places(url).filter(is_value).collect()
}

/// Returns an address as it is written, without its secrets: `plain`. One with escapes is written again.
fn redacted(written: &str, url: &str, plain: String) -> String {
    if written.contains(url) {
        return written.replacen(url, &plain, 1);
    }
    serde_json::Value::from(plain).to_string()
}

/// The values that were redacted, in the order of their numbers. What is equal stays equal, so that a
/// reader of the redacted document knows which secrets are one.
#[derive(Default)]
struct Marks(Vec<String>);

impl Marks {
    /// Returns the text in place of a value: `REDACTED`, and a number for each other value.
    fn of(&mut self, value: &str) -> String {
        let known = self.0.iter().position(|it| it == value);
        let at = known.unwrap_or_else(|| {
            self.0.push(value.to_owned());
            self.0.len() - 1
        });
        match at {
            0 => REDACTED.to_owned(),
            at => format!("{REDACTED}_{}", at + 1),
        }
    }
}

/// Returns true for what is in the place of a secret.
fn is_mark(text: &str) -> bool {
    text.starts_with(REDACTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(without_address_secrets(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn secrets_of_addresses_are_redacted() {
        check(
            "servers:\n- url: https://a.example/v1?api_key=CANARY&page=2 # abc123\n",
            Some("servers:\n- url: https://a.example/v1?api_key=REDACTED&page=2 # abc123\n"),
        );
        check(
            "paths: {/x: {get: {servers: [{url: '/v3?token=abc123'}]}}}",
            Some("paths: {/x: {get: {servers: [{url: '/v3?token=REDACTED'}]}}}"),
        );
        check(
            r#"{"servers": [{"url": "https:\/\/ann:pw1@a.example?a=1\u0026sig=s1"}]}"#,
            Some(r#"{"servers": [{"url": "https://ann:REDACTED@a.example?a=1&sig=REDACTED_2"}]}"#),
        );
        check(
            r#"{"logo_url": "https://ann:pw1@a.example/logo.png"}"#,
            Some(r#"{"logo_url": "https://ann:REDACTED@a.example/logo.png"}"#),
        );
        check(
            "servers: [{url: 'https://tok@a.example'}]",
            Some("servers: [{url: 'https://REDACTED@a.example'}]"),
        );
        check(
            "servers:\n- url: >-\n    https://a.example/v1?token=abc123\n",
            Some("servers:\n- url: >-\n    https://a.example/v1?token=REDACTED\n"),
        );
    }

    #[test]
    fn values_of_secret_variables_are_redacted() {
        check(
            "servers: [{url: 'https://a.example?token={t}', variables: {t: {default: abc1, enum: ['abc1', x]}, v: {default: y}}}]",
            Some(
                "servers: [{url: 'https://a.example?token={t}', variables: {t: {default: REDACTED, enum: ['REDACTED', REDACTED_2]}, v: {default: y}}}]",
            ),
        );
        check(
            r#"{"servers": [{"url": "https://a.example/bot{api_key}", "variables": {"api_key": {"default": "abc1"}}}]}"#,
            Some(
                r#"{"servers": [{"url": "https://a.example/bot{api_key}", "variables": {"api_key": {"default": "REDACTED"}}}]}"#,
            ),
        );
    }

    #[test]
    fn other_addresses_stay() {
        for text in [
            "servers: [{url: 'https://{user}:{word}@a.example?token={token}'}]",
            "servers: [{url: 'https://a.example?token=REDACTED&page=2'}]",
            "description: see https://a.example?token=abc123",
            "{",
        ] {
            check(text, None);
        }
    }
}
