//! Servers of models with the API of `OpenAI`.
//!
//! - [`Endpoint`]: a server, a model and a key; sends one question.
//! - [`Embedder`]: vectors for texts; [`Embeddings`] asks a server for them (`POST …/embeddings`).
//! - [`VectorFile`]: vectors of earlier runs, by the digest of their text.
//! - [`search`]: a search whose confidences also depend on vectors; [`find`]: the same with a server and
//!   a file, if there is a server.
//!
//! **Invariant:** the key is sent to the address that the user named and is in no message.
//! **Invariant:** nothing is sent unless a user names a server.

mod embeddings;
mod endpoint;
mod fusion;
mod semantic;
mod vectors;

#[cfg(test)]
mod tests;

pub use embeddings::{Embedder, Embeddings};
pub use endpoint::{Api, Endpoint, NoAnswer};
pub use fusion::{SkillText, search};
pub use semantic::find;
pub use vectors::{VectorFile, Vectors};
