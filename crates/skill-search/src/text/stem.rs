//! Reduces words to stems.

use std::borrow::Cow;

use frostem::Algorithm;

/// Maps the forms of a word to one term. An index and its requests must use the same stemmer.
pub trait Stemmer: Sync {
    /// Returns the stem of a folded word.
    fn stem<'w>(&self, word: &'w str) -> Cow<'w, str>;
}

/// Porter2 for Latin words and its Russian counterpart for Cyrillic ones; other words stay as they
/// are.
#[derive(Clone, Copy, Default, Debug)]
pub struct Porter2;

impl Stemmer for Porter2 {
    fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        let is_latin = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let algorithm = if is_latin {
            Algorithm::English
        } else if word.chars().all(|c| ('\u{430}'..='\u{451}').contains(&c)) {
            Algorithm::Russian
        } else {
            return Cow::Borrowed(word);
        };
        Cow::Owned(frostem::Stemmer::new(algorithm).stem(word).into_owned())
    }
}
