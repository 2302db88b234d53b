//! The types in which code handles an argument: as text only, as JSON, or both.

use super::argument_checks::Check;
use super::arguments::Reader;
use super::facts::Language;
use super::lexer::Token;

impl Reader<'_, '_> {
    /// Returns true for a value that is a whole condition: `if (args.x)`, `args.x ? a : b`, `if x:`.
    fn is_condition(&self, at: usize, end: usize) -> bool {
        let rest = &self.tokens[end..];
        match self.language {
            Language::JavaScript => {
                let starts = matches!(
                    self.tokens[..at],
                    [.., Token::Word("if"), Token::Sign('(')]
                        | [.., Token::Word("if"), Token::Sign('('), Token::Sign('!')]
                );
                let is_choice = matches!(rest, [Token::Sign('?'), next, ..]
                    if !matches!(next, Token::Sign('.' | '?')));
                // `const silent = !args.loud;`
                let is_negated = matches!(
                    self.tokens[..at],
                    [.., Token::Word(_), Token::Sign('='), Token::Sign('!')]
                ) && rest.first() == Some(&Token::Sign(';'));
                starts && rest.first() == Some(&Token::Sign(')')) || is_choice || is_negated
            }
            Language::Python => {
                let starts = matches!(
                    self.tokens[..at],
                    [.., Token::Word("if" | "elif")] | [.., Token::Word("if"), Token::Word("not")]
                );
                starts && matches!(rest.first(), Some(Token::Sign(':') | Token::Word("else")))
            }
        }
    }

    /// Returns whether a value is handled as text only, or in another type.
    pub(super) fn handled(&self, at: usize, end: usize) -> Option<Check> {
        const METHODS: [&str; 14] = [
            "toLowerCase",
            "toUpperCase",
            "lower",
            "upper",
            "split",
            "trim",
            "strip",
            "match",
            "startsWith",
            "startswith",
            "endsWith",
            "endswith",
            "replace",
            "replaceAll",
        ];
        const CASTS: [&str; 8] = [
            "Number",
            "parseInt",
            "parseFloat",
            "int",
            "float",
            "isArray",
            "isinstance",
            "str",
        ];
        // The value has its trimming methods: `args.x.trim()`.
        let own = &self.tokens[at..end];
        if own.contains(&Token::Word("toString")) {
            return Some(Check::OtherType);
        }
        let is_trimmed = own.windows(2).any(|two| {
            matches!(two, [Token::Word(method), Token::Sign('(')] if METHODS.contains(method))
        });
        let is_of_text = matches!(
            self.tokens[..at],
            [.., Token::Word("String" | "str"), Token::Sign('(')]
        );
        if is_trimmed && !is_of_text {
            return Some(Check::OnlyText);
        }
        let rest = &self.tokens[end..];
        let member = match rest {
            [Token::Sign('?'), Token::Sign('.'), rest @ ..] | [Token::Sign('.'), rest @ ..] => rest,
            _ => &[],
        };
        if let [Token::Word(method), Token::Sign('('), ..] = member
            && METHODS.contains(method)
        {
            return Some(Check::OnlyText);
        }
        let is_cast = matches!(
            self.tokens[..at],
            [.., Token::Word(cast), Token::Sign('(')] if CASTS.contains(&cast) || cast.to_lowercase().contains("bool")
        );
        let is_truth = matches!(
            self.tokens[..at],
            [.., Token::Word("bool" | "Boolean"), Token::Sign('(')]
        );
        if is_truth || self.is_condition(at, end) {
            return Some(Check::Tested);
        }
        if is_cast || matches!(self.tokens[..at], [.., Token::Word("typeof")]) {
            return Some(Check::OtherType);
        }
        let compared = match rest {
            [
                Token::Sign('=' | '!'),
                Token::Sign('='),
                Token::Sign('='),
                value,
                ..,
            ]
            | [Token::Sign('=' | '!'), Token::Sign('='), value, ..] => value,
            [Token::Word("is"), value, ..] => value,
            _ => return None,
        };
        match compared {
            Token::Text(text) => {
                let is_truth = matches!(&*text.to_lowercase(), "true" | "false");
                let is_word = !text.is_empty()
                    && text
                        .chars()
                        .all(|c| c.is_alphanumeric() || c == '_' || c == '-');
                if is_truth {
                    Some(Check::OnlyText)
                } else {
                    // Other values than one that is compared with `!=` count as well.
                    let is_equal = rest.first() == Some(&Token::Sign('='));
                    (is_word && is_equal).then(|| Check::Compared((*text).to_owned()))
                }
            }
            Token::Word("true" | "false" | "True" | "False") => Some(Check::OtherType),
            _ => None,
        }
    }
}
