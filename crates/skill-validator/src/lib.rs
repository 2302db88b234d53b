//! Rules for skills: values in, findings out.
//!
//! A caller lists a skill directory as [`SkillFiles`], decides [`Settings`] and asks
//! [`validate_skill`]; what concerns several skills is asked of [`validate_tree`] afterwards, with
//! the summaries that the first returned.
//!
//! - [`Rule`]: one idea, one file under `rules/`, with its documentation and its test.
//! - [`Profile`]: whose reading of the specification decides the levels.
//!
//! **Invariant:** knows no files, no terminals, no output formats, and not how to repair.
//! **Invariant:** the same input and settings give the same findings in the same order.

mod context;
mod docs;
mod engine;
mod input;
mod markdown;
mod reference;
mod rule;
mod rules;
mod settings;
mod signals;
mod tokens;
mod unicode;

#[cfg(test)]
mod testing;

pub use docs::render_rules;
pub use engine::{SkillReport, SkillSummary, validate_skill, validate_tree};
pub use input::{Content, Entry, Kind, SkillFiles};
pub use rule::{Group, Level, Levels, Rule};
pub use rules::{RULES, find_rule};
pub use settings::{Profile, Settings};
