//! Flaws in the wording of a skill that are facts about its text, in English and Chinese.
//!
//! - [`filler`]: words that are true of every skill.
//! - [`host_residue`]: words that only the user of an old host understands.
//! - [`repeated_when`]: a sentence on the use that repeats what the skill does.
//! - [`overlap`]: the share of one text that another one has too.
//!
//! **Invariant:** pure; no files, no skills, no findings.
//! **Invariant:** a flaw is a phrase that is never right, or a measure; there is no judgment of style.

mod overlap;
mod phrases;
mod when;

pub use overlap::overlap;
pub use phrases::{filler, host_residue};
pub use when::repeated_when;
