//! `SKILL.md`: YAML frontmatter between two `---` lines, then Markdown.
//!
//! - [`split`] finds the delimiters, [`parse_skill`] reads the file and keeps every key with its
//!   position, so that the validator can check input that the loader tolerates.
//! - [`Frontmatter`] holds the specification's fields and [emits](Frontmatter::emit) them.
//!
//! Source: <https://agentskills.io/specification>.

mod emit;
mod fields;
mod parse;
mod repair;
mod split;

pub use fields::{COMPATIBILITY_MAX, DESCRIPTION_MAX, Frontmatter};
pub use parse::{Skill, codes, decode, parse_skill, parse_skill_bytes};
pub use repair::repair_frontmatter;
pub use split::{Split, SplitError, split};
