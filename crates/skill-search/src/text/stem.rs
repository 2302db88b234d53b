//! Words into stems.

use std::borrow::Cow;

use frostem::Algorithm;

/// What makes the forms of a word one term. An index and its requests must use the same.
pub trait Stemmer: Sync {
    /// The stem of a folded word.
    fn stem<'w>(&self, word: &'w str) -> Cow<'w, str>;
}

/// Porter2 for Latin words, its Russian sister for Cyrillic ones; everything else as it is.
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
