//! Errors that say which arguments are missing: `if (!leaf) throw new Error('leaf or bag is required')`.

use std::collections::BTreeSet;

use super::arguments::Reader;
use super::facts::Language;
use super::lexer::Token;

/// Endings of such a text.
const ENDINGS: [&str; 4] = [" is required", " are required", " 不能为空", "不能为空"];
/// Maximum number of tokens between a condition and the text of its error.
const NEAR: usize = 16;

/// Returns the position of each condition with the groups of arguments of which it wants one each.
pub(super) fn said_needs<'a>(reader: &Reader<'_, 'a>) -> Vec<(usize, Vec<Vec<&'a str>>)> {
    if reader.language != Language::JavaScript {
        return Vec::new();
    }
    let starts = reader.index.of("if").iter();
    let mut starts = starts.peekable();
    if starts.peek().is_none() {
        return Vec::new();
    }
    let known = reader.reads();
    let paths = made_paths(reader);
    let found = starts.filter_map(|&at| {
        let open = at + 1;
        let end = (reader.tokens.get(open)? == &Token::Sign('('))
            .then(|| reader.index.closing(open))??;
        let condition = &reader.tokens[open + 1..end];
        let is_path =
            |token: &Token<'_>| matches!(token, Token::Word(name) if paths.contains(name));
        if !wants(condition) || condition.iter().any(is_path) {
            return None;
        }
        let block = &reader.tokens[end + 1..reader.tokens.len().min(end + 1 + NEAR)];
        let block = match block.iter().position(|it| *it == Token::Sign('}')) {
            Some(close) => &block[..close],
            None => block,
        };
        let is_end = |token: &Token<'_>| matches!(token, Token::Word("throw" | "return"));
        let exit = block.iter().take(2).position(is_end)?;
        let text = block[exit..].iter().find_map(|token| match token {
            Token::Text(text) if ENDINGS.iter().any(|it| text.ends_with(it)) => Some(*text),
            _ => None,
        })?;
        let groups = groups(text)?;
        let all_known = groups.iter().flatten().all(|name| known.contains(name));
        all_known.then_some((at, groups))
    });
    found.collect()
}

/// Returns the names of paths that are never empty: `const leaf = path.resolve(args.leaf || '')`.
fn made_paths<'a>(reader: &Reader<'_, 'a>) -> BTreeSet<&'a str> {
    let tokens = reader.tokens;
    let names = reader.index.of("path").iter().filter_map(|&at| {
        let is_made = matches!(
            tokens[at + 1..],
            [
                Token::Sign('.'),
                Token::Word("resolve" | "join" | "normalize"),
                ..
            ]
        );
        match tokens[..at] {
            [.., Token::Word(name), Token::Sign('=')] if is_made => Some(name),
            _ => None,
        }
    });
    names.collect()
}

/// Returns true for a condition on what is missing: `!leaf`, `!leaf || !pot`, `!path || path === root`.
fn wants(condition: &[Token<'_>]) -> bool {
    let is_not = |clause: &[Token<'_>]| {
        matches!(clause, [Token::Sign('!'), Token::Word(_), rest @ ..]
            if rest.iter().all(|it| matches!(it, Token::Word(_) | Token::Sign('.' | '?'))))
    };
    let clauses = condition.split(|it| matches!(it, Token::Sign('|' | '&')));
    let mut clauses = clauses.filter(|it| !it.is_empty());
    if condition.contains(&Token::Sign('&')) {
        clauses.all(is_not)
    } else {
        clauses.any(is_not)
    }
}

/// Reads `a is required`, `a or b is required`, `a and b are required`.
fn groups(text: &str) -> Option<Vec<Vec<&str>>> {
    let names = ENDINGS.iter().find_map(|it| text.strip_suffix(it))?;
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if names.contains(" and ") && names.contains(" or ") {
        return None;
    }
    let split = |sign: &'static str| {
        let parts = names.split(sign);
        parts.map(|name| name.trim_matches(['\'', '"', '`', ' ']))
    };
    let res: Vec<Vec<&str>> = if names.contains(" or ") {
        vec![split(" or ").collect()]
    } else {
        split(" and ").map(|name| vec![name]).collect()
    };
    res.iter()
        .flatten()
        .all(|name| is_name(name))
        .then_some(res)
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn errors_name_what_is_missing() {
        let check = |condition: &str, text: &str, expected: &[&[&str]]| {
            let code = format!(
                "async function processToolCall(args) {{ const leaf = args.leaf || args.bag; const pot = args.pot; if ({condition}) {{ throw new Error('{text}'); }} return leaf + pot; }}"
            );
            let found = of_file("a.js", &code, |it| {
                let found = said_needs(&it.readers[0]).into_iter().next();
                found.map(|(_, groups)| {
                    let own = |it: Vec<&str>| it.iter().map(|it| (*it).to_owned()).collect();
                    groups.into_iter().map(own).collect::<Vec<Vec<String>>>()
                })
            });
            assert_eq!(found.unwrap_or_default(), expected, "{condition}: {text}");
        };
        check("!leaf", "leaf or bag is required", &[&["leaf", "bag"]]);
        check("!leaf || leaf === '/'", "leaf is required", &[&["leaf"]]);
        check(
            "!leaf || !pot",
            "leaf and pot are required",
            &[&["leaf"], &["pot"]],
        );
        check("pot === 'x' && !leaf", "leaf is required", &[]);
        check("!leaf", "water is required", &[]);
        check("!leaf", "leaf is not tea", &[]);
        check("leaf > 3", "leaf is required", &[]);
        let code = "async function processToolCall(args) { const leaf = path.resolve(args.leaf || ''); if (!leaf) { throw new Error('leaf is required'); } return leaf; }";
        let found = of_file("a.js", code, |it| said_needs(&it.readers[0]).len());
        assert_eq!(found, 0);
    }
}
