//! The length of a text for a model, in tokens.
//!
//! - [`TokenCounter`]: the trait for counting.
//! - [`Estimator`]: a quick estimate, without start-up cost.
//! - [`ExactO200k`]: the count of the o200k tokenizer, which takes a tenth of a second to load.
//!
//! Tokenizers of other models differ from o200k by about 7 % among themselves, so every count is a
//! proxy for them. A hard limit needs some headroom.

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
    /// Returns the number of tokens of a text. Equal texts have equal counts.
    fn count(&self, text: &str) -> usize;

    /// Returns the name of this counter in reports.
    fn name(&self) -> &'static str;
}
