//! Migrates a directory of legacy plugins into a directory of Agent Skills.
//!
//! - `options`, `error`: the options of a run, and the errors that end it.
//! - `run`, `context`: a whole run, step by step or in one call.
//! - `input_directory`: the directories of the input, for the readers of formats (`plugin-readers`).
//! - `packages`, `discover`, `host_files`: finds the packages of a directory, names the skills of their
//!   units, and finds the package lists of their host.
//! - `groups`: files by their directories; `outside`: the files of a marketplace that are in no package.
//! - `homes`, `same_skills`: the directories of hosts inside a package, and skills that are there twice.
//! - `collect`, `plugin_files`, `decode`, `evidence`, `secrets`: one plugin directory as values.
//! - `inherited`: the license of a collection, for packages without one.
//! - `host_tree`: the modules of the old host that plugins load.
//! - `work`, `plan`, `last_time`: one unit, from reading to writing.
//! - `reconcile`, `merge`, `diff`, `staging`: the planned skill and the one on disk.
//! - `valid`: whether the files of a planned or merged skill can be read.
//! - `polishing`, `polish_jobs`: the texts of a model, and the jobs for new ones.
//! - `unread`: the files of units that are not read.
//! - `refusal`, `conflict`, `stray`, `origin`: the reasons not to write, and files that do not count.
//! - `outcome`, `tokens`: the results of single units and of a run.
//! - `shard`, `merge_shards`: a part of a collection, and the merge of the parts.
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

mod calls;
mod carry;
mod claimed_files;
mod collect;
mod conflict;
mod context;
mod decode;
mod diff;
mod discover;
mod error;
mod evidence;
mod groups;
mod homes;
mod host_files;
mod host_tree;
mod inherited;
mod input_directory;
mod last_time;
mod linked_parts;
mod merge;
mod merge_shards;
mod no_plugins;
mod not_searched;
mod options;
mod origin;
mod outcome;
mod outside;
mod own_archive;
mod packages;
mod packed;
mod plan;
mod plugin_files;
mod polish_jobs;
mod polishing;
mod reading;
mod reconcile;
mod redaction;
mod refusal;
mod rest;
mod run;
mod same_skills;
mod scans;
mod secrets;
mod server_entries;
mod shard;
mod shared_files;
mod staging;
mod stray;
mod taken;
mod tokens;
mod unit;
mod unit_source;
mod unpacked;
mod unread;
mod valid;
mod work;

pub use carry::IdlePattern;
pub use discover::{Candidate, Collection};
pub use error::{Error, ErrorKind};
pub use input_directory::MAX_MANIFEST_BYTES;
pub use merge_shards::{MergeShards, MergedShards, merge_shards};
pub use options::{
    Details, HostedPolicy, MAX_FILE_BYTES, MigrateOptions, Mode, SecretPolicy, SettingsFrom,
};
pub use outcome::{Account, Change, Outcome, Status, Tokens, Totals};
pub use run::{Event, Migrated, Observer, Pipeline, Run, migrate};
pub use shard::Shard;
