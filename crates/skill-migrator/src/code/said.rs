//! Errors that say which arguments go together: `throw new Error('give "leaf", or both "bag" and "pot"')`.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::Reader;
use super::lexer::Token;

/// Maximum length of such a text.
const MAX: usize = 200;
/// Words of a choice.
const CHOICES: [&str; 6] = [" or ", "either", "one of", "或", "至少", "二选一"];

/// Returns the text for each argument that one names together with others.
pub(super) fn said(
    reader: &Reader<'_, '_>,
    is_of: &dyn Fn(usize) -> bool,
) -> BTreeMap<String, String> {
    let known = reader.reads();
    let mut res = BTreeMap::new();
    for at in 2..reader.tokens.len() {
        let Token::Text(text) = reader.tokens[at] else {
            continue;
        };
        let is_error = matches!(
            reader.tokens[..at],
            [.., Token::Word(class), Token::Sign('(')]
                if class.ends_with("Error") || class.ends_with("Exception")
        );
        let is_choice = CHOICES.iter().any(|word| text.contains(word));
        let is_plain = text.len() <= MAX && !text.contains(['$', '\n', '\\', '{', '`']);
        if !is_error || !is_choice || !is_plain || !is_of(at) {
            continue;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = text.split(|c| !is_word(c));
        let named: BTreeSet<&str> = words.filter(|word| known.contains(word)).collect();
        if named.len() > 1 {
            let pairs = named
                .into_iter()
                .map(|name| (name.to_owned(), text.to_owned()));
            res.extend(pairs);
        }
    }
    res
}

/// Words before names of which one is needed.
const NEEDS: [&str; 12] = [
    "必须提供",
    "需要提供",
    "至少提供",
    "至少需要",
    "至少指定",
    "必须指定",
    "请提供",
    "either",
    "one of",
    "provide",
    "requires",
    "Please use",
];

/// Returns the groups of arguments of which an error wants one, with the position of its condition: `throw new
/// Error("give 'leaf' or 'bag'")` after `if`.
pub(super) fn one_of_said<'a>(reader: &Reader<'_, 'a>) -> Vec<(usize, Vec<&'a str>)> {
    const NEAR: usize = 60;
    let known = reader.reads();
    let mut res = Vec::new();
    for at in 2..reader.tokens.len() {
        let Token::Text(text) = reader.tokens[at] else {
            continue;
        };
        if text.len() > MAX || !NEEDS.iter().any(|word| text.contains(word)) {
            continue;
        }
        let names = alternatives(text, &|name| known.get(name).copied());
        if names.len() < 2 {
            continue;
        }
        let ifs = (at.saturating_sub(NEAR)..at).rev();
        let mut ifs = ifs.filter(|it| matches!(reader.tokens[*it], Token::Word("if")));
        let is_error = |it: &usize| {
            let stop = reader.condition(it + 2).map(|(_, stop)| stop);
            stop.is_some_and(|stop| stop < at && reader.fails(stop))
        };
        if let Some(condition) = ifs.next().filter(is_error) {
            res.push((condition, names));
        }
    }
    res
}

/// Returns the names after a word of need, with nothing but signs and `or` between them.
fn alternatives<'a>(text: &str, known: &dyn Fn(&str) -> Option<&'a str>) -> Vec<&'a str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for word in NEEDS {
        let Some((_, rest)) = text.split_once(word) else {
            continue;
        };
        let (mut res, mut has_or, mut rest) = (Vec::new(), false, rest);
        loop {
            let start = rest.find(is_name).unwrap_or(rest.len());
            let gap = &rest[..start];
            has_or |= gap.contains(['或', '/']) || word.contains("至少") || word == "one of";
            let is_sign = |c: char| "或者、，,/ '\"`“”「」:：".contains(c);
            let is_first = res.is_empty();
            let is_plain = gap.chars().all(is_sign) || is_first && gap.chars().count() <= 4;
            let end = rest[start..]
                .find(|c| !is_name(c))
                .map_or(rest.len(), |it| start + it);
            let name = &rest[start..end];
            match (name, known(name)) {
                _ if !is_plain => break,
                ("or", _) => has_or = true,
                ("either", _) if is_first => {}
                (_, Some(name)) => res.push(name),
                // Another word says more of the last name: `both a and b`.
                ("and" | "both" | "with", _) => {
                    res.clear();
                    break;
                }
                _ => break,
            }
            rest = &rest[end..];
        }
        if has_or && res.len() > 1 {
            return res;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_which_one_is_needed() {
        let check = |text: &str, expected: &[&str]| {
            let known = ["leaf", "bag", "pot"];
            let is_known = |name: &str| known.into_iter().find(|it| *it == name);
            assert_eq!(alternatives(text, &is_known), expected, "{text}");
        };
        check("必须提供 'leaf' 或 'bag'。", &["leaf", "bag"]);
        check(
            "缺少 tea，必须提供 leaf、bag 或 pot 参数",
            &["leaf", "bag", "pot"],
        );
        check(
            "Please use 'leaf', 'bag', or 'pot'.",
            &["leaf", "bag", "pot"],
        );
        check("either \"leaf\" or both \"bag\" and \"pot\"", &[]);
        check("必须提供 leaf 和 bag", &[]);
        check("requires leaf", &[]);
    }
}
