//! Parts of a value in code: `x.pot.lid`, `x["pot"]`, `x.get("pot", {})`.

use serde_json::Value;

use super::super::arguments::{Reader, is_argument};
use super::super::facts::Language;
use super::super::functions::owner;
use super::super::lexer::Token;
use super::members::ITEMS;

/// A part of a value in code: its position, the members, the position after it, the literal in place of it.
pub(super) struct Place<'a> {
    pub(super) at: usize,
    pub(super) path: Vec<&'a str>,
    pub(super) end: usize,
    pub(super) default: Option<Value>,
}

pub(super) struct Of<'r, 't, 'a> {
    pub(super) readers: &'r [Reader<'t, 'a>],
    pub(super) reader: &'r Reader<'t, 'a>,
    pub(super) file: usize,
    pub(super) function: usize,
}

impl<'a> Of<'_, '_, 'a> {
    /// Returns true for the name at a position, which is not a member or a key of another one.
    pub(super) fn is_it(&self, name: &str, at: usize) -> bool {
        let tokens = self.reader.tokens;
        let is_member = matches!(tokens[..at], [.., Token::Sign('.')])
            && !matches!(tokens[..at], [.., Token::Sign('.'), Token::Sign('.')]);
        let is_key = matches!(tokens[..at], [.., Token::Sign('{' | ',')])
            && tokens.get(at + 1) == Some(&Token::Sign(':'));
        !is_member && !is_key && owner(&self.reader.functions, name, at) == self.function
    }

    /// Reads the members after the name at a position.
    pub(super) fn place(&self, at: usize) -> Place<'a> {
        let tokens = self.reader.tokens;
        let is_python = self.reader.language == Language::Python;
        let mut res = Place {
            at,
            path: Vec::new(),
            end: at + 1,
            default: None,
        };
        loop {
            let dot = match tokens[res.end..] {
                [Token::Sign('?'), Token::Sign('.'), ..] => 2,
                [Token::Sign('.'), ..] => 1,
                _ => 0,
            };
            let rest = &tokens[res.end + dot..];
            match (dot, rest) {
                (
                    1,
                    [
                        Token::Word("get" | "pop"),
                        Token::Sign('('),
                        Token::Text(key),
                        ..,
                    ],
                ) if is_python => {
                    let Some(close) = self.reader.index.closing(res.end + 2) else {
                        return res;
                    };
                    let after = res.end + 4;
                    let default = (after < close && tokens[after] == Token::Sign(','))
                        .then(|| self.reader.constant(&tokens[after + 1..close]));
                    res.default = default.flatten();
                    res.path.push(key);
                    res.end = close + 1;
                }
                (0 | 2, [Token::Sign('['), Token::Text(key), Token::Sign(']'), ..]) => {
                    res.path.push(key);
                    res.end += dot + 3;
                }
                (0, [Token::Sign('['), Token::Word(_), Token::Sign(']'), ..]) => {
                    res.path.push(ITEMS);
                    res.end += 3;
                }
                (1 | 2, [Token::Word(key), after @ ..])
                    if !is_python
                        && after.first() != Some(&Token::Sign('('))
                        && is_argument(key) =>
                {
                    res.path.push(key);
                    res.end += dot + 1;
                }
                _ => return res,
            }
        }
    }
}
