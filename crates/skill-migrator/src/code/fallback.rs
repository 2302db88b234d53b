//! The replacement of a setting without a value.

use super::lexer::Token;
use super::setting_use::Fallback;
use super::uses::{Reader, WINDOW, is_settings};

impl Reader<'_, '_> {
    /// Returns the replacement of a missing value, and whether the value is compared with a truth
    /// value.
    pub(super) fn fallback(&self, at: usize, end: usize) -> (Option<Fallback>, bool) {
        if self.ends_without(at, end) {
            return (Some(Fallback::Ends), false);
        }
        let mut at = end;
        let limit = self.tokens.len().min(end + WINDOW);
        let mut found = None;
        let mut is_closed = false;
        while at < limit {
            match (&self.tokens[at], self.sign(at + 1)) {
                (Token::Sign('.'), _) if self.word(at + 1).is_some_and(is_trimming) => at += 2,
                (Token::Sign('('), Some(')')) => at += 2,
                (Token::Sign(')'), _) => {
                    is_closed = true;
                    at += 1;
                }
                (Token::Sign(','), Some(_) | None) => {
                    let is_radix = matches!(self.word(at + 1), Some("10" | "16"));
                    let closes = self.sign(at + 2) == Some(')');
                    if is_radix && closes {
                        is_closed = true;
                        at += 3;
                    } else if found.is_none() && !is_closed && self.is_argument(end, at) {
                        found = self.value(at + 1);
                        at += 2;
                    } else {
                        break;
                    }
                }
                (Token::Sign('|'), Some('|')) | (Token::Sign('?'), Some('?')) => {
                    return (self.value(at + 2).or(found), false);
                }
                (Token::Word("or"), _) => return (self.value(at + 1).or(found), false),
                (Token::Sign('='), Some('=')) => return self.compared(at + 2, false, found),
                (Token::Sign('!'), Some('=')) => return self.compared(at + 2, true, found),
                (Token::Word("in"), _) => return (found.or(Some(Fallback::Nothing)), true),
                (Token::Sign('?'), _) => return (self.otherwise(at + 1).or(found), false),
                (Token::Sign('='), _) if end == at => return (self.value(at + 1), false),
                _ => break,
            }
        }
        (found, found == Some(Fallback::On))
    }

    /// Returns whether a `,` at `at` separates arguments of the call that contains the setting.
    fn is_argument(&self, end: usize, at: usize) -> bool {
        // In `{ A, B } = process.env` and `{ a: process.env.A, b }` commas separate members, not arguments.
        let is_part = |token: &Token<'_>| {
            matches!(
                token,
                Token::Word(_) | Token::Text(_) | Token::Sign('.' | '[' | ']' | ')' | '?')
            )
        };
        let before = self.tokens[..end].iter().rposition(|token| !is_part(token));
        before.is_some_and(|before| self.sign(before) == Some('(')) && at < end + 8
    }

    fn compared(
        &self,
        at: usize,
        is_not: bool,
        found: Option<Fallback>,
    ) -> (Option<Fallback>, bool) {
        let at = if self.sign(at) == Some('=') {
            at + 1
        } else {
            at
        };
        let Some(Token::Text(word) | Token::Word(word)) = self.tokens.get(at) else {
            return (found, false);
        };
        let word = word.to_lowercase();
        let is_true = matches!(&word[..], "true" | "1" | "yes" | "on");
        let is_false = matches!(&word[..], "false" | "0" | "no" | "off");
        match (is_true, is_false) {
            // `X === 'true'` is off without a value, unless there is a replacement.
            (true, _) if !is_not => (found.or(Some(Fallback::Nothing)), true),
            (_, true) => (found.or(Some(Fallback::On)), true),
            (true, _) => (found.or(Some(Fallback::Nothing)), true),
            _ => (found, false),
        }
    }

    /// Reads the part after the `:` of `x ? a : b`.
    fn otherwise(&self, start: usize) -> Option<Fallback> {
        let mut depth = 0_usize;
        for at in start..self.tokens.len().min(start + WINDOW) {
            match self.sign(at) {
                Some('(' | '[' | '{') => depth += 1,
                Some(')' | ']' | '}') => depth = depth.checked_sub(1)?,
                Some(':') if depth == 0 => return self.value(at + 1),
                Some(';') => return None,
                _ => {}
            }
        }
        None
    }

    /// Classifies an expression that replaces a value.
    pub(super) fn value(&self, at: usize) -> Option<Fallback> {
        let next = self.sign(at + 1);
        self.replaced_at.set(Some(at));
        Some(match self.tokens.get(at)? {
            Token::Text(text) => fallback_of_text(text),
            Token::Sign('(') => self.value(at + 1)?,
            Token::Sign('[') if next == Some(']') => Fallback::Nothing,
            Token::Sign('{') if next == Some('}') => Fallback::Nothing,
            Token::Sign('-') => Fallback::Nothing,
            Token::Word("true" | "True") => Fallback::On,
            Token::Word("new") => {
                let is_empty = matches!(self.sign(at + 3), Some(')'))
                    || matches!(
                        (self.sign(at + 3), self.sign(at + 4)),
                        (Some('['), Some(']'))
                    );
                if is_empty {
                    Fallback::Nothing
                } else {
                    Fallback::Value
                }
            }
            Token::Word("null" | "undefined" | "None" | "false" | "False" | "Infinity" | "0") => {
                Fallback::Nothing
            }
            // Another setting: its own replacement counts.
            Token::Word(word) if is_settings(word) => self.after_chain(at)?,
            Token::Word(_) | Token::Sign('[' | '{') => Fallback::Value,
            _ => return None,
        })
    }

    fn after_chain(&self, start: usize) -> Option<Fallback> {
        for at in start..self.tokens.len().min(start + 12) {
            let next = self.sign(at + 1);
            match self.tokens[at] {
                Token::Sign('|') if next == Some('|') => return self.value(at + 2),
                Token::Sign('?') if next == Some('?') => return self.value(at + 2),
                Token::Word("or") => return self.value(at + 1),
                Token::Sign(';' | '{' | '}') => return None,
                _ => {}
            }
        }
        None
    }

    /// Matches `if (!process.env.KEY) throw`, `if not os.getenv("KEY"): sys.exit(1)`.
    fn ends_without(&self, at: usize, end: usize) -> bool {
        let mut start = at;
        while start > 0 && at - start < 10 {
            match self.tokens[start - 1] {
                Token::Sign('!') | Token::Word("not") => return self.ends(end),
                Token::Sign('.' | '[' | '(') => {}
                Token::Word(word) if is_settings(word) || matches!(word, "get" | "getenv") => {}
                _ => return false,
            }
            start -= 1;
        }
        false
    }

    fn ends(&self, end: usize) -> bool {
        let window = &self.tokens[end..self.tokens.len().min(end + 30)];
        let block = window.split(|token| *token == Token::Sign('}')).next();
        block
            .unwrap_or_default()
            .iter()
            .any(|token| matches!(token, Token::Word("throw" | "raise" | "exit")))
    }
}

/// Parts of texts that stand for a value which the user has to give.
const PLACEHOLDERS: [&str; 8] = [
    "填",
    "你的",
    "自己的",
    "your_",
    "your-",
    "your ",
    "<your",
    "xxxx",
];

/// Returns true for a method that changes only blanks, case or type.
pub(super) fn is_trimming(word: &str) -> bool {
    matches!(
        word,
        "trim" | "toLowerCase" | "toUpperCase" | "lower" | "upper" | "strip" | "toString"
    )
}

fn fallback_of_text(text: &str) -> Fallback {
    match &text.trim().to_lowercase()[..] {
        "" | "none" | "off" | "false" | "0" | "no" | "disabled" | "*" | "all" | "any" | "[]"
        | "null" => Fallback::Nothing,
        "true" | "1" | "yes" | "on" => Fallback::On,
        // A text in the place of a value: the program does not work with it.
        text if PLACEHOLDERS.iter().any(|word| text.contains(word)) => Fallback::Ends,
        _ => Fallback::Value,
    }
}
