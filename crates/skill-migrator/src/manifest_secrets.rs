//! Secrets in the values of a manifest: the name of a key indicates a secret, at any distance above
//! the value and with any escapes in the JSON text.

use plugin_model::{Kind, Node, escape_pointer, parse_jsonc};
use skill_diagnostics::{Diagnostic, LineIndex};
use skill_model::{described_secret, named_secret, scan_secrets};

/// Keys whose value belongs to the key above them.
const VALUE_KEYS: [&str; 14] = [
    "default",
    "defaultvalue",
    "default_value",
    "x-legacy-default",
    "example",
    "examples",
    "value",
    "values",
    "const",
    "enum",
    "sample",
    "默认值",
    "示例",
    "值",
];

/// A secret in a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManifestSecret {
    /// The secret itself. Never display it.
    pub value: String,
    /// JSON Pointer to the text that contains it.
    pub pointer: String,
    /// The kind of secret, with its article.
    pub kind: &'static str,
    /// Byte offset of the text that contains it.
    pub start: usize,
}

impl ManifestSecret {
    /// Returns the finding, with its position and without the value. `text` is the manifest.
    pub fn finding(&self, path: &str, text: &str) -> Diagnostic {
        let position = LineIndex::new(text).position(self.start);
        let message = format!(
            "{path}:{} contains what looks like {} at {}",
            position.line, self.kind, self.pointer
        );
        Diagnostic::error(crate::codes::SECRET_FOUND, message)
            .in_file(path)
            .at_pointer(&self.pointer)
            .with_help("move it to config.env, which is never copied, or use --secrets redact")
    }
}

/// Returns every secret in the values of a manifest, which may have comments. A text that is not JSON
/// has none.
pub fn manifest_secrets(text: &str) -> Vec<ManifestSecret> {
    let mut found = Vec::new();
    if let (Some(root), _) = parse_jsonc(text) {
        visit(&root, "", Context::default(), &mut found);
    }
    found
}

/// Returns the texts of a manifest that contain a value, as findings of the manifest.
pub fn places_of(value: &str, kind: &'static str, text: &str) -> Vec<ManifestSecret> {
    let (Some(root), _) = parse_jsonc(text) else {
        return Vec::new();
    };
    let holds = |pointer: &String| {
        let node = root.at(pointer)?;
        let is_there = node.as_str()?.contains(value);
        is_there.then(|| ManifestSecret {
            value: value.to_owned(),
            pointer: pointer.clone(),
            kind,
            start: node.span.start,
        })
    };
    root.leaves().iter().filter_map(holds).collect()
}

/// The keys above a value.
#[derive(Clone, Copy, Default)]
struct Context<'a> {
    name: &'a str,
    description: &'a str,
}

fn visit(node: &Node, pointer: &str, context: Context<'_>, found: &mut Vec<ManifestSecret>) {
    match &node.kind {
        Kind::Object(members) => {
            let description = node.get("description").and_then(Node::as_str);
            for member in members {
                let is_value = VALUE_KEYS.contains(&member.key.to_lowercase().as_str());
                let context = Context {
                    name: if is_value { context.name } else { &member.key },
                    description: description.filter(|_| is_value).unwrap_or_default(),
                };
                let pointer = format!("{pointer}/{}", escape_pointer(&member.key));
                visit(&member.value, &pointer, context, found);
            }
        }
        Kind::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                visit(item, &format!("{pointer}/{i}"), context, found);
            }
        }
        Kind::String(text) => found.extend(in_text(text, pointer, node.span.start, context)),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
    }
}

fn in_text(text: &str, pointer: &str, start: usize, context: Context<'_>) -> Vec<ManifestSecret> {
    let secret = |value: &str, kind| ManifestSecret {
        value: value.to_owned(),
        pointer: pointer.to_owned(),
        kind,
        start,
    };
    let kind =
        named_secret(context.name, text).or_else(|| described_secret(context.description, text));
    if let Some(kind) = kind {
        return vec![secret(text, kind)];
    }
    let hits = scan_secrets(text);
    hits.iter()
        .map(|hit| secret(&text[hit.range.clone()], hit.kind))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the pointers and values of the secrets.
    #[track_caller]
    fn check(manifest: &str, expected: &[(&str, &str)]) {
        let found = manifest_secrets(manifest);
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.pointer.as_str(), it.value.as_str()))
            .collect();
        assert_eq!(found, expected, "{manifest}");
    }

    #[test]
    fn a_key_names_the_values_beneath_it() {
        let random = ["q7Xk2m", "9fLp4RsT8vWz1YbN6c"].concat();
        let password = ["Sonne77", "blume!x"].concat();
        check(
            &format!(
                r#"{{"configSchema": {{"API_KEY": {{"type": "string", "default": "{random}"}}}}}}"#
            ),
            &[("/configSchema/API_KEY/default", &random)],
        );
        check(
            &format!(r#"{{"configSchema": {{"DB_PASSWORD": {{"default": "{password}"}}}}}}"#),
            &[("/configSchema/DB_PASSWORD/default", &password)],
        );
        check(
            &format!(r#"{{"properties": {{"db_password": {{"examples": ["{password}"]}}}}}}"#),
            &[("/properties/db_password/examples/0", &password)],
        );
        check(
            &format!(
                r#"{{"configSchema": {{"ZUGANG": {{"description": "服务密钥", "default": "{random}"}}}}}}"#
            ),
            &[("/configSchema/ZUGANG/default", &random)],
        );
        check(
            &format!(r#"{{"example": "token:\u300c\u59cb\u300d{random}\u300c\u672b\u300d"}}"#),
            &[("/example", &random)],
        );
        check(
            &format!(r#"{{"example": "密码:「始」{password}「末」"}}"#),
            &[("/example", &password)],
        );
    }

    #[test]
    fn ordinary_values_are_no_secrets() {
        for manifest in [
            r#"{"configSchema": {"API_KEY": "string"}}"#,
            r#"{"configSchema": {"API_KEY": {"type": "string", "description": "Get yours at https://a.org/k1"}}}"#,
            r#"{"configSchema": {"API_KEY": {"default": "your_api_key_here"}}}"#,
            r#"{"configSchema": {"API_KEY": {"default": ""}}}"#,
            r#"{"configSchema": {"KEY_FILE": {"default": "./keys/service1.json"}}}"#,
            r#"{"configSchema": {"MODEL": {"description": "model of the token counter", "default": "gpt-4o-mini-2024-07-18"}}}"#,
            r#"{"example": "secret:「始」tea-and-cake「末」"}"#,
            r#"{"example": "password:「始」你的密码「末」"}"#,
            r#"{"example": "token:「始」可选，访问令牌「末」"}"#,
            "no JSON",
        ] {
            check(manifest, &[]);
        }
    }
}
