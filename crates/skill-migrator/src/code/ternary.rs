//! Calls between which a condition chooses: `leaf ? brew(args) : boil(args)`.

use super::lexer::Token;

/// Returns true for a call in `leaf ? brew(args) : boil(args)`.
pub(super) fn is_alternative(tokens: &[Token<'_>], at: usize) -> bool {
    const NEAR: usize = 40;
    let is_part = |token: &Token<'_>| matches!(token, Token::Word(_) | Token::Sign('.'));
    let before = tokens[..at].iter().rposition(|token| !is_part(token));
    let Some(before) = before else { return false };
    let is_question = |at: usize| {
        let beside = [at.checked_sub(1), Some(at + 1)];
        let mut beside = beside.into_iter().flatten().filter_map(|it| tokens.get(it));
        tokens[at] == Token::Sign('?') && !beside.any(|it| matches!(it, Token::Sign('?' | '.')))
    };
    if tokens[before] != Token::Sign(':') {
        return is_question(before);
    }
    let mut depth = 0_usize;
    for at in (before.saturating_sub(NEAR)..before).rev() {
        match tokens[at] {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            Token::Sign(',' | ';') if depth == 0 => return false,
            Token::Sign('?') if depth == 0 => return is_question(at),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::lexer::javascript;
    use super::*;

    #[test]
    fn calls_that_a_condition_chooses() {
        let check = |code: &str, expected: bool| {
            let tokens = javascript(code);
            let at = tokens.iter().position(|it| *it == Token::Word("brew"));
            assert_eq!(
                is_alternative(&tokens, at.expect("a call")),
                expected,
                "{code}"
            );
        };
        check("const pot = a.leaf || a.bag ? brew(a) : boil(a);", true);
        check("const pot = a.leaf ? boil(a) : await this.brew(a);", true);
        check("const pot = { hot: a.hot ? 1 : 2, tea: brew(a) };", false);
        check("const pot = { tea: brew(a) };", false);
        check("const pot = a.leaf ?? brew(a);", false);
        check("a?.brew(a)", false);
        check("brew(a)", false);
    }
}
