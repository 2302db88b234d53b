//! How long a text is for a model.
//!
//! - [`TokenCounter`]: the question.
//! - [`Estimator`]: the quick answer, without start-up cost.
//! - [`ExactO200k`]: the answer of the o200k tokenizer, which takes a tenth of a second to load.
//!
//! Tokenizers of other models differ from o200k by about 7 % among themselves, so every count is
//! a proxy for them; whoever sets a hard limit should keep some headroom.

mod estimate;
mod exact;
mod pieces;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use estimate::Estimator;
pub use exact::ExactO200k;
pub use pieces::{Piece, pieces};
pub use vocabulary::Vocabulary;

/// Counts tokens.
pub trait TokenCounter: Send + Sync {
    /// Tokens of a text. Equal texts have equal counts.
    fn count(&self, text: &str) -> usize;

    /// How a report calls this counter.
    fn name(&self) -> &'static str;
}
