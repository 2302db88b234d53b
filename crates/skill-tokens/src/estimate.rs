//! The quick estimate.

use crate::counter::TokenCounter;
use crate::pieces::{Piece, pieces};
use crate::vocabulary::{MAX_TOKEN, START, Vocabulary, step};

/// The filter over the o200k vocabulary.
static O200K: &[u8] = include_bytes!("../data/o200k.bin");

/// The number of bytes to search beyond the longest token found so far, in ASCII and in other
/// scripts. There a character has up to four bytes, and some tokens do not begin with a shorter
/// one.
const PATIENCE: [usize; 2] = [5, 9];

/// The longest token within a long run of one sign: merging doubles the length of a token, so other
/// lengths than powers of two come only from the end of the run.
const IN_LONG_RUN: usize = 64;

/// Counts tokens without a tokenizer. The text is cut into pieces like in o200k. A piece that is
/// not a token itself is read from left to right, the longest token first. Merging by rank, as the
/// tokenizer does it, gives nearly the same number.
///
/// ```
/// use skill_tokens::{Estimator, TokenCounter};
///
/// assert_eq!(Estimator::default().count("Hello world"), 2);
/// ```
///
/// On the corpora of `cargo xtask fit-tokens` the mean error is below 1 %; that program prints the
/// figures.
#[derive(Clone, Debug)]
pub struct Estimator {
    vocabulary: Vocabulary<'static>,
}

impl Default for Estimator {
    fn default() -> Self {
        let vocabulary = Vocabulary::new(O200K);
        Self { vocabulary }
    }
}

impl TokenCounter for Estimator {
    fn count(&self, text: &str) -> usize {
        pieces(text)
            .map(|(kind, piece)| self.piece(kind, piece))
            .sum()
    }

    fn name(&self) -> &'static str {
        "estimate"
    }
}

impl Estimator {
    fn piece(&self, kind: Piece, piece: &str) -> usize {
        let bytes = piece.as_bytes();
        if bytes.len() == 1 || kind == Piece::Number && piece.is_ascii() || self.is_token(bytes) {
            return 1;
        }
        let mut rest = bytes;
        let mut n_tokens = 0;
        while !rest.is_empty() {
            rest = &rest[self.longest(rest)..];
            n_tokens += 1;
        }
        if kind == Piece::Word && piece.is_ascii() {
            return n_tokens + surcharge(n_tokens);
        }
        n_tokens
    }

    fn is_token(&self, bytes: &[u8]) -> bool {
        let hash = || bytes.iter().fold(START, |hash, byte| step(hash, *byte));
        bytes.len() <= MAX_TOKEN && self.vocabulary.has(hash(), bytes.len())
    }

    /// Returns the length of the longest token at the start; a single byte is always one.
    fn longest(&self, bytes: &[u8]) -> usize {
        let patience = PATIENCE[usize::from(bytes[0] >= 0x80)];
        let (mut hash, mut longest) = (START, 1);
        let limit = if is_long_run(bytes) {
            IN_LONG_RUN
        } else {
            MAX_TOKEN
        };
        for (at, byte) in bytes.iter().enumerate().take(limit) {
            hash = step(hash, *byte);
            if at > 0 && self.vocabulary.has(hash, at + 1) {
                longest = at + 1;
            }
            let is_run = bytes[at % 3] == *byte;
            if at >= longest + patience && !is_run {
                break;
            }
        }
        longest
    }
}

/// Returns true if one sign is repeated more often than in any token. Spaces have tokens of all
/// lengths.
fn is_long_run(bytes: &[u8]) -> bool {
    let run = bytes.get(..=MAX_TOKEN).unwrap_or_default();
    run.first()
        .is_some_and(|first| *first != b' ' && run.iter().all(|byte| byte == first))
}

/// Returns the extra cost of merging by rank over the longest token first, in words that are not
/// real words.
fn surcharge(n_tokens: usize) -> usize {
    n_tokens.saturating_sub(3) / 7
}
