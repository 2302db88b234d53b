//! Checks that a skill does what its plugin did, and finds plugins that are no longer needed.
//!
//! - `pairs`: plugins and the skills that were made of them; `status`: the work that remains for each.
//! - `verify`: compares all pairs, in parallel; `judge`: compares one pair; `obstacle`: the reasons why
//!   a pair is not run;
//!   `cause`: the kinds of those and other reasons.
//! - `options`: the options of a comparison; `result`: its result.
//! - `reference`: the plugin as the old host ran it, from its own manifest.
//! - `cases`: the input of the runs; `samples`: inputs that nobody wrote, `resorts`: for plugins that do nothing
//!   with them.
//! - `trials`: the runs of one case; `trial`: one run; `effects`: the files that it changed, `journal`: those of databases;
//!   `evidence`: what its answer proves; `excuses`: texts of the code for failures;
//!   `conclusion`: what follows from the runs; `requests`: what both ask an internet of our own; `recording`: what is recorded and replayed; `sources`: the code of a plugin;
//!   `markers`: names that replace the directories of a run.
//! - `surroundings`: the parts of the old host around a plugin; `steady`: the same clock and the same
//!   random numbers for all runs of a case; `program_clock`: the same for programs that are not JavaScript.
//! - `compare`: differences between two runs that should be equal.
//! - `parity_record`: the results, saved next to the skills; a crate of its own, for tools that only
//!   read them.
//!
//! **Invariant:** neither the plugin nor the skill is written to; each run has directories of its own.
//! **Invariant:** the reference takes from the skill only names, the keys of its secrets and the
//! functions that it needs from the host, so that mistakes of the migration are found.
//! **Invariant:** no terminal and no command line; the environment is a parameter.

mod cases;
mod cause;
mod compare;
mod conclusion;
mod effects;
mod error;
mod evidence;
mod excuses;
mod journal;
mod judge;
mod lines;
mod markers;
mod obstacle;
mod options;
mod order;
mod pairs;
mod program_clock;
mod recording;
mod reference;
mod requests;
mod resorts;
mod result;
mod samples;
mod sources;
mod status;
mod steady;
mod surroundings;
mod taken_out;
mod trial;
mod trials;
mod verify;
mod words;

pub use cases::{Case, parse, unused};
pub use cause::Cause;
pub use compare::Difference;
pub use error::{CaseError, Error, Flaw};
pub use options::{Answers, ReplacedNetwork, RunPolicy, VerifyOptions};
pub use pairs::{Pair, Pairs};
pub use parity_record::{Level, Parity, Verdict, recorded, recorded_of};
pub use program_clock::ProgramClock;
pub use result::{CaseResult, PluginResult};
pub use status::{PluginStatus, Stage};
