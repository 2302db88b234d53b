//! The length of a text for a model, in tokens.
//!
//! Every count of tokens in this project is made here:
//!
//! - [`TokenCounter`]: the trait for counting.
//! - [`Estimator`]: a quick estimate, within 1 % of o200k, without start-up cost. It is what the
//!   tools show and what the rule `body-too-long` compares.
//! - [`upper_bound`]: never less than o200k for the texts of a migration, and without tables.
//! - `ExactO200k`, in the crate `skill-tokens-exact`: the count of the o200k tokenizer, which takes a
//!   tenth of a second to load.
//!
//! Tokenizers of other models differ from o200k by about [`DEVIATION_PERCENT`] percent, so every
//! count is a proxy for them. A hard limit needs some headroom.
//!
//! The filter of the estimator is 512 KiB. A program that only calls [`upper_bound`] does not
//! contain it.
//!
//! **Invariant:** equal texts have equal counts; there are no files and no settings.

mod bound;
mod counter;
mod estimate;
mod pieces;
mod vocabulary;

pub use bound::upper_bound;
pub use counter::{DEVIATION_PERCENT, TokenCounter};
pub use estimate::Estimator;
pub use pieces::{Piece, pieces};
pub use vocabulary::Vocabulary;
