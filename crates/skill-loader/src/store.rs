//! An output directory as a transactional store of skills.
//!
//! ```text
//! OUT/
//! ├── skills.lock              the source and the files of every skill
//! ├── <skill>/ …               the skills
//! ├── .host/<skill>/ …         the parts of a host
//! └── .skills-migrate/
//!    ├── .gitignore           `*`
//!    ├── lock                 held by the one process that writes
//!    ├── staging/<skill>/     skills being built
//!    ├── run/                 the current run: journal, old skills.lock, old/<skill>/
//!    ├── previous/            the same for the last run that changed something
//!    ├── base/                the generated texts of each skill, to merge with manual edits
//!    ├── stamps               fingerprints of unchanged trees (a cache)
//!    └── trash/               being deleted
//! ```
//!
//! A skill is built in `staging`, its entry is written to the journal, and the two directories are
//! exchanged in one system call. A process that is killed leaves each skill old or new; the next
//! [`Store::open`] reads the journal and adds the finished changes to `skills.lock`.
//!
//! **Invariant:** nothing is ever deleted from `OUT` itself: replaced content moves to `run/old`,
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
mod handle;
mod incomplete;
mod journal;
mod lock_file;
mod names;
mod output;
mod places;
mod put_away;
mod recover;
mod restore;
mod rollback;
mod run;
mod staging;
mod stamps;
mod state;
mod trash;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use commit::CommitOutcome;
pub use error::StoreError;
pub use handle::{Recovery, Store, StoreOptions};
pub use restore::Rollback;
pub use staging::Staging;
pub use state::{Edits, State};
