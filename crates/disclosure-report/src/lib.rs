//! The texts that agents are given, for people and for programs.
//!
//! - [`disclosure`]: descriptions, prompts and their cost; [`search`]: matches and their reasons.
//! - [`reading`]: the text of a skill, and lists of skills.

pub mod disclosure;
pub mod reading;
pub mod search;
