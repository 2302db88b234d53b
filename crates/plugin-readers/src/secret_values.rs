//! Values of passwords and keys that the document of a service shows: the `default` of a parameter
//! `api_key`, the `example` of a schema with `format: password`. They are the author's, so no skill has
//! them, and neither has a copy of the document.

use std::collections::BTreeMap;
use std::ops::Range;

use plugin_model::{Kind, Member, Node};
use plugin_openapi::codes::SECRET_FOUND;
use skill_diagnostics::Diagnostic;
use skill_model::{REDACTED, is_ordinary, is_secret_name, is_secret_placeholder};

/// Keywords with a value of a password or a key.
pub(crate) const KEYWORDS: [&str; 5] = ["default", "example", "examples", "const", "enum"];

/// The reason for which the values of a schema are secrets.
#[derive(Clone, Copy)]
enum Reason<'n> {
    /// `format: password`.
    Format,
    /// The name. A list of several values is a choice then, such as the `key` of a song.
    Name(&'n str),
}

/// Removes the values from documents, also those that were redacted in the text, and returns findings
/// about them.
pub(crate) fn take_out(documents: &mut BTreeMap<String, Node>) -> Vec<Diagnostic> {
    let findings = documents.iter_mut().filter_map(|(file, root)| {
        let mut n_values = 0;
        each(root, &Seen::Nothing, &mut |members, reason| {
            let before = members.len();
            members.retain(|it| !is_value(it, reason));
            n_values += before - members.len();
        });
        let message = format!(
            "{n_values} values of passwords and keys, such as a `default`, are not carried: a caller gives them"
        );
        let finding = Diagnostic::warning(SECRET_FOUND, message).in_file(file);
        (n_values > 0).then_some(finding)
    });
    findings.collect()
}

/// Returns the places of the values in the text; those that are redacted already are not among them.
pub(crate) fn places(text: &str, root: &Node) -> Vec<Range<usize>> {
    let mut res = Vec::new();
    each(&mut root.clone(), &Seen::Nothing, &mut |members, reason| {
        for member in members.iter().filter(|it| is_value(it, reason)) {
            texts(&member.value, reason, &mut res);
        }
    });
    res.retain(|place| !text[place.clone()].contains(REDACTED));
    res
}

/// Returns the text in place of a scalar of a document that is a secret.
pub fn redacted_scalar(written: &str, is_quoted: bool) -> String {
    // A block has no quotes, and ends with its line.
    match written.ends_with('\n') {
        true => format!("{REDACTED}\n"),
        false if is_quoted => format!("\"{REDACTED}\""),
        false => REDACTED.to_owned(),
    }
}

/// The knowledge about a node from the one that has it.
#[derive(PartialEq, Eq)]
enum Seen {
    Nothing,
    /// The value of `properties`: the keys are names of what the schemas are about.
    Properties,
    /// A parameter, or a schema, with this name of a secret.
    Secret(String),
}

/// Calls `act` for the members of every object that is about a secret.
fn each(node: &mut Node, seen: &Seen, act: &mut impl FnMut(&mut Vec<Member>, Reason<'_>)) {
    match &mut node.kind {
        Kind::Array(items) => items
            .iter_mut()
            .for_each(|it| each(it, &Seen::Nothing, act)),
        Kind::Object(members) => {
            let text = |key: &str| {
                let found = members.iter().find(|it| it.key == key);
                found.and_then(|it| it.value.as_str())
            };
            let is_password = text("format") == Some("password");
            let parameter = text("in").and(text("name")).filter(|it| is_secret_name(it));
            let name = match seen {
                Seen::Secret(name) => Some(name.clone()),
                _ => parameter.map(str::to_owned),
            };
            if *seen != Seen::Properties {
                if is_password {
                    act(members, Reason::Format);
                } else if let Some(name) = &name {
                    act(members, Reason::Name(name));
                }
            }
            for member in members {
                let inner = match (seen, member.key.as_str()) {
                    (Seen::Properties, name) if is_secret_name(name) => {
                        Seen::Secret(name.to_owned())
                    }
                    (Seen::Properties, _) => Seen::Nothing,
                    (_, "properties") => Seen::Properties,
                    (_, "schema" | "items") => name.clone().map_or(Seen::Nothing, Seen::Secret),
                    _ => Seen::Nothing,
                };
                each(&mut member.value, &inner, act);
            }
        }
        _ => {}
    }
}

/// Returns true for a member whose value may be a secret: a placeholder only shows where one is.
fn is_value(member: &Member, reason: Reason<'_>) -> bool {
    let is_choice = match &member.value.kind {
        Kind::Array(values) => {
            let is_redacted = values.iter().any(|it| it.as_str() == Some(REDACTED));
            let is_list = member.key == "enum" && values.len() > 1;
            is_list && matches!(reason, Reason::Name(_)) && !is_redacted
        }
        _ => false,
    };
    let is_keyword = KEYWORDS.contains(&member.key.as_str()) && !is_choice;
    let mut found = Vec::new();
    if is_keyword {
        texts(&member.value, reason, &mut found);
    }
    !found.is_empty()
}

/// Adds the places of the texts in a value that are secrets for this reason.
fn texts(node: &Node, reason: Reason<'_>, acc: &mut Vec<Range<usize>>) {
    let is_open = |text: &str| matches!(reason, Reason::Name(name) if is_ordinary(name, text));
    match &node.kind {
        Kind::String(text) => {
            let shows_none = text.is_empty() || is_secret_placeholder(text) || is_open(text);
            let is_value = text == REDACTED || !shows_none;
            acc.extend(is_value.then(|| node.span.clone()));
        }
        Kind::Number(text) if !is_open(text) => acc.push(node.span.clone()),
        Kind::Array(items) => items.iter().for_each(|it| texts(it, reason, acc)),
        Kind::Object(members) => {
            let values = members.iter().map(|it| &it.value);
            values.for_each(|it| texts(it, reason, acc));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi_text::parse;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let root = parse(text).unwrap();
        let places = places(text, &root);
        let found: Vec<&str> = places.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(found, expected, "{text}");
        let mut documents = BTreeMap::from([("a.yaml".to_owned(), root)]);
        assert_eq!(take_out(&mut documents).is_empty(), expected.is_empty());
        assert_eq!(take_out(&mut documents), []);
    }

    #[test]
    fn values_of_secrets_are_found() {
        check(
            "parameters: [{name: api_key, in: query, example: k1, schema: {type: string, default: k2}}]",
            &["k1", "k2"],
        );
        check(
            "schema: {properties: {token: {type: string, examples: [k1]}, n: {format: password, default: k2, enum: [k3]}}}",
            &["k1", "k2", "k3"],
        );
        check(
            "parameters: [{name: token, in: header, examples: {one: {value: k1}}}]",
            &["k1"],
        );
    }

    #[test]
    fn the_only_value_of_a_secret_is_one() {
        check(
            "schema: {properties: {client_secret: {const: k1}, api_key: {enum: [k2]}}}",
            &["k1", "k2"],
        );
        check(
            "parameters: [{name: token, in: header, schema: {type: string, const: k1}}]",
            &["k1"],
        );
        check("properties: {api_key: {enum: [one, two]}}", &[]);
        let root = parse("properties: {api_key: {enum: [one, REDACTED]}}").unwrap();
        let mut documents = BTreeMap::from([("a.yaml".to_owned(), root)]);
        assert_eq!(take_out(&mut documents).len(), 1);
    }

    #[test]
    fn redacted_values_are_taken_out_and_have_no_place() {
        let text = "schema: {properties: {token: {type: string, default: REDACTED}}}";
        let root = parse(text).unwrap();
        assert!(places(text, &root).is_empty());
        let mut documents = BTreeMap::from([("a.yaml".to_owned(), root)]);
        assert_eq!(take_out(&mut documents).len(), 1);
        assert_eq!(take_out(&mut documents), []);
    }

    #[test]
    fn other_values_stay() {
        check("parameters: [{name: city, in: query, example: Oslo}]", &[]);
        check(
            "parameters: [{name: api_key, in: query, example: your_key}]",
            &[],
        );
        check("properties: {token_type: {default: bearer}}", &[]);
        check(
            "parameters: [{name: page_token, in: query, example: start}, {name: key, in: query, schema: {default: C major}}]",
            &[],
        );
        check(
            "properties: {session: {enum: [morning]}, sign: {const: aries}, token: {example: next}}",
            &[],
        );
        check(
            "properties: {default: {type: string}, token: {type: string}}",
            &[],
        );
    }
}
