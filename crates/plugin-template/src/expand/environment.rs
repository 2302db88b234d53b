//! Variables in the settings of OpenCode, which replaces `{env:KEY}` before it reads a template.
//!
//! Source: `packages/opencode/src/config/variable.ts`. A Markdown command has no such variables: the host
//! sends `{env:KEY}` as it is.

use std::ops::Range;

use crate::code::Code;

/// The mark of a variable.
const MARK: &str = "{env:";

/// A variable in the settings of OpenCode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnvironmentVariable<'t> {
    /// The byte range of `{env:KEY}`.
    pub range: Range<usize>,
    /// The name of the variable.
    pub key: &'t str,
    /// True in fenced or inline code.
    pub is_code: bool,
}

/// Returns the variables of a text in the settings, in order. An empty name is text.
///
/// ```
/// let found = plugin_template::environment_variables("Ask {env:TEAM}, then {env:}.");
/// assert_eq!((found.len(), found[0].key), (1, "TEAM"));
/// ```
pub fn environment_variables(text: &str) -> Vec<EnvironmentVariable<'_>> {
    let mut res: Vec<EnvironmentVariable<'_>> = Vec::new();
    if !text.contains(MARK) {
        return res;
    }
    let code = Code::read(text);
    for (at, _) in text.match_indices(MARK) {
        let start = at + MARK.len();
        let end = text[start..].find('}').map(|length| start + length);
        let is_free = res.last().is_none_or(|last| last.range.end <= at);
        if let Some(end) = end.filter(|end| is_free && *end > start) {
            res.push(EnvironmentVariable {
                range: at..end + 1,
                key: text[start..end].trim(),
                is_code: code.is_in_span(at) || code.fence_at(at).is_some(),
            });
        }
    }
    res
}

/// Returns a template of the settings with words for its variables, and with `$KEY` in code. Their values are
/// not read: a text could name a secret.
///
/// ```
/// let text = plugin_template::environment_words("Ask {env:TEAM}, then `echo {env:TEAM}`.");
/// assert_eq!(text, "Ask [the value of the environment variable TEAM], then `echo $TEAM`.");
/// ```
pub fn environment_words(text: &str) -> String {
    with_environment_words(text, &|key| {
        ["[the value of the environment variable ", key, "]"].concat()
    })
}

/// Like [`environment_words`], with other words for the value of a variable.
pub fn with_environment_words(text: &str, words: &dyn Fn(&str) -> String) -> String {
    let mut res = String::with_capacity(text.len());
    let mut rest = 0;
    for variable in environment_variables(text) {
        res.push_str(&text[rest..variable.range.start]);
        if variable.is_code {
            res.extend(["$", variable.key]);
        } else {
            res.push_str(&words(variable.key));
        }
        rest = variable.range.end;
    }
    res + &text[rest..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(environment_words(text), expected);
    }

    #[test]
    fn variables_are_words() {
        check(
            "{env:A}{env: B }",
            "[the value of the environment variable A][the value of the environment variable B]",
        );
        check("!`ls {env:A}` $1", "!`ls $A` $1");
        check("```sh\nls {env:A}\n```", "```sh\nls $A\n```");
        check("{env:} {env:A", "{env:} {env:A");
        check(
            "{file:{env:A}}",
            "{file:[the value of the environment variable A]}",
        );
    }
}
