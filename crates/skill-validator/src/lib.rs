//! Rules for skills: values in, findings out.
//!
//! A caller lists a skill directory as [`SkillFiles`], chooses [`Settings`] and calls
//! [`validate_skill`]. Rules across skills run in [`validate_tree`] afterwards, with the summaries
//! that the first call returned.
//!
//! ```
//! use skill_validator::{Entry, Settings, SkillFiles, validate_skill};
//!
//! let skill = SkillFiles {
//!    path: "skills/pdf".to_owned(),
//!    directory: "pdf".to_owned(),
//!    entries: vec![Entry::file("SKILL.md", "# no frontmatter\n")],
//!    hard_links: Vec::new(),
//! };
//! let report = validate_skill(&skill, None, &Settings::default());
//! assert_eq!(report.findings[0].code.0, "frontmatter-missing");
//! ```
//!
//! - [`Rule`]: one idea, with its documentation and its test under `rules/`: a file, or a row of the
//!   table of its family.
//! - [`Profile`]: the reading of the specification that sets the levels.
//!
//! **Invariant:** no files, terminals or output formats, and no repairs.
//! **Invariant:** the same input and settings give the same findings in the same order.

mod context;
mod docs;
mod engine;
mod input;
mod level;
mod markdown;
mod profile;
mod reference;
mod rule;
mod rules;
mod settings;
mod signals;
mod summary;
mod unicode;

#[cfg(test)]
mod testing;

pub use docs::render_rules;
pub use engine::{SkillReport, validate_skill, validate_tree};
pub use input::{Content, Entry, Kind, SkillFiles};
pub use level::{Level, Levels};
pub use profile::Profile;
pub use rule::{Group, Rule};
pub use rules::{RULES, find_rule};
pub use settings::Settings;
pub use summary::{OtherVersion, SkillSummary};
