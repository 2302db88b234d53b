//! The results of a compiled program whose source in Rust is there: `Output { status: "success", result }`.

use std::cell::RefCell;

use super::super::facts::Language;
use super::super::functions::functions;
use super::super::lexer::{self, Token};
use super::super::source::Source;
use super::form::{Answers, Outcome};
use super::values::Code;
use super::{Found, MAX_EXPRESSIONS, STATUS};

/// Returns the form of the results that Rust sources show.
pub(crate) fn outcome_of_rust(texts: &[&str]) -> Option<Outcome> {
    let mut found = Found::default();
    for text in texts {
        let text = without_marks(text);
        let mut tokens = lexer::javascript(&text);
        tokens.retain(|it| *it != Token::Newline);
        let columns = vec![None; tokens.len()];
        let language = Language::JavaScript;
        let source = Source {
            tokens,
            language,
            columns,
        };
        let functions = functions(&source);
        let code = Code {
            tokens: &source.tokens,
            functions: &functions[..1],
            language,
            columns: &source.columns,
            is_reached: &|_| true,
            answers: Answers::Program,
            budget: MAX_EXPRESSIONS.into(),
            returned: RefCell::default(),
            has_result: false.into(),
        };
        found.add(&code, &super::Source::Objects(STATUS));
    }
    found.results(Answers::Program).form
}

/// Returns a text without lifetimes and characters in quotes, which are strings in other languages.
fn without_marks(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\'') {
        res.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let mut chars = after.char_indices();
        let first = chars.next();
        let close = match first {
            // An escape: `'\n'`, `'\''`.
            Some((_, '\\')) => after[1..]
                .char_indices()
                .skip(1)
                .find(|(_, c)| *c == '\'')
                .map(|(at, _)| at + 1),
            Some(_) => chars.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at),
            None => None,
        };
        rest = match close {
            Some(close) => {
                res.push('0');
                &after[close + 1..]
            }
            None => after,
        };
    }
    res.push_str(rest);
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_of_success() {
        let text = "fn run<'a>(it: &'a str) -> Output { let c = '\"'; let payload = json!({ \"cups\": it, \"total\": 1 });
            Output { status: \"success\".to_string(), result: Some(payload), error: None } }
            fn fail() -> Output { Output { status: \"error\".to_string(), result: None } }";
        let found = outcome_of_rust(&[text]);
        let names: Vec<&str> = found.iter().flat_map(Outcome::members).collect();
        assert_eq!(names, ["cups", "total"]);
    }

    #[test]
    fn marks_go() {
        assert_eq!(without_marks("a<'b> '\\'' 'c' \"d\""), "a<b> 0 0 \"d\"");
    }
}
