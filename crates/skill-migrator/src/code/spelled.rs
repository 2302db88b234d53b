//! The words of code that may name an argument.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::lexer::Token;
use super::spelling::spelling;

/// Returns every word and text of the reached files that may name an argument, in lower case and without
/// the signs between its words.
pub(crate) fn spelled(code: &Analysis<'_, '_>) -> BTreeSet<String> {
    let tokens = code.readers.iter().flat_map(|reader| reader.tokens);
    let mut res = BTreeSet::new();
    for token in tokens {
        if let Token::Word(text) | Token::Text(text) = token {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
            res.extend(words.map(spelling));
        }
    }
    res
}
