//! Migrates a directory of legacy plugins into a directory of Agent Skills.
//!
//! - `options`: what to migrate and how; `error`: why a run was not possible.
//! - `run`: a whole run, step by step or in one call.
//! - `discover`: where the plugins are and which names they get.
//! - `collect`, `decode`, `evidence`, `secrets`: one plugin directory as values.
//! - `work`, `plan`, `last_time`: one plugin, from reading to writing.
//! - `reconcile`, `merge`, `diff`: the planned skill and the one on disk.
//! - `origin`: whether a skill is made from the same plugin as before.
//! - `outcome`, `tokens`: the result for one plugin, and for all.
//! - `shard`, `merge_shards`: a part of a collection, and the parts put together.
//!
//! **Invariant:** no terminal, no arguments, no presentation; progress is reported by [`Event`]s.
//! **Invariant:** a plugin that cannot be migrated is an [`Outcome`]; an [`Error`] ends the run.
//!
//! ```no_run
//! use skill_pipeline::{MigrateOptions, migrate};
//!
//! let options = MigrateOptions::new("plugins", "skills").prune(true);
//! let migrated = migrate(options, &|_event| {})?;
//! for outcome in &migrated.outcomes {
//!     println!("{}: {}", outcome.directory, outcome.status.word());
//! }
//! # Ok::<(), skill_pipeline::Error>(())
//! ```

mod carry;
mod collect;
mod decode;
mod diff;
mod discover;
mod error;
mod evidence;
mod formats;
mod last_time;
mod merge;
mod merge_shards;
mod options;
mod origin;
mod outcome;
mod plan;
mod reconcile;
mod run;
mod secrets;
mod shard;
mod tokens;
mod work;

pub use carry::IdlePattern;
pub use discover::{Candidate, Collection};
pub use error::{Error, ErrorKind};
pub use formats::MAX_MANIFEST_BYTES;
pub use merge_shards::{MergeShards, MergedShards, merge_shards};
pub use options::{Details, MAX_FILE_BYTES, MigrateOptions, Mode, SecretPolicy};
pub use outcome::{Account, Change, Outcome, Status, Tokens, Totals};
pub use run::{Event, Migrated, Observer, Pipeline, Run, migrate};
pub use shard::Shard;
