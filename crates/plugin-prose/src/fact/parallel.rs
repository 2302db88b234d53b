//! Finds closed lists whose values each begin a clause: `a 表示…；b 表示…`, `'x' 用于…；'y' 用于…`.

use crate::fact::lead::Lead;
use crate::fact::listing::skip_blanks;
use crate::fact::value::{is_truth, is_value};
use crate::lex::tokens::{self, Token};

/// Words in a clause that turn the clauses after it, up to the end of the sentence, into samples.
const SAMPLE_CUES: [&str; 9] = [
    "例如", "比如", "如", "诸如", "语法", "推荐", "常用", "example", "e.g",
];

/// A clause that begins with a value.
#[derive(Clone, PartialEq, Eq)]
struct Shape<'a> {
    value: &'a str,
    quoted: bool,
    /// The text between a bare value and its meaning; the same in all clauses of one list.
    link: String,
}

/// Returns the values, if there are at least two clauses of one shape in a row.
pub(crate) fn read(text: &str) -> Option<Vec<String>> {
    let tokens = tokens::read(text);
    by_shape(&tokens, ends_clause)
        .or_else(|| by_shape(&tokens, |sign| matches!(sign, '；' | ';' | '。')))
        .or_else(|| numbers(&tokens))
}

/// Reads numbers with their meanings: `0: 不限；1: 仅权威`.
fn numbers(tokens: &[Token<'_>]) -> Option<Vec<String>> {
    let mut res: Vec<u32> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let starts = at == 0 || matches!(tokens[at - 1], Token::Sign(_) | Token::Blank);
        let is_explained = matches!(
            tokens.get(skip_blanks(tokens, at + 1)),
            Some(Token::Sign(':' | '：'))
        );
        let Some(number) = word.parse().ok().filter(|_| starts && is_explained) else {
            continue;
        };
        let is_next = res
            .last()
            .is_none_or(|last| Some(number) == last.checked_add(1));
        if !is_next || Lead::new(tokens, at) == Lead::Open {
            return None;
        }
        res.push(number);
    }
    (res.len() > 1).then(|| res.iter().map(u32::to_string).collect())
}

/// Reads clauses of one shape, which end with the signs that `ends` names.
fn by_shape(tokens: &[Token<'_>], ends: impl Fn(char) -> bool) -> Option<Vec<String>> {
    let mut runs = Runs::default();
    let mut start = 0;
    for at in 0..=tokens.len() {
        let sign = match tokens.get(at) {
            Some(Token::Sign(sign)) if ends(*sign) => *sign,
            Some(_) => continue,
            None => '。',
        };
        runs.clause(&tokens[start..at], sign);
        start = at + 1;
    }
    values(&runs.best)
}

/// Clauses of one shape in a row.
#[derive(Default)]
struct Runs<'a> {
    run: Vec<Shape<'a>>,
    best: Vec<Shape<'a>>,
    /// True if the rest of the sentence contains samples.
    sampled: bool,
}

impl<'a> Runs<'a> {
    fn clause(&mut self, clause: &[Token<'a>], sign: char) {
        if let Some(found) = shape(clause).filter(|_| !self.sampled) {
            if self.run.last().is_some_and(|last| !last.is_like(&found)) {
                self.run.clear();
            }
            self.run.push(found);
            if self.run.len() > self.best.len() {
                self.best.clone_from(&self.run);
            }
        } else {
            self.sampled |= is_sampled(clause);
            if !self
                .run
                .last()
                .is_some_and(|last| last.quoted || last.link == "=")
            {
                self.run.clear();
            }
        }
        self.sampled &= !matches!(sign, '。' | '；' | ';');
        if sign == '。' && self.run.last().is_some_and(|last| !last.quoted) {
            self.run.clear();
        }
    }
}

impl Shape<'_> {
    fn is_like(&self, other: &Self) -> bool {
        self.quoted == other.quoted && self.link == other.link
    }
}

fn ends_clause(sign: char) -> bool {
    matches!(
        sign,
        '，' | ',' | '；' | ';' | '。' | '、' | '.' | '：' | ':'
    )
}

fn is_sampled(clause: &[Token<'_>]) -> bool {
    clause.iter().any(|token| match token {
        Token::Text(text) | Token::Word(text) => SAMPLE_CUES
            .iter()
            .any(|cue| text.ends_with(cue) || (cue.chars().count() > 1 && text.contains(cue))),
        _ => false,
    })
}

fn values(run: &[Shape<'_>]) -> Option<Vec<String>> {
    let list: Vec<&str> = run.iter().map(|shape| shape.value).collect();
    let believed =
        list.len() > 1 && !is_truth(&list) && list.iter().all(|value| is_value(value, true));
    let mut res: Vec<String> = Vec::new();
    for value in list {
        if !res.iter().any(|other| other == value) {
            res.push(value.to_owned());
        }
    }
    (believed && res.len() > 1).then_some(res)
}

/// Returns the shape of one clause.
fn shape<'a>(clause: &[Token<'a>]) -> Option<Shape<'a>> {
    let mut at = skip_blanks(clause, 0);
    if matches!(clause.get(at), Some(Token::Text("或" | "和"))) {
        at = skip_blanks(clause, at + 1);
    }
    let next = skip_blanks(clause, at + 1);
    match (clause.get(at)?, clause.get(next)?) {
        (Token::Quoted(text), _) if text.len() <= 40 => Some(Shape {
            value: text.trim(),
            quoted: true,
            link: String::new(),
        }),
        (Token::Word(text), Token::Sign('=')) => {
            let meaning = clause.get(skip_blanks(clause, next + 1));
            let explained = matches!(meaning, Some(Token::Text(_))) || clause.len() > next + 3;
            explained.then(|| Shape {
                value: text,
                quoted: false,
                link: "=".to_owned(),
            })
        }
        (Token::Word(text), Token::Text(word))
            if !word.starts_with(['时', '等', '参', '或', '和', '为', '字', '模', '类']) =>
        {
            Some(Shape {
                value: text,
                quoted: false,
                link: word.chars().take(2).collect(),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(text).unwrap_or_default(), expected);
    }

    #[test]
    fn clauses_of_one_shape() {
        check("leaf 表示散茶；bag 表示袋泡", &["leaf", "bag"]);
        check("类型。'a' 用于短期任务；'b' 用于长期任务", &["a", "b"]);
        check("x=固定管线；y=向量检索；z=纯检索", &["x", "y", "z"]);
        check(
            "leaf 表示散茶，水温 80 度；bag 表示袋泡，水温 95 度。也可传 l、b",
            &["leaf", "bag"],
        );
        check("浓度。0: 清淡；1: 适中；2: 浓", &["0", "1", "2"]);
        check("来源：'p' 默认，优先使用；或 'q' 使用本地", &["p", "q"]);
    }

    #[test]
    fn samples_and_unlike_clauses() {
        check("时间，如 '1h'(1小时)、'30m'(30分钟)", &[]);
        check("支持语法: 'top:N' 取前几杯，'last:N' 取后几杯", &[]);
        check("图片 URL 可用，HTTP 也行", &[]);
        check("a类型使用正则，b类型使用关键词", &[]);
        check("true 表示是；false 表示否", &[]);
        check("例如 1: 一杯；2: 两杯", &[]);
    }
}
