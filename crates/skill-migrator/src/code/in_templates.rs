//! Arguments that templates of JavaScript read: `` `${args.leaf || ''} in ${args.pot}` ``.

use super::arguments::{Reader, is_argument};
use super::facts::Language;
use super::lexer::Token;

impl<'a> Reader<'_, 'a> {
    /// Returns the arguments that the template at a position reads.
    pub(super) fn in_template(&self, at: usize) -> Vec<&'a str> {
        let (Token::Text(text), Language::JavaScript) = (self.tokens[at], self.language) else {
            return Vec::new();
        };
        let mut res = Vec::new();
        for part in text.split("${").skip(1) {
            let inner = part.split('}').next().unwrap_or_default();
            let mut rest = inner;
            while let Some(dot) = rest.find('.') {
                let before = rest[..dot].trim_end_matches('?');
                let name = &before[before.trim_end_matches(is_word).len()..];
                let is_member = before[..before.len() - name.len()].ends_with('.');
                let after = &rest[dot + 1..];
                let key = &after[..after.find(|c| !is_word(c)).unwrap_or(after.len())];
                let is_call = after[key.len()..].starts_with('(');
                if !is_member && !is_call && is_argument(key) && self.holds_arguments(name, at) {
                    res.push(key);
                }
                rest = after;
            }
        }
        res
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
