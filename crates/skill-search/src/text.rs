//! Splits texts into terms.
//!
//! Words of scripts with spaces are folded, filtered by a list of stop words and stemmed. Runs of
//! scripts without spaces become overlapping pairs and single characters.

mod clauses;
mod fold;
mod formulas;
mod intent_words;
mod negation;
mod patterns;
mod products;
mod scan;
mod shape_table;
mod shapes;
mod stem;
mod stop;
mod wishes;
mod word_lists;

#[cfg(test)]
mod tests;

pub(crate) use clauses::clauses;
pub(crate) use fold::fold;
pub(crate) use intent_words::pieces;
pub(crate) use products::other_names;
pub(crate) use scan::{Piece, Scanner};
pub(crate) use shape_table::Topic;
pub(crate) use shapes::shapes;
pub use stem::{Porter2, Stemmer};
pub(crate) use stop::{is_stop_char, is_stop_word, without_fillers};
pub(crate) use wishes::wishes;

/// The length of the longest word that becomes a term, in bytes: longer ones are encoded data, not
/// words.
pub(crate) const MAX_WORD: usize = 48;

/// Calls `each` with every term of a text, in order: the stems of the words, then for each run its
/// pairs and its characters.
pub(crate) fn each_term(
    text: &str,
    split_names: bool,
    stemmer: &dyn Stemmer,
    mut each: impl FnMut(Term<'_>),
) {
    let mut scanner = Scanner::new(split_names);
    let mut pair = String::new();
    scanner.scan(text, |piece| match piece {
        Piece::Word(word) if word.len() > MAX_WORD => each(Term::Break),
        Piece::Word(word) if is_stop_word(word) => each(Term::Skipped),
        Piece::Word(word) => each(Term::Word(&stemmer.stem(word))),
        Piece::Run(run) => {
            for window in run.windows(2) {
                pair.clear();
                pair.extend(window);
                each(Term::Pair(&pair));
            }
            for &c in run {
                pair.clear();
                pair.push(c);
                if run.len() == 1 {
                    each(Term::Lone(&pair));
                } else if !is_stop_char(c) {
                    each(Term::Single(&pair));
                }
            }
        }
        Piece::Break => each(Term::Break),
    });
}

/// One term of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term<'t> {
    /// The stem of a word.
    Word(&'t str),
    /// Two characters that follow each other in a run.
    Pair(&'t str),
    /// A character of a run that has pairs.
    Single(&'t str),
    /// A run of one character.
    Lone(&'t str),
    /// A stop word. It is not a term, but it separates the words before and after it.
    Skipped,
    /// The end of a sentence or clause.
    Break,
}

/// Returns the terms of a text in order, with repetitions. An index and a request share these
/// terms; other programs use them to inspect how a text is read.
///
/// ```
/// assert_eq!(skill_search::terms("The quick testing"), ["quick", "test"]);
/// ```
pub fn terms(text: &str) -> Vec<String> {
    let mut res = Vec::new();
    each_term(text, false, &Porter2, |term| match term {
        Term::Word(text) | Term::Pair(text) | Term::Single(text) | Term::Lone(text) => {
            res.push(text.to_owned());
        }
        Term::Skipped | Term::Break => {}
    });
    res
}
