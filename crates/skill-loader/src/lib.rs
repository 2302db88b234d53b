//! Directories on one side, values on the other: the file system's only door.
//!
//! [`fs`] reads trees that nobody vouches for; [`store`] keeps an output directory of skills and
//! replaces each of them whole; [`catalog`] finds skills, and [`load`] gives bodies and resources
//! to agents, in the parts that [`text`] cuts. Nothing else in the workspace touches files.
//!
//! **Invariant:** no name leads outside the directory that was opened, and no link is followed.
//! **Invariant:** a skill in a store is the old one or the new one at every instant.
//! **Invariant:** no policy: what is read, skipped, written or replaced is decided by the caller.

pub mod catalog;
mod digest;
pub mod fs;
pub mod load;
pub mod store;
pub mod text;

pub use digest::{Digest, Hasher};
