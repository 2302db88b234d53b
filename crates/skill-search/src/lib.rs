//! Finds the skills that fit a request, and says how sure each match is.
//!
//! - [`Document`]: the searchable texts of a skill; [`Index`]: many documents, ready to be
//!   searched.
//! - [`Request`], [`Match`]: a question, and its answers with a confidence from 0 to 1.
//! - [`calibrate`]: the reliability curve of recorded use, and coefficients that fit it better.
//! - [`Model`]: the coefficients of the confidence, a versioned data file; [`Likeness`]: the map of the
//!   word vectors.
//!
//! A confidence is the product of two factors: *relatedness*, the probability that the skill has
//! anything to do with the request, and *choice*, the probability that it is the right one among
//! similar skills. The recipe and its measurements are in `docs/design/search-fitting.md`.
//!
//! ```
//! use skill_search::{Document, Index, Request};
//!
//! let documents = [
//!     Document { name: "pdf".into(), description: "Merge PDF files".into(), ..Document::default() },
//!     Document { name: "weather".into(), description: "Forecasts".into(), ..Document::default() },
//! ];
//! let matches = Index::build(&documents).search(&Request::new("merge two pdfs"));
//! assert_eq!(matches[0].skill, "pdf");
//! ```
//!
//! **Invariant:** the crate is pure; the same documents and request give the same matches, and
//! nothing is read or written.

mod background;
mod broken_line;
pub mod calibrate;
mod document;
mod index;
mod likeness;
mod model;
mod search;
mod synonym_groups;
mod text;
pub mod usage;

pub use broken_line::{BrokenLine, Corner};
pub use document::{CommandText, Document, TriggerTexts};
pub use index::{Change, Index, IndexError, MentionKind, checksum};
pub use likeness::{Likeness, N_DIRECTIONS, Vector};
pub use model::{FEATURES, Features, Model, ModelError};
pub use search::{Explanation, Match, Mention, Observation, Precedence, Request, TermHit};
pub use text::{Porter2, Stemmer, terms};
