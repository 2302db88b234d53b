//! The results of a compiled program whose source in Rust is there: `Output { status: "success", result }`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::facts::Language;
use super::super::functions::functions;
use super::super::lexer::{self, Token};
use super::super::rust_structs::{fields, word};
use super::super::source::Source;
use super::super::word_index::WordIndex;
use super::form::{Answers, Member, Outcome};
use super::starts::STATUS;
use super::values::Code;
use super::{Found, MAX_EXPRESSIONS};

/// Returns the form of the results that Rust sources show.
pub(crate) fn outcome_of_rust(texts: &[&str]) -> Option<Outcome> {
    if let Some(form) = texts.iter().find_map(|text| of_type(text)) {
        return Some(form);
    }
    let mut found = Found::default();
    for text in texts {
        let text = without_marks(text);
        let mut tokens = lexer::javascript(&text);
        tokens.retain(|it| *it != Token::Newline);
        let columns = vec![None; tokens.len()];
        let language = Language::JavaScript;
        let source = Source {
            stem: String::new(),
            tokens,
            language,
            columns,
        };
        let functions = functions(&source);
        let (named, index) = (BTreeMap::new(), WordIndex::new(&source.tokens));
        let code = Code {
            tokens: &source.tokens,
            functions: &functions[..1],
            named: &named,
            index: &index,
            language,
            columns: &source.columns,
            is_reached: &|_| true,
            answers: Answers::Program,
            files: None,
            budget: MAX_EXPRESSIONS.into(),
            returned: RefCell::default(),
            has_result: false.into(),
        };
        found.add(&code, &super::Source::Objects(STATUS), &|_| true);
    }
    found.results(Answers::Program).form
}

/// Returns the form of the type of `result` in the struct that is printed:
/// `struct Output { status: String, result: Option<Vec<Tea>> }`.
fn of_type(text: &str) -> Option<Outcome> {
    const MAX_STRUCTS: usize = 200;
    let names = text.match_indices("struct ").take(MAX_STRUCTS);
    let mut structs = names.filter_map(|(at, found)| {
        let all = fields(text, word(&text[at + found.len()..]))?;
        let has_status = all.iter().any(|field| field.key() == "status");
        let result = all.into_iter().find(|field| field.key() == "result")?;
        has_status.then_some(result)
    });
    let result = structs.next()?;
    let keys = |name: &str| -> Option<Vec<String>> {
        let all = fields(text, name)?;
        Some(all.iter().map(|field| field.key().to_owned()).collect())
    };
    match result.inner() {
        "String" => Some(Outcome::Text),
        list if list.starts_with("Vec<") => {
            let item = list.trim_start_matches("Vec<").trim_end_matches('>');
            Some(Outcome::List(keys(item).unwrap_or_default()))
        }
        name => {
            let members = keys(name)?.into_iter();
            let members = members.map(|name| Member::named(&name));
            Some(Outcome::Members(members.collect()))
        }
    }
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
    fn types_of_results() {
        let check = |kind: &str, expected: Option<Outcome>| {
            let text = format!(
                "struct Tea {{\n    name: String,\n    #[serde(rename = \"n\")]\n    cups: u8,\n}}\nstruct Output {{\n    status: String,\n    result: {kind},\n}}\n"
            );
            assert_eq!(outcome_of_rust(&[&text]), expected, "{kind}");
        };
        let names = || vec!["name".to_owned(), "n".to_owned()];
        check("Option<Vec<Tea>>", Some(Outcome::List(names())));
        check("Vec<String>", Some(Outcome::List(Vec::new())));
        check("String", Some(Outcome::Text));
        let members = names().iter().map(|it| Member::named(it)).collect();
        check("Tea", Some(Outcome::Members(members)));
        check("Option<serde_json::Value>", None);
    }

    #[test]
    fn marks_go() {
        assert_eq!(without_marks("a<'b> '\\'' 'c' \"d\""), "a<b> 0 0 \"d\"");
    }
}
