//! Agent Skills as a library: migrate plugins, find the skill for a request, describe it to a model,
//! read it, run it, validate it.
//!
//! A skill is a directory with a `SKILL.md` (<https://agentskills.io/specification>) and, where it can
//! run, a `METADATA.yml`. [`Library`] is a snapshot of all skills below some directories.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # skills::init();
//! # let dir = tempfile::tempdir()?;
//! # std::fs::create_dir(dir.path().join("tea-brewer"))?;
//! # std::fs::write(dir.path().join("tea-brewer/SKILL.md"),
//! #     "---\nname: tea-brewer\ndescription: Brews green tea and oolong.\n---\n# Tea\n\nHeat the water.\n")?;
//! let library = skills::Library::open([dir.path()])?;
//! for hit in library.search("brew green tea") {
//!     println!("{:.2} {}", hit.confidence, hit.skill);
//! }
//! let text = library.read("tea-brewer")?;
//! assert!(text.text.contains("Heat the water."));
//! # Ok(())
//! # }
//! ```
//!
//! Programs of skills run in a sandbox, for which this program starts itself again: call [`init`]
//! first in `main`.
//!
//! **Invariant:** nothing here writes to a terminal, and only [`init`] looks at the command line.

mod call;
mod error;
mod library;
mod migrate;
mod run_settings;
#[cfg(test)]
mod tests;
mod validate;

use std::sync::atomic::{AtomicBool, Ordering};

pub use call::{Answer, CallBuilder};
pub use error::{Error, ErrorKind};
pub use library::{Library, LibraryBuilder, SearchHit};
pub use migrate::{Migration, migrate};
pub use validate::{Validation, validate};

/// A finding: code, severity, message, place and help.
pub use skill_diagnostics::{Code, Diagnostic, Place, Severity};
/// A description of a skill for a model, and its phase: how much it holds.
pub use skill_disclosure::{Description, Omissions, Phase};
/// Cancels a call from another thread.
pub use skill_executor::cancel::Cancel;
/// Why a call failed, for programs, and what did not stop it.
pub use skill_executor::envelope::{ErrorCode, Warning};
/// The level of confinement that the sandbox reaches.
pub use skill_executor::sandbox::Level;
/// A skill of a library: name, description and place.
pub use skill_loader::catalog::CatalogSkill as Skill;
/// The text of a skill, with a report of what was read.
pub use skill_loader::load::{LoadReport, LoadedText};
/// The fate of one field of a manifest.
pub use skill_migrator::Fate;
/// The result of a migration: an outcome for each plugin, and their totals.
pub use skill_pipeline::{Account, Migrated, Outcome, Status, Totals};
/// The reading of the specification that a validation applies.
pub use skill_validator::Profile;

/// The examples of `docs/library.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;

/// True once [`init`] was called in this process.
static IS_INITIALIZED: AtomicBool = AtomicBool::new(false);

/// Prepares the process for running skills. Call it first in `main`, before any thread starts.
///
/// The sandbox starts the current program a second time to confine a skill. In that second process
/// `init` does the work of the sandbox and never returns; in the first one it returns at once. It
/// tells them apart by the only argument of the second process, which begins with `sandbox-launch`.
/// [`Library::run`] fails with [`ErrorKind::NotInitialized`] where it was not called.
///
/// A test has no `main` of its own, and a call there ends with [`ErrorCode::SpawnFailed`]. Use
/// `harness = false`, or [`LibraryBuilder::sandbox`] with `None`.
///
/// ```
/// fn main() {
///     skills::init();
///     // … the rest of the program
/// }
/// ```
#[expect(
    clippy::needless_doctest_main,
    reason = "the example shows the place of the call in `main`"
)]
pub fn init() {
    skill_sandbox::launcher_main();
    IS_INITIALIZED.store(true, Ordering::Relaxed);
}

pub(crate) fn is_initialized() -> bool {
    IS_INITIALIZED.load(Ordering::Relaxed)
}
