//! The beginnings of answers of success in code.

use super::super::lexer::Token;
use super::form::Starts;

/// The function of a module that the old host called.
pub(super) const CALLED: &str = "processToolCall";

/// The beginning of an answer with a status.
pub(super) const STATUS: Starts = |tokens| {
    matches!(
        tokens,
        [
            Token::Word("status") | Token::Text("status"),
            Token::Sign(':'),
            Token::Text("success"),
            ..
        ]
    ) || is_chosen(tokens)
        || matches!(
            tokens,
            [
                Token::Word("status"),
                Token::Sign(','),
                Token::Word("result"),
                Token::Sign(':'),
                ..
            ]
        )
};

/// Returns true for `status: made.ok ? "success" : "error"`.
fn is_chosen(tokens: &[Token<'_>]) -> bool {
    const MAX: usize = 12;
    let [
        Token::Word("status") | Token::Text("status"),
        Token::Sign(':'),
        value @ ..,
    ] = tokens
    else {
        return false;
    };
    let ends = |token: &Token<'_>| matches!(token, Token::Sign(',' | ';' | '{' | '}'));
    let value = value.iter().take(MAX).take_while(|it| !ends(it));
    let value: Vec<&Token<'_>> = value.collect();
    value
        .windows(2)
        .any(|two| matches!(two, [Token::Sign('?'), Token::Text("success")]))
}

/// The beginning of an answer that says that it is one of success.
pub(super) const SUCCESS: Starts = |tokens| {
    matches!(
        tokens,
        [
            Token::Word("success") | Token::Text("success"),
            Token::Sign(':'),
            Token::Word("true" | "True"),
            ..
        ]
    )
};
