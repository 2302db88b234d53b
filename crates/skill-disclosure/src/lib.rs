//! What an agent is told about skills: three phases, the catalogue, budgets.
//!
//! - [`Facts`]: what is known of a skill before its body is given; [`FullSource`] gives the body.
//! - [`Phase`]: metadata, brief or full, by confidence ([`Disclosure`]); [`describe`] writes it.
//! - [`listing`]: all skills within a budget; [`compose`] adds the bodies of a [`Mode`].
//! - [`DescriptionCache`]: descriptions that are kept.
//! - [`document`]: what a search knows of a skill.
//! - [`placeholders`]: descriptions in the prompts of older hosts.
//! - [`tokens`]: how long a text is for a model.
//!
//! **Invariant:** source code is never disclosed: of a skill's files only the body of `SKILL.md`.
//! **Invariant:** nothing is cut without a mark in the text and a number in the report.
//! **Invariant:** no clock; the same skills, settings and instants give the same bytes.

mod body;
mod brief;
mod cache;
mod describe;
mod document;
mod facts;
mod full;
pub mod listing;
mod mode;
mod phase;
pub mod placeholders;
mod safe;
mod sentence;
pub mod tokens;

pub use body::{FullError, FullSource, LocalBodies};
pub use cache::{CacheLimits, CacheStatistics, DescriptionCache, PhaseStatistics, Version};
pub use describe::{Budgets, Description, LeftOut, describe};
pub use document::document;
pub use facts::{CommandFacts, Facts, Parameter, Parts};
pub use mode::{Composed, Injected, Match, Mode, ModeSettings, compose};
pub use phase::{Disclosure, Phase, Situation, ThresholdError, Thresholds, phase_for};
pub use safe::{escape_xml, one_line, without_controls};
pub use sentence::{CUT_MARK, Fitted, fit, sentences};
