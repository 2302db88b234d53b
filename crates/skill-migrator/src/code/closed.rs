//! The places where a program gives its arguments as a whole to other code, which may read more of them.

use super::arguments::Reader;
use super::facts::Language;
use super::lexer::Token;

/// Returns the positions where the arguments go to code that is not followed.
pub(super) fn escapes(readers: &[Reader<'_, '_>], file: usize) -> Vec<usize> {
    let reader = &readers[file];
    let tokens = reader.tokens;
    let is_known = |name: &str| readers.iter().any(|it| it.defines(name));
    let escapes = |at: &usize| {
        if !reader.is_object(*at) {
            return false;
        }
        let rest = &tokens[*at + 1..];
        // `args[name]`
        if matches!(rest, [Token::Sign('['), next, ..] if !matches!(next, Token::Text(_))) {
            return true;
        }
        let is_end = matches!(
            rest,
            [Token::Sign(',' | ')' | '}' | ']'), ..]
                | [Token::Sign('|' | '?'), Token::Sign('|' | '?'), ..]
        );
        match tokens[..*at] {
            [.., Token::Word("of" | "in")] => true,
            [.., Token::Word(callee), Token::Sign('(')] => {
                let is_log = matches!(
                    callee,
                    "stringify" | "log" | "error" | "dumps" | "print" | "isArray" | "keys"
                );
                is_end && !is_known(callee) && !is_log || callee == "keys"
            }
            [.., Token::Sign(',' | '*'), Token::Sign('*')] => true,
            [.., Token::Sign('.'), Token::Sign('.'), Token::Sign('.')] => true,
            [.., Token::Sign(',' | '[' | ':')] => {
                is_end && !callee_of(reader, *at).is_some_and(is_known)
            }
            _ => false,
        }
    };
    let mut res: Vec<usize> = (1..tokens.len()).filter(escapes).collect();
    // Names that the call makes: `` args[`tea${i}`] ``.
    let is_template = |at: &usize| {
        matches!(tokens[*at], Token::Text(text) if is_pattern(text, reader.language))
            && matches!(tokens[..*at], [.., Token::Sign('[' | '(')])
    };
    res.extend((1..tokens.len()).filter(is_template));
    res
}

fn is_pattern(text: &str, language: Language) -> bool {
    let (sign, close) = match language {
        Language::JavaScript => ("${", '}'),
        Language::Python => ("{", '}'),
    };
    text.len() < 40
        && text.ends_with(close)
        && text.find(sign).is_some_and(|at| {
            at > 0
                && text[..at]
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
}

/// Returns the function of which a position is an argument.
fn callee_of<'a>(reader: &Reader<'_, 'a>, at: usize) -> Option<&'a str> {
    let open = reader.index.around(at)?;
    match reader.tokens[..open] {
        [.., Token::Word(name)] if reader.tokens[open] == Token::Sign('(') => Some(name),
        _ => None,
    }
}
