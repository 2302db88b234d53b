//! Rewrites calls without marks, `tool_name=Tea, command=brew, leaf=green`, in the form of the protocol, so
//! that they are read like any other call.

use std::borrow::Cow;

use crate::lex::call::{BLOCK_END, BLOCK_START};
use crate::lex::chars::{in_name, starts_name};

/// The beginning of such a call.
const START: &str = "tool_name=";

/// Returns the text with its plain calls in the form of the protocol.
///
/// A call ends with its line, or where the next begins. A value ends at a comma before another
/// `key=`, so it may have commas and full stops of its own.
pub(crate) fn marked(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(START) || text.contains("「始」") {
        return text;
    }
    let mut res = String::with_capacity(text.len() * 2);
    for line in text.split_inclusive('\n') {
        let mut parts = line.split(START);
        let before = parts.next().unwrap_or_default();
        let mut calls = parts.peekable();
        if calls.peek().is_none() {
            res.push_str(before);
            continue;
        }
        let before = without_breaks(before).trim_end_matches(['-', '*', '`', ' ']);
        if !before.is_empty() {
            res.push_str(before);
            res.push('\n');
        }
        for call in calls {
            push(&mut res, without_breaks(call).trim_end_matches('`'));
        }
    }
    Cow::Owned(res)
}

/// Returns a part of a line without the breaks after it, those that are written as `\n` included.
fn without_breaks(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix('n')
        .filter(|rest| rest.ends_with('\\'))
        .map_or(text, |rest| rest.trim_end_matches('\\').trim_end())
}

/// Adds a call: the name of the tool, then its arguments.
fn push(res: &mut String, call: &str) {
    res.push_str(BLOCK_START);
    res.push_str("\ntool_name:「始」");
    let mut rest = call;
    while let Some((at, key)) = next_key(rest) {
        res.push_str(rest[..at].trim_end().trim_end_matches(',').trim_end());
        res.push_str("「末」,\n");
        res.push_str(key);
        res.push_str(":「始」");
        rest = &rest[at + key.len() + 1..];
    }
    res.push_str(rest.trim());
    res.push_str("「末」\n");
    res.push_str(BLOCK_END);
    res.push('\n');
}

/// Returns the place and the name of the next argument: `, name=`.
fn next_key(text: &str) -> Option<(usize, &str)> {
    text.match_indices(',').find_map(|(comma, _)| {
        let after = &text[comma + 1..];
        let name = after.trim_start();
        let length = name.find(|c| !in_name(c))?;
        let is_key = name.starts_with(starts_name) && name[length..].starts_with('=');
        is_key.then(|| (text.len() - name.len(), &name[..length]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a text, whose calls are shown as `[key:value|…]`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = marked(Cow::Borrowed(text))
            .replace(&format!("{BLOCK_START}\n"), "[")
            .replace(&format!("「末」\n{BLOCK_END}\n"), "]")
            .replace("「末」,\n", "|")
            .replace("「始」", "");
        assert_eq!(found, expected);
    }

    #[test]
    fn plain_calls() {
        check("tool_name=Tea", "[tool_name:Tea]");
        check(
            "例:\ntool_name=Tea, command=brew, leaf=绿茶。不加糖, cups=2\n完",
            "例:\n[tool_name:Tea|command:brew|leaf:绿茶。不加糖|cups:2]完",
        );
        check(
            "- `tool_name=Tea, kinds=a,b,c`",
            "[tool_name:Tea|kinds:a,b,c]",
        );
        check(
            "tool_name=Tea, days=30\\\\ntool_name=Tea, days=3",
            "[tool_name:Tea|days:30][tool_name:Tea|days:3]",
        );
        check("Every tool has a tool_name.", "Every tool has a tool_name.");
        check("tool_name=Tea, a:「始」1「末」", "tool_name=Tea, a:1「末」");
    }
}
