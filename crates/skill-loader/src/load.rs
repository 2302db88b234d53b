//! Level 2 and level 3 for agents: the body of a skill, and its resources.
//!
//! Only what was chosen is read, what is given is bounded and accounted for, and no name leads
//! outside the skill. The words of the levels are those of
//! <https://agentskills.io/client-implementation/adding-skills-support>.
//!
//! - [`SkillPlace`]: where a skill lies, beneath a held directory handle.
//! - [`load_skill_body`], [`load_resource`]: a text and its [`LoadReport`].
//! - [`LoadError`]: the closed set of refusals.
//! - [`Limits`]: how much, of which types, and what happens beyond.
//!
//! **Invariant:** bytes outside the skill are never opened, whatever the tree is swapped for
//! meanwhile: every open starts at the held handle and follows no link.

mod body;
mod cursor;
mod error;
mod limits;
mod observation;
mod path;
mod place;
mod report;
mod resource;
mod select;

#[cfg(test)]
mod tests;

pub use body::load_skill_body;
pub use error::{LoadError, codes};
pub use limits::{BeyondLimit, Limits, Observations, RunId};
pub use path::{PathTrick, check_resource_path};
pub use place::{SkillPlace, Source};
pub use report::{Lines, LoadReport, Loaded, Strategy};
pub use resource::load_resource;
pub use select::Selection;
