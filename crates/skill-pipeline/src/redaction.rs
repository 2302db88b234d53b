//! Texts without secrets. A document of JSON or YAML stays one: what ends a secret in a text is not always
//! what ends a value, as in `[Bearer TOKEN, x]`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use plugin_model::{Kind, Node};
use plugin_readers::{parse_document, redacted_scalar};
use skill_migrator::{redact, redact_values};
use skill_model::{REDACTED, scan_secrets};

/// Returns the text of a file without secrets and these values. A document has the same members and items
/// as before.
pub(crate) fn redacted(path: &str, text: &str, values: &BTreeSet<String>) -> String {
    let plain = redact_values(&redact(text), values);
    if plain == text {
        return plain;
    }
    let Some(root) = parse_document(path, text) else {
        return plain;
    };
    let keeps_shape = |text: &String| {
        let after = parse_document(path, text);
        after.is_some_and(|after| is_alike(&root, &after))
    };
    if keeps_shape(&plain) {
        return plain;
    }
    let places = places(text, &root, values);
    let wholes = [false, true].into_iter();
    let mut texts = wholes.map(|is_whole| replaced(text, &places, is_whole));
    texts.find(keeps_shape).unwrap_or(plain)
}

/// Returns true if two documents differ in scalars only, and in keys that were redacted.
fn is_alike(before: &Node, after: &Node) -> bool {
    match (&before.kind, &after.kind) {
        (Kind::Array(before), Kind::Array(after)) => {
            let mut pairs = before.iter().zip(after);
            before.len() == after.len() && pairs.all(|(before, after)| is_alike(before, after))
        }
        (Kind::Object(before), Kind::Object(after)) => {
            let mut pairs = before.iter().zip(after);
            before.len() == after.len()
                && pairs.all(|(before, after)| {
                    let is_key = before.key == after.key || after.key.contains(REDACTED);
                    is_key && is_alike(&before.value, &after.value)
                })
        }
        (Kind::Array(_) | Kind::Object(_), _) | (_, Kind::Array(_) | Kind::Object(_)) => false,
        _ => true,
    }
}

/// The places of secrets in a text, by the place of the scalar that each is in.
struct Places {
    in_scalars: BTreeMap<(usize, usize), Vec<Range<usize>>>,
    /// Those in comments and keys.
    others: Vec<Range<usize>>,
    /// True if every text has quotes.
    is_json: bool,
}

fn places(text: &str, root: &Node, values: &BTreeSet<String>) -> Places {
    let mut scalars = BTreeSet::new();
    add_scalars(root, &mut scalars);
    let scalars: Vec<(usize, usize)> = scalars.into_iter().collect();
    let mut res = Places {
        in_scalars: BTreeMap::new(),
        others: Vec::new(),
        is_json: text.trim_start().starts_with(['{', '[']),
    };
    let mut found: Vec<Range<usize>> = scan_secrets(text).into_iter().map(|it| it.range).collect();
    for value in values.iter().filter(|value| !value.is_empty()) {
        let quoted = serde_json::Value::from(value.as_str()).to_string();
        for form in [value.as_str(), quoted.trim_matches('"')] {
            let places = text.match_indices(form);
            found.extend(places.map(|(at, form)| at..at + form.len()));
        }
    }
    for place in found {
        let first = scalars.partition_point(|(_, end)| *end <= place.start);
        // A key may be a list of its lines.
        let own = scalars[first..].iter();
        let mut own = own.take_while(|(start, _)| *start < place.end).peekable();
        if own.peek().is_none() {
            res.others.push(place);
            continue;
        }
        for &(start, end) in own {
            let own = place.start.max(start)..place.end.min(end);
            res.in_scalars.entry((start, end)).or_default().push(own);
        }
    }
    res
}

fn add_scalars(node: &Node, acc: &mut BTreeSet<(usize, usize)>) {
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|it| add_scalars(it, acc)),
        Kind::Object(members) => members.iter().for_each(|it| add_scalars(&it.value, acc)),
        _ => {
            acc.insert((node.span.start, node.span.end));
        }
    }
}

/// Returns the text with `REDACTED` in place of the secrets, or of the whole scalars that have one.
fn replaced(text: &str, places: &Places, is_whole: bool) -> String {
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    for ((start, end), own) in &places.in_scalars {
        let written = &text[*start..*end];
        let is_quoted = written.starts_with(['"', '\'']);
        if is_whole || places.is_json && !is_quoted {
            changes.push((*start..*end, redacted_scalar(written, true)));
            continue;
        }
        let n_quotes = usize::from(is_quoted);
        let inside = start + n_quotes..end - n_quotes;
        let own = own
            .iter()
            .map(|it| it.start.max(inside.start)..it.end.min(inside.end));
        changes.extend(joined(own.filter(|it| !it.is_empty()).collect()));
    }
    changes.extend(joined(places.others.clone()));
    changes.sort_by_key(|(range, _)| range.start);
    let mut res = text.to_owned();
    for (range, value) in changes.into_iter().rev() {
        res.replace_range(range, &value);
    }
    res
}

/// Joins ranges that overlap.
fn joined(mut ranges: Vec<Range<usize>>) -> impl Iterator<Item = (Range<usize>, String)> {
    ranges.sort_by_key(|it| it.start);
    let mut res: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match res.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => res.push(range),
        }
    }
    res.into_iter().map(|range| (range, REDACTED.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "ghp_q7Xk2m9fLp4RsT8vWz1YbN6cH3jK5dGuA0ZZ";

    /// Redacts a text, in which `TOK` stands for a token, and compares the result.
    #[track_caller]
    fn check(path: &str, text: &str, expected: &str) {
        let text = text.replace("TOK", TOKEN);
        let values = ["hunter2x9", "8273645546"].map(str::to_owned);
        let found = redacted(path, &text, &BTreeSet::from(values));
        assert_eq!(found, expected, "{text}");
        if let Some(root) = parse_document(path, &text) {
            assert!(is_alike(&root, &parse_document(path, &found).unwrap()));
        }
    }

    #[test]
    fn documents_stay_documents() {
        for (path, text, expected) in [
            (
                "a.yaml",
                "a: [Bearer TOK, x]\n",
                "a: [Bearer REDACTED, x]\n",
            ),
            (
                "a.yaml",
                "a: {password: Zq8%kd73Lw, b: c}\n",
                "a: {password: REDACTED, b: c}\n",
            ),
            (
                "a.yaml",
                "a: {h: 'Authorization: Bearer TOK', b: c}\n",
                "a: {h: 'Authorization: Bearer REDACTED', b: c}\n",
            ),
            (
                "a.yml",
                "a: [{api_key: Zq8kd73Lw0Vb2nXr}, {b: 1}] # TOK\n",
                "a: [{api_key: REDACTED}, {b: 1}] # REDACTED\n",
            ),
            (
                "a.yml",
                "curl: [curl -u ann:Zq8kd73Lw0 https://a.example, x]\n",
                "curl: [curl -u ann:REDACTED https://a.example, x]\n",
            ),
            (
                "a.yaml",
                "a: [x hunter2x9, hunter2x9]\n",
                "a: [x REDACTED, REDACTED]\n",
            ),
            (
                "a.yaml",
                "a: |\n  password: Zq8%kd73Lw\n  b\n",
                "a: |\n  password: REDACTED\n  b\n",
            ),
            (
                "a.json",
                r#"{"password": 8273645546, "b": [1]}"#,
                r#"{"password": "REDACTED", "b": [1]}"#,
            ),
            (
                "a.json",
                r#"{"a": "TOK", "b": 1}"#,
                r#"{"a": "REDACTED", "b": 1}"#,
            ),
            // A secret of several scalars.
            (
                "a.json",
                r#"["-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B", "AQEFAASCBKcwggSjAgEA", "-----END PRIVATE KEY-----"]"#,
                r#"["-----BEGIN PRIVATE KEY-----\nREDACTED", "REDACTED", "-----END PRIVATE KEY-----"]"#,
            ),
            ("a.txt", "TOK", "REDACTED"),
        ] {
            check(path, text, expected);
        }
    }
}
