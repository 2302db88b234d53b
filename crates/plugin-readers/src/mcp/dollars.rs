//! `$VAR` in the entries of Gemini CLI, which means what `${VAR}` means.
//!
//! Source: `packages/cli/src/utils/envVarResolver.ts` of Gemini CLI.

use plugin_model::{Kind, Node};

/// The keys whose texts have variables.
const KEYS: [&str; 7] = ["command", "args", "env", "headers", "url", "httpUrl", "cwd"];

/// Returns a table of servers with `${VAR}` in place of each `$VAR`.
pub(super) fn braced(table: &Node) -> Node {
    let mut res = table.clone();
    if let Kind::Object(entries) = &mut res.kind {
        let entries = entries.iter_mut().map(|it| &mut it.value.kind);
        for entry in entries {
            let Kind::Object(members) = entry else {
                continue;
            };
            let members = members.iter_mut();
            members
                .filter(|it| KEYS.contains(&it.key.as_str()))
                .for_each(|it| brace(&mut it.value));
        }
    }
    res
}

fn brace(node: &mut Node) {
    match &mut node.kind {
        Kind::String(text) => *text = braced_text(text),
        Kind::Array(items) => items.iter_mut().for_each(brace),
        Kind::Object(members) => members.iter_mut().for_each(|it| brace(&mut it.value)),
        _ => {}
    }
}

fn braced_text(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut parts = text.split('$');
    let mut res = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let length = part.find(|c| !is_part(c)).unwrap_or(part.len());
        let (name, rest) = part.split_at(length);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            res.extend(["$", part]);
        } else {
            res.extend(["${", name, "}", rest]);
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::braced_text;

    #[test]
    fn variables_without_braces() {
        for (text, expected) in [
            ("$TOKEN", "${TOKEN}"),
            ("Bearer $A_1-x", "Bearer ${A_1}-x"),
            ("${A:-b}/$C$D", "${A:-b}/${C}${D}"),
            ("a$1 $ $", "a$1 $ $"),
        ] {
            assert_eq!(braced_text(text), expected);
        }
    }
}
