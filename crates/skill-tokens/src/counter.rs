//! Counting the tokens of a text.

/// The difference between the tokenizers of models, in percent.
pub const DEVIATION_PERCENT: u8 = 7;

/// Counts tokens.
pub trait TokenCounter: Send + Sync {
    /// Returns the number of tokens of a text. Equal texts have equal counts.
    fn count(&self, text: &str) -> usize;

    /// Returns the name of this counter in reports.
    fn name(&self) -> &'static str;
}
