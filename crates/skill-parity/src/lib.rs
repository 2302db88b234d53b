//! Proof that a skill does what its plugin did, and which plugins are no longer needed.
//!
//! - `pairs`: which plugin became which skill; `status`: what remains to be done for each.
//! - `verify`: all pairs, in parallel; `judge`: one pair.
//! - `reference`: the plugin as the old host ran it, from its own manifest.
//! - `cases`: the input of the runs; `trial`: one run; `effects`: the files that it changed.
//! - `compare`: differences between two runs that should be equal.
//! - `record`: the results, kept beside the skills.
//!
//! **Invariant:** neither the plugin nor the skill is written to; each run has directories of its own.
//! **Invariant:** the reference knows of the skill only its name, so that faults of the migration show.
//! **Invariant:** no terminal and no arguments; the environment is handed in.

mod cases;
mod compare;
mod effects;
mod error;
mod judge;
mod pairs;
mod record;
mod reference;
mod status;
mod trial;
mod verify;

pub use cases::{Case, parse, unused};
pub use compare::Difference;
pub use error::{CaseError, Error, Flaw};
pub use judge::{Account, CaseAccount, Permits, Verdict};
pub use pairs::{Pair, Pairs};
pub use record::{Parity, recorded, recorded_of};
pub use status::{PluginStatus, Stage};
pub use verify::VerifyOptions;
