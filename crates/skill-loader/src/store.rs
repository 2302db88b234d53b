//! An output directory as a transactional store of skills.
//!
//! ```text
//! OUT/
//! ├── skills.lock              what was written from what
//! ├── <skill>/ …               the skills
//! └── .skills-migrate/
//!     ├── .gitignore           `*`
//!     ├── lock                 held by the one process that writes
//!     ├── staging/<skill>/     skills being built
//!     ├── run/                 the run under way: journal, old skills.lock, old/<skill>/
//!     ├── previous/            the same of the last run that changed something
//!     ├── base/                what the tool itself made of each skill, to merge edits with
//!     ├── stamps              fingerprints of what was found whole (a cache)
//!     └── trash/               being deleted
//! ```
//!
//! A skill is built in `staging`, its entry is written to the journal, and the two directories
//! are exchanged in one system call. A process that is killed leaves each skill old or new; the
//! next [`Store::open`] reads the journal and takes what was done into `skills.lock`.
//!
//! **Invariant:** nothing is ever deleted from `OUT` itself: what was there moves to `run/old`,
//! which stays as `previous` until another run changes something.
//! **Invariant:** a file of `OUT` is never opened for writing.

mod backup;
mod base;
mod begin;
mod commit;
mod dir;
mod error;
mod finish;
mod guard;
mod journal;
mod lock_file;
mod names;
mod recover;
mod rollback;
mod run;
mod staging;
mod stamps;
mod state;
mod trash;

#[cfg(test)]
mod tests;

pub use begin::{Recovery, Store, StoreOptions};
pub use commit::Committed;
pub use error::StoreError;
pub use rollback::Rollback;
pub use staging::Staging;
pub use state::{Edits, State};
