//! Describes skills to an agent: three phases, the catalog, budgets.
//!
//! - [`Facts`]: everything about a skill except its body; [`FullSource`] provides the body.
//! - [`Phase`]: metadata, brief or full, chosen by confidence ([`Disclosure`]); [`describe`] writes
//!   it.
//! - [`listing`]: all skills within a budget; [`compose`] adds the bodies of a [`Mode`].
//! - [`DescriptionCache`]: a cache of descriptions.
//! - [`index`], [`IndexFile`]: the index that searches use, built or kept in a file.
//! - [`placeholders`]: descriptions in the prompts of older hosts.
//!
//! **Invariant:** source code is never disclosed: of a skill's files only the body of `SKILL.md`
//! is.
//! **Invariant:** every cut has a mark in the text and a number in the report.
//! **Invariant:** there is no clock; the same skills, settings and instants give the same bytes.

mod body;
mod brief;
mod cache;
mod costs;
mod describe;
mod describer;
mod description;
mod document;
mod facts;
mod full;
mod indexed;
pub mod listing;
mod metadata;
mod mode;
mod phase;
pub mod placeholders;
mod recorded_use;
mod safe;
mod sentence;
mod share;

pub use body::{FullError, FullSource, LocalBodies};
pub use cache::{CacheLimits, CacheStatistics, DescriptionCache, PhaseStatistics, Version};
pub use costs::{Costs, N_BRIEFED, N_READ, PhaseCost, costs, facts_with_sections};
pub use describe::describe;
pub use describer::{DescribeError, Describer};
pub use description::{Budgets, Description, Omissions};
pub use document::index;
pub use facts::{CommandFacts, Facts, Parameter, Parts};
pub use indexed::{IndexFile, IndexNote, Indexed};
pub use mode::{InjectedBody, Match, Mode, ModeSettings, Prompt, compose};
pub use phase::{
    Disclosure, Phase, Situation, TO_BRIEF, TO_FULL, ThresholdError, Thresholds, phase_for,
};
pub use recorded_use::{UsageError, read_usage};
pub use safe::{escape_xml, one_line, without_controls};
pub use sentence::{CUT_MARK, FittedText, fit, sentences};
pub use share::{ShareError, share_of};
