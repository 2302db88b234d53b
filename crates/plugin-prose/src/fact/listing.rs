//! Reads a row of values: `a / b`, `'x'(…)、'y'(…)`, `one or two`.

use crate::lex::tokens::Token;

/// The maximum number of values of a list.
const MAX: usize = 64;

/// A list of values as it is written.
pub(crate) struct List<'a> {
    /// The values.
    pub(crate) items: Vec<&'a str>,
    /// True if the values are in quotes.
    pub(crate) quoted: bool,
    joints: Vec<Joint>,
}

/// The ways to join two values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Slash,
    Comma,
    /// A comma without blanks.
    Tight,
    Or,
    And,
}

impl List<'_> {
    /// Returns the values, each once.
    pub(crate) fn values(&self) -> Vec<String> {
        let mut res: Vec<String> = Vec::new();
        for item in &self.items {
            if !res.iter().any(|other| other == item) {
                res.push((*item).to_owned());
            }
        }
        res
    }

    /// Returns true for `a/b`.
    pub(crate) fn is_slashed(&self) -> bool {
        self.joints.contains(&Joint::Slash)
    }

    /// Returns true for `md,txt`: one value that contains commas, rather than a choice.
    pub(crate) fn is_tight(&self) -> bool {
        !self.quoted && self.joints.iter().all(|joint| *joint == Joint::Tight)
    }

    /// Returns true if only `或` joins the values: `a 或 b`.
    pub(crate) fn is_joined_by_or(&self) -> bool {
        self.joints.iter().all(|joint| *joint == Joint::Or)
    }

    /// Returns true if only `和` joins the values: `a 和 b` means both, not one of them.
    pub(crate) fn is_joined_by_and(&self) -> bool {
        self.joints.iter().all(|joint| *joint == Joint::And)
    }
}

/// Reads a list that starts at a token; returns it and its end.
pub(crate) fn read<'a>(tokens: &[Token<'a>], start: usize) -> Option<(List<'a>, usize)> {
    let (first, quoted) = item(tokens.get(start)?)?;
    let inside = |token: &Token<'_>| matches!(token, Token::Word(_) | Token::Sign('/' | '\\'));
    if start > 0 && !quoted && inside(&tokens[start - 1]) {
        return None;
    }
    let mut list = List {
        items: vec![first],
        quoted,
        joints: Vec::new(),
    };
    let mut end = gloss(tokens, start + 1, quoted);
    while list.items.len() < MAX {
        let Some((next, joint)) = separator(tokens, end) else {
            break;
        };
        let Some((value, _)) = tokens
            .get(next)
            .and_then(item)
            .filter(|found| found.1 == quoted)
        else {
            break;
        };
        let ended = joint != Joint::Or && list.joints.contains(&Joint::Or) && list.joints.len() > 1;
        if ended {
            break;
        }
        list.joints.push(joint);
        list.items.push(value);
        end = gloss(tokens, next + 1, quoted);
    }
    Some((list, end))
}

fn item<'a>(token: &Token<'a>) -> Option<(&'a str, bool)> {
    match token {
        Token::Quoted(text) if !text.trim().is_empty() && text.len() <= 60 => {
            Some((text.trim(), true))
        }
        Token::Word(text) => Some((text, false)),
        _ => None,
    }
}

/// Skips the explanation of a value: a bracket, `=…` and `:…` after a quoted one, or one word after a
/// quoted one or a number (`0 None、1 Low`).
fn gloss(tokens: &[Token<'_>], at: usize, quoted: bool) -> usize {
    let next = skip_blanks(tokens, at);
    let is_number = || matches!(at.checked_sub(1).map(|at| tokens[at]), Some(Token::Word(text)) if text.parse::<u32>().is_ok());
    match tokens.get(next) {
        Some(Token::Group(_)) => next + 1,
        Some(token @ (Token::Word(_) | Token::Text(_)))
            if next > at
                && conjunction(token).is_none()
                && (quoted || is_number())
                && ends_item(tokens, next + 1) =>
        {
            next + 1
        }
        Some(Token::Sign('=' | ':' | '：')) if quoted => {
            let stop = tokens[next..].iter().position(|token| {
                matches!(
                    token,
                    Token::Sign('、' | ',' | '，' | ';' | '；' | '。' | '/' | '|')
                        | Token::Text("或")
                )
            });
            stop.map_or(tokens.len(), |stop| next + stop)
        }
        _ => at,
    }
}

/// Returns true if a mark that separates values, or the end, is at a position.
fn ends_item(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(
        tokens.get(skip_blanks(tokens, at)),
        None | Some(Token::Sign(
            '、' | ',' | '，' | '。' | '；' | ';' | '/' | '|'
        ))
    )
}

/// Reads the text that joins two values; returns the position of the next value.
fn separator(tokens: &[Token<'_>], at: usize) -> Option<(usize, Joint)> {
    let start = skip_blanks(tokens, at);
    let joint = match tokens.get(start)? {
        Token::Sign('/' | '|' | '／') => Joint::Slash,
        Token::Sign(',') if start == at && !matches!(tokens.get(start + 1), Some(Token::Blank)) => {
            Joint::Tight
        }
        Token::Sign('、' | ',' | '，') => Joint::Comma,
        Token::Quoted(_) => return Some((start, Joint::Comma)),
        token => conjunction(token).filter(|_| start > at || matches!(token, Token::Text(_)))?,
    };
    let next = skip_blanks(tokens, start + 1);
    match tokens.get(next).and_then(conjunction) {
        Some(word) if joint == Joint::Comma => Some((skip_blanks(tokens, next + 1), word)),
        _ => Some((next, joint)),
    }
}

/// Reads a conjunction: `或`, `or`, `和`, `and`.
fn conjunction(token: &Token<'_>) -> Option<Joint> {
    match token {
        Token::Text("或" | "或者") => Some(Joint::Or),
        Token::Text("和" | "与" | "及") => Some(Joint::And),
        Token::Word(word) if word.eq_ignore_ascii_case("or") => Some(Joint::Or),
        Token::Word(word) if word.eq_ignore_ascii_case("and") => Some(Joint::And),
        _ => None,
    }
}

/// Returns the first position from `at` on that is not a blank.
pub(crate) fn skip_blanks(tokens: &[Token<'_>], at: usize) -> usize {
    at + tokens[at.min(tokens.len())..]
        .iter()
        .take_while(|token| matches!(token, Token::Blank))
        .count()
}

/// Returns true for `三选一` and `之一`, which close the list before them.
pub(crate) fn one_of_them(text: &str) -> bool {
    ["之一", "其一", "选一", "中的一个"]
        .iter()
        .any(|tail| text.ends_with(tail))
        || ["任选", "两种", "三种", "四种", "五种", "两者", "二者"]
            .iter()
            .any(|head| text.starts_with(head))
}
