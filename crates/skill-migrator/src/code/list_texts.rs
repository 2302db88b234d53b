//! Lists that a program also takes as text: `typeof teas === 'string' ? teas.split(',') : teas`.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::arguments::Reader;
use super::lexer::Token;
use super::outcome::arguments_behind;
use super::scopes::Scopes;

/// Maximum number of lists that are followed back to an argument.
const MAX: usize = 16;
/// Maximum number of tokens between a look at the type and the list.
const NEAR: usize = 30;

/// A list that may be text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListText {
    /// The name of the argument.
    pub(crate) argument: String,
    /// The sign between the items of the text.
    pub(crate) sign: String,
    /// The numbers of the commands; `None` for all.
    pub(crate) commands: Option<BTreeSet<usize>>,
}

/// Returns the arguments that are lists or text. Each command has all values that select it.
pub(crate) fn list_texts(code: &Analysis<'_, '_>, commands: &[Vec<String>]) -> Vec<ListText> {
    let mut places = Vec::new();
    for (file, reader) in code.readers.iter().enumerate() {
        for &at in reader.index.of("split") {
            if let Some((place, sign)) = split(reader, at) {
                places.push((file, place, sign));
            }
        }
    }
    if places.is_empty() {
        return Vec::new();
    }
    let scopes = Scopes::new(&code.readers, commands);
    let found = places.into_iter().take(MAX).filter_map(|(file, at, sign)| {
        let Token::Word(name) = code.readers[file].tokens[at] else {
            return None;
        };
        let mut names = arguments_behind(&code.readers, file, at, name).into_iter();
        let (Some(argument), None) = (names.next(), names.next()) else {
            return None;
        };
        Some(ListText {
            argument: argument.to_owned(),
            sign: sign.to_owned(),
            commands: scopes.at(file, at).commands,
        })
    });
    found.collect()
}

/// Returns the position of the name and the sign of `teas.split(',')` after a look at the type of `teas`.
fn split<'a>(reader: &Reader<'_, 'a>, at: usize) -> Option<(usize, &'a str)> {
    let place = at.checked_sub(2)?;
    let (Token::Word(name), Token::Sign('.')) = (reader.tokens[place], reader.tokens[at - 1])
    else {
        return None;
    };
    let [Token::Sign('('), Token::Text(sign), Token::Sign(')'), ..] = reader.tokens[at + 1..]
    else {
        return None;
    };
    let is_sign = matches!(sign, "," | "，" | "|" | ";");
    let start = at.saturating_sub(NEAR);
    let is_checked = reader.tokens[start..place].windows(5).any(|it| match it {
        [
            Token::Word("typeof"),
            Token::Word(found),
            Token::Sign('='),
            Token::Sign('='),
            _,
        ] => *found == name,
        [
            Token::Word("isinstance"),
            Token::Sign('('),
            Token::Word(found),
            Token::Sign(','),
            Token::Word("str"),
        ]
        | [
            Token::Word("isArray"),
            Token::Sign('('),
            Token::Word(found),
            Token::Sign(')'),
            _,
        ] => *found == name,
        _ => false,
    });
    let is_member = place > 0 && reader.tokens[place - 1] == Token::Sign('.');
    (is_sign && is_checked && !is_member).then_some((place, sign))
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn lists_or_text() {
        let check = |path: &str, code: &str, expected: &[(&str, &str)]| {
            let found = of_file(path, code, |code| list_texts(code, &[Vec::new()]));
            let found: Vec<(&str, &str)> =
                found.iter().map(|it| (&*it.argument, &*it.sign)).collect();
            assert_eq!(found, expected, "{code}");
        };
        check(
            "a.py",
            "import sys, json\ndef brew(teas):\n    if isinstance(teas, str):\n        teas = [s.strip() for s in teas.split(',')]\n    return teas\ndef main():\n    args = json.loads(sys.stdin.read())\n    teas = args.get('teas', [])\n    print(brew(teas))\nmain()\n",
            &[("teas", ",")],
        );
        check(
            "a.js",
            "function processToolCall(args) { return brew(args.teas); } function brew(teas) { const all = Array.isArray(teas) ? teas : teas.split('|'); return all; }",
            &[("teas", "|")],
        );
        check(
            "a.js",
            "function processToolCall(args) { const teas = args.teas; return teas.split(','); }",
            &[],
        );
    }
}
