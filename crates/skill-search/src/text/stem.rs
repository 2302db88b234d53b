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
        if let Some(acronym) = singular(word) {
            return Cow::Borrowed(acronym);
        }
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

/// The minimum length of the plural of an acronym; `dns` and `tls` are shorter.
const MIN_PLURAL: usize = 4;

/// Returns the singular of an acronym without vowels, which Porter2 leaves as it is: `pdfs`, `csvs`.
fn singular(word: &str) -> Option<&str> {
    let acronym = word.strip_suffix('s')?;
    let is_consonant = |byte: u8| byte.is_ascii_lowercase() && !b"aeiouy".contains(&byte);
    (word.len() >= MIN_PLURAL && !acronym.ends_with('s') && acronym.bytes().all(is_consonant))
        .then_some(acronym)
}
