//! The places of words and the pairs of brackets of a file, found in one pass.

use std::collections::BTreeMap;

use super::lexer::Token;

/// The places of words and the pairs of brackets of a file.
pub(super) struct WordIndex<'a> {
    /// The positions of each word, in order.
    words: BTreeMap<&'a str, Vec<usize>>,
    /// The bracket that closes each opening one.
    closing: BTreeMap<usize, usize>,
    /// The innermost opening bracket around each position.
    around: Vec<Option<usize>>,
}

impl<'a> WordIndex<'a> {
    /// Reads the tokens of a file.
    pub(super) fn new(tokens: &[Token<'a>]) -> Self {
        let mut res = Self {
            words: BTreeMap::new(),
            closing: BTreeMap::new(),
            around: Vec::with_capacity(tokens.len()),
        };
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if matches!(token, Token::Sign(')' | ']' | '}'))
                && let Some(start) = open.pop()
            {
                res.closing.insert(start, at);
            }
            res.around.push(open.last().copied());
            match token {
                Token::Word(word) => res.words.entry(word).or_default().push(at),
                Token::Sign('(' | '[' | '{') => open.push(at),
                _ => {}
            }
        }
        res
    }

    /// Returns the positions of a word, in order.
    pub(super) fn of(&self, word: &str) -> &[usize] {
        self.words.get(word).map_or(&[], Vec::as_slice)
    }

    /// Returns the bracket that closes the one at a position.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        self.closing.get(&open).copied()
    }

    /// Returns the innermost opening bracket around a position.
    pub(super) fn around(&self, at: usize) -> Option<usize> {
        self.around.get(at).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::closing;
    use super::super::lexer::javascript;
    use super::*;

    #[test]
    fn words_and_brackets() {
        for code in ["a(b, { a: [c] }) }", "( a ] b )", "}} a ((", ""] {
            let tokens = javascript(code);
            let index = WordIndex::new(&tokens);
            for (at, token) in tokens.iter().enumerate() {
                match token {
                    Token::Word(word) => assert!(index.of(word).contains(&at), "{code}"),
                    Token::Sign('(' | '[' | '{') => {
                        assert_eq!(index.closing(at), closing(&tokens, at), "{code}");
                    }
                    _ => {}
                }
                let is_around = |open: &usize| {
                    matches!(tokens[*open], Token::Sign('(' | '[' | '{'))
                        && closing(&tokens, *open).is_none_or(|end| end > at)
                };
                assert_eq!(index.around(at), (0..at).rev().find(is_around), "{code}");
            }
        }
    }
}
