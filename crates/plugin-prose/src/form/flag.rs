//! Reads options of a command line: `-i, --input <path>  text`, below a heading of parameters.

use crate::lex::chars::starts_name;
use crate::lex::names;

/// Returns the name of an option and the text after it and its placeholder.
pub(crate) fn read(text: &str) -> Option<(&str, &str)> {
    let text = short(text).unwrap_or(text).trim_start_matches('`');
    let body = text
        .strip_prefix("--")
        .filter(|rest| rest.starts_with(starts_name))?;
    let (name, rest) = names::take_ident(body)?;
    let rest = rest.trim_start_matches('`');
    Some((name, placeholder(rest)))
}

/// Skips `-i, `.
fn short(text: &str) -> Option<&str> {
    // The bullet of a list may have taken the dash.
    let rest = text.strip_prefix('-').unwrap_or(text);
    let letter = rest.chars().next().filter(char::is_ascii_alphanumeric)?;
    let rest = rest[letter.len_utf8()..].trim_start_matches([',', '/', '|', ' ']);
    rest.starts_with("--").then_some(rest)
}

/// Skips ` <path>`, `=PATH` or ` PATH`, which name the value of the option.
fn placeholder(rest: &str) -> &str {
    let body = rest.trim_start_matches(['=', ' ']);
    if body.len() == rest.len() {
        return rest;
    }
    for (open, close) in [('<', '>'), ('[', ']')] {
        if let Some((inner, after)) = body
            .strip_prefix(open)
            .and_then(|body| body.split_once(close))
            && inner.len() < 40
            && (open == '<' || after.starts_with("  "))
        {
            return after;
        }
    }
    let end = body
        .find(|c: char| !(c.is_ascii_uppercase() || c == '_'))
        .unwrap_or(body.len());
    if end > 1 && body[end..].starts_with("  ") {
        &body[end..]
    } else {
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = read(text).map(|(name, rest)| (name, rest.trim()));
        assert_eq!(found, expected);
    }

    #[test]
    fn options_of_a_command_line() {
        check("--leaf <kind>   which leaf", Some(("leaf", "which leaf")));
        check("-l, --leaf KIND  which leaf", Some(("leaf", "which leaf")));
        check("--cold     no heat", Some(("cold", "no heat")));
        check(
            "--leaf: (required) which",
            Some(("leaf", ": (required) which")),
        );
        check("-- leaf", None);
        check("-5 degrees", None);
    }
}
