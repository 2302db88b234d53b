//! Skills on disk: the only crate that touches the file system.
//!
//! [`fs`] reads trees with untrusted content; [`store`] maintains an output directory of skills and
//! replaces each of them atomically; [`catalog`] finds skills, and [`load`] gives bodies and
//! resources to agents, using the sections and pages of [`text`]; [`contents`] is a digest of a whole
//! tree.
//!
//! **Invariant:** no name leads outside the directory that was opened, and no link is followed.
//! **Invariant:** a skill in a store is the old one or the new one at every instant.
//! **Invariant:** no policy: the caller decides what is read, skipped, written or replaced.

pub mod catalog;
pub mod contents;
pub mod fs;
pub mod load;
pub mod request;
pub mod store;
pub mod text;
mod tree;

pub use skill_model::{Digest, Hasher};
pub use tree::{dir_in, instructions_in, tree_of};
