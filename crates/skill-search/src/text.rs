//! Texts into terms.
//!
//! Words of scripts with spaces are folded, rid of stop words and stemmed; runs of scripts without
//! spaces become overlapping pairs and single characters.

mod asks;
mod clauses;
mod fold;
mod patterns;
mod scan;
mod stem;
mod stop;

#[cfg(test)]
mod tests;

pub(crate) use asks::pieces;
pub(crate) use clauses::clauses;
pub(crate) use fold::fold;
pub(crate) use scan::{Piece, Scanner};
pub use stem::{Porter2, Stemmer};
pub(crate) use stop::{is_stop_char, is_stop_word, without_fillers};

/// Longest word that becomes a term, in bytes: longer ones are encoded data, not words.
pub(crate) const MAX_WORD: usize = 48;

/// Calls `each` with every term of a text, in order: the words' stems, the pairs of a run. For a
/// run, `single` is called with its characters.
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
    /// A stop word: no term, but words beside it are not neighbours.
    Skipped,
    /// The end of a sentence or clause.
    Break,
}

/// The terms of a text in order, with their repetitions: what an index and a request have in
/// common. For calibration and for a look at how a text is read.
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
