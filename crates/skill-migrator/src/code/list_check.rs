//! Lists made from settings that refuse something: `if (!ALLOWED.includes(dir)) throw`.

use super::lexer::Token;
use super::setting_use::ListCheck;
use super::uses::{Reader, WINDOW};

impl Reader<'_, '_> {
    /// Returns the check in which the list called `name` refuses something.
    pub(super) fn check(&self, at: usize, name: &str) -> Option<ListCheck> {
        let asks = self.sign(at + 1) == Some('.')
            && matches!(
                self.word(at + 2),
                Some("includes" | "some" | "has" | "every" | "find" | "indexOf" | "match" | "test")
            );
        let walks = at > 0 && matches!(self.word(at - 1), Some("in" | "of"));
        let lets_all = self.sign(at + 1) == Some('.')
            && matches!(self.word(at + 2), Some("length" | "size"))
            && self.returns_true(at + 3);
        if !(asks || walks || lets_all) {
            return None;
        }
        let before = &self.tokens[at.saturating_sub(40)..at];
        let after = &self.tokens[at..self.tokens.len().min(at + WINDOW)];
        let verdict = before.iter().rev().find_map(|token| match token {
            Token::Word(word) if *word != name => verdict(word),
            _ => None,
        });
        let refuses = after
            .iter()
            .any(|token| matches!(token, Token::Text(text) if is_refusal(text)));
        if verdict.is_none() && !refuses && !lets_all {
            return None;
        }
        let negated = self.is_negated(at);
        Some(ListCheck {
            is_allowing: lets_all || negated || refuses_after_not(verdict),
            around: around(before, after),
        })
    }

    fn returns_true(&self, start: usize) -> bool {
        let window = &self.tokens[start..self.tokens.len().min(start + 12)];
        window
            .windows(2)
            .any(|pair| matches!(pair, [Token::Word("return"), Token::Word("true" | "True")]))
    }

    /// Matches `!list.some(`, `x not in list`, `not any(… for y in list)`.
    fn is_negated(&self, at: usize) -> bool {
        let before = &self.tokens[at.saturating_sub(14)..at];
        let is_not = |token: &Token<'_>| matches!(token, Token::Sign('!') | Token::Word("not"));
        let mut back = before.iter().rev();
        let near = back.by_ref().find(|token| {
            !matches!(
                token,
                Token::Word("this" | "self" | "in" | "config") | Token::Sign('.')
            )
        });
        near.is_some_and(is_not)
            || before
                .iter()
                .rev()
                .take(12)
                .collect::<Vec<_>>()
                .windows(3)
                .any(|three| {
                    // Read backwards: `not any (`.
                    matches!(
                        three,
                        [Token::Sign('('), Token::Word("any"), Token::Word("not")]
                    )
                })
    }
}

/// Returns whether a word names a function or value of a decision, and whether it allows.
fn verdict(word: &str) -> Option<bool> {
    let word = word.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    if has(&[
        "forbid",
        "block",
        "deny",
        "denied",
        "blacklist",
        "banned",
        "disallow",
        "dangerous",
    ]) {
        Some(false)
    } else if has(&[
        "allow",
        "permit",
        "authoriz",
        "whitelist",
        "issafe",
        "is_safe",
    ]) {
        Some(true)
    } else {
        None
    }
}

fn refuses_after_not(verdict: Option<bool>) -> bool {
    verdict == Some(true)
}

/// Recognizes texts of refusals.
fn is_refusal(text: &str) -> bool {
    const WORDS: [&str; 22] = [
        "denied",
        "not allowed",
        "forbidden",
        "not permitted",
        "unauthorized",
        "not authorized",
        "blocked",
        "outside",
        "disallowed",
        "refused",
        "prohibited",
        "拒绝",
        "禁止",
        "不允许",
        "不在允许",
        "无权",
        "未授权",
        "权限",
        "白名单",
        "黑名单",
        "越权",
        "非法",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

fn around(before: &[Token<'_>], after: &[Token<'_>]) -> Vec<String> {
    let near = before.iter().rev().take(20).chain(after.iter().take(40));
    near.filter_map(|token| match token {
        Token::Word(text) | Token::Text(text) if text.len() <= 200 => Some(text.to_lowercase()),
        _ => None,
    })
    .collect()
}
