//! The o200k tokenizer: the exact count of tokens.
//!
//! It is a crate of its own because of its dependencies and its vocabulary of 4 MB, which only
//! `skills-describe` needs.

use tiktoken_rs::{CoreBPE, o200k_base_singleton};

use skill_tokens::TokenCounter;

/// Counts with the o200k vocabulary. The first value loads it, which takes about 0.1 s and 45 MB.
pub struct ExactO200k {
    bpe: &'static CoreBPE,
}

impl ExactO200k {
    /// Loads the vocabulary, once for the whole process.
    #[expect(
        clippy::new_without_default,
        reason = "a load of this size should be seen where it happens"
    )]
    pub fn new() -> Self {
        let bpe = o200k_base_singleton();
        Self { bpe }
    }
}

impl std::fmt::Debug for ExactO200k {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ExactO200k")
    }
}

impl TokenCounter for ExactO200k {
    fn count(&self, text: &str) -> usize {
        self.bpe.encode_ordinary(text).len()
    }

    fn name(&self) -> &'static str {
        "o200k"
    }
}
