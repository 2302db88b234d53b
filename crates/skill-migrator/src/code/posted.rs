//! Settings with the whole address of a chat: code sends its messages to the value as it is.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::lexer::Token;
use super::tested::names;

/// Returns the settings whose value is the address of a request with messages.
pub(crate) fn posted(code: &Analysis<'_, '_>, keys: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut res = BTreeSet::new();
    for reader in &code.readers {
        let is_messages = |two: &[Token<'_>]| {
            matches!(
                two,
                [
                    Token::Word("messages") | Token::Text("messages"),
                    Token::Sign(':')
                ]
            )
        };
        if !reader.tokens.windows(2).any(is_messages) {
            continue;
        }
        let names = names(reader.tokens, keys);
        for at in 0..reader.tokens.len() {
            let [Token::Word(function), Token::Sign('('), ref rest @ ..] = reader.tokens[at..]
            else {
                continue;
            };
            if !matches!(function, "fetch" | "post") {
                continue;
            }
            // `fetch(URL,`, `post(this.url,`
            let end = rest
                .iter()
                .position(|it| matches!(it, Token::Sign(',' | ')')));
            let argument = &rest[..end.unwrap_or(0).min(6)];
            let is_plain = argument
                .iter()
                .all(|it| matches!(it, Token::Word(_) | Token::Sign('.')));
            let Some(Token::Word(last)) = argument.last().filter(|_| is_plain) else {
                continue;
            };
            let key = keys.get(last).or(names.get(last));
            res.extend(key.map(|key| (*key).to_owned()));
        }
    }
    // A path is added to it elsewhere: `${url}/models`.
    let mut bases: BTreeSet<&str> = BTreeSet::new();
    for reader in &code.readers {
        let names = names(reader.tokens, keys);
        for token in reader.tokens {
            let Token::Text(text) = token else { continue };
            for (head, _) in text.match_indices("}/").map(|(at, _)| text.split_at(at)) {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let name = head.rsplit(|c| !is_word(c)).next().unwrap_or_default();
                bases.extend(names.get(name).or(keys.get(name)));
            }
        }
    }
    res.retain(|key| !bases.contains(key.as_str()));
    res
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn addresses_that_are_whole() {
        let check = |code: &str, expected: bool| {
            let keys = BTreeSet::from(["TEA_URL"]);
            let found = of_file("a.js", code, |code| posted(code, &keys));
            assert_eq!(!found.is_empty(), expected, "{code}");
        };
        let code = "const url = process.env.TEA_URL; fetch(url, { body: { messages: [] } })";
        check(code, true);
        check(
            "const url = process.env.TEA_URL; fetch(`${url}/chat`, { body: { messages: [] } })",
            false,
        );
        check(
            "const url = process.env.TEA_URL; fetch(url, { body: { cups: 1 } })",
            false,
        );
    }
}
