//! The tokens of files, without the ends of their lines.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Language;
use super::lexer::{self, Token};

/// The tokens of a file, without ends of lines.
pub(crate) struct Source<'a> {
    /// The name of the file without its ending.
    pub(super) stem: String,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) language: Language,
    /// The column of each word that begins a statement of Python.
    pub(super) columns: Vec<Option<usize>>,
}

/// Returns the tokens of the files in known languages.
pub(crate) fn sources<'a>(
    files: &BTreeSet<String>,
    texts: &'a BTreeMap<String, String>,
) -> Vec<Source<'a>> {
    let sources = files.iter().filter_map(|path| {
        let (language, code) = (Language::from_path(path)?, texts.get(path)?);
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        Some(source(language, code, stem))
    });
    sources.collect()
}

fn source<'a>(language: Language, code: &'a str, stem: &str) -> Source<'a> {
    let all = match language {
        Language::JavaScript => lexer::javascript(code),
        Language::Python => lexer::python(code),
    };
    let mut res = Source {
        stem: stem.to_owned(),
        tokens: Vec::new(),
        language,
        columns: Vec::new(),
    };
    let (mut is_first, mut depth) = (true, 0_usize);
    for token in all {
        match token {
            Token::Newline => {
                is_first = true;
                continue;
            }
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let column = match token {
            Token::Word(word) if is_first && depth == 0 && language == Language::Python => {
                // A token is a part of the code.
                let start = word.as_ptr() as usize - code.as_ptr() as usize;
                let line = code[..start].rfind('\n').map_or(0, |end| end + 1);
                Some(start - line)
            }
            _ => None,
        };
        is_first = false;
        res.tokens.push(token);
        res.columns.push(column);
    }
    res
}

/// Returns the texts in quotes of a file, without those of several lines, which are documentation or
/// templates; nothing for a file in another language.
pub(crate) fn strings<'a>(path: &str, code: &'a str) -> Vec<&'a str> {
    let all = match Language::from_path(path) {
        Some(Language::JavaScript) => lexer::javascript(code),
        Some(Language::Python) => lexer::python(code),
        None => Vec::new(),
    };
    let text = |token: Token<'a>| match token {
        Token::Text(text) if !text.contains('\n') => Some(text),
        _ => None,
    };
    all.into_iter().filter_map(text).collect()
}
