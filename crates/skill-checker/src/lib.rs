//! Validates and repairs directories of Agent Skills.
//!
//! - [`Checker`]: a directory whose skills were found; it checks and repairs them.
//! - `options`, `levels`: the rules for each skill, and the paths that are passed over.
//! - `target`, `discover`: the directory and its skills; `collect`: one skill as values.
//! - [`changed_files`]: the files that differ from a git revision.
//! - `fix`: repairs of `SKILL.md` that cannot change the meaning.
//!
//! **Invariant:** the rules are those of [`skill_validator`]; a file that cannot be read is a finding.
//! **Invariant:** nothing is written except by [`Checker::write`].
//!
//! ```no_run
//! use std::path::Path;
//! use skill_checker::{CheckOptions, Checker};
//!
//! let checker = Checker::open(Path::new("skills"), CheckOptions::default())?;
//! for finding in checker.check()?.findings {
//!     println!("{}: {}", finding.code, finding.message);
//! }
//! # Ok::<(), skill_checker::Error>(())
//! ```

mod changed;
mod checker;
mod collect;
mod discover;
mod fix;
mod levels;
mod options;
mod target;

pub use changed::{ChangedError, changed_files};
pub use checker::{Checked, Checker, Error};
pub use fix::Repair;
pub use levels::{LevelError, parse_levels};
pub use options::{CheckOptions, Override};
pub use target::Target;
