//! Which skills fit a request, and how sure that is.
//!
//! - [`Document`]: what is known of a skill; [`Index`]: many of them, ready to be asked.
//! - [`Request`], [`Match`]: a question, and the answers with a confidence from 0 to 1.
//! - [`calibrate`]: what recorded use says of it.
//! - [`Model`]: the coefficients of the confidence, a versioned data file.
//!
//! A confidence is the product of two factors: *relatedness*, whether the skill has to do with the
//! request at all, and *choice*, whether it is the one among its siblings. The recipe and what was
//! measured: `docs/search.md`.
//!
//! **Invariant:** pure; the same documents and request give the same matches, and nothing is read or written.

mod background;
pub mod calibrate;
mod concepts;
mod document;
mod index;
mod model;
mod search;
mod text;

pub use document::{CommandText, Document, TriggerTexts};
pub use index::{Change, Index, IndexError, checksum};
pub use model::{FEATURES, Features, Model, ModelError};
#[cfg(feature = "embedding")]
pub use search::Embedding;
pub use search::{Explanation, Match, Mention, MentionKind, Observed, Request, TermHit};
pub use text::{Porter2, Stemmer, terms};
