//! Errors that say which arguments go together: `throw new Error('give "leaf", or both "bag" and "pot"')`.

use std::collections::BTreeMap;

use super::arguments::Reader;
use super::lexer::Token;

/// Maximum length of such a text.
const MAX: usize = 200;
/// Words of a choice.
const CHOICES: [&str; 6] = [" or ", "either", "one of", "或", "至少", "二选一"];

/// Returns the text for each argument that one names together with others.
pub(super) fn said(
    reader: &Reader<'_, '_>,
    is_of: &dyn Fn(usize) -> bool,
) -> BTreeMap<String, String> {
    let known = reader.reads();
    let mut res = BTreeMap::new();
    for at in 2..reader.tokens.len() {
        let Token::Text(text) = reader.tokens[at] else {
            continue;
        };
        let is_error = matches!(
            reader.tokens[..at],
            [.., Token::Word(class), Token::Sign('(')]
                if class.ends_with("Error") || class.ends_with("Exception")
        );
        let is_choice = CHOICES.iter().any(|word| text.contains(word));
        let is_plain = text.len() <= MAX && !text.contains(['$', '\n', '\\', '{', '`']);
        if !is_error || !is_choice || !is_plain || !is_of(at) {
            continue;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words: Vec<&str> = text.split(|c| !is_word(c)).collect();
        let named = known.iter().filter(|name| words.contains(*name));
        let named: Vec<&&str> = named.collect();
        if named.len() > 1 {
            let pairs = named
                .iter()
                .map(|name| ((**name).to_owned(), text.to_owned()));
            res.extend(pairs);
        }
    }
    res
}
