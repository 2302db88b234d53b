//! Variables in the settings of OpenCode, which replaces `{env:KEY}` before it reads a template.
//!
//! Source: `packages/opencode/src/config/variable.ts`. A Markdown command has no such variables: the host
//! sends `{env:KEY}` as it is.

use crate::code::Code;

/// The mark of a variable.
const MARK: &str = "{env:";

/// Returns a template of the settings with words for its variables, and with `$KEY` in code. Their values are
/// not read: a text could name a secret.
///
/// ```
/// let text = plugin_template::environment_words("Ask {env:TEAM}, then `echo {env:TEAM}`.");
/// assert_eq!(text, "Ask [the value of the environment variable TEAM], then `echo $TEAM`.");
/// ```
pub fn environment_words(text: &str) -> String {
    if !text.contains(MARK) {
        return text.to_owned();
    }
    let code = Code::read(text);
    let mut res = String::with_capacity(text.len());
    let mut rest = 0;
    for (at, _) in text.match_indices(MARK) {
        let start = at + MARK.len();
        let length = text[start..].find('}').filter(|length| *length > 0);
        let Some(length) = length.filter(|_| at >= rest) else {
            continue;
        };
        res.push_str(&text[rest..at]);
        let key = text[start..start + length].trim();
        if code.is_in_span(at) || code.fence_at(at).is_some() {
            res.extend(["$", key]);
        } else {
            res.extend(["[the value of the environment variable ", key, "]"]);
        }
        rest = start + length + 1;
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
