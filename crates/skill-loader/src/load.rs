//! Levels 2 and 3 for agents: the body of a skill, and its resources.
//!
//! Only the selected part is returned, its size is bounded and reported, and no name leads outside
//! the skill. The levels are those of
//! <https://agentskills.io/client-implementation/adding-skills-support>.
//!
//! - [`SkillPlace`]: the location of a skill below an open directory.
//! - [`load_skill_body`], [`load_resource`]: a text and its [`LoadReport`].
//! - [`load_prompt`]: what the host of a prompt would send, for what a user typed.
//! - [`LoadError`]: the closed set of errors.
//! - [`Limits`]: maximum sizes, allowed types, and the behavior beyond a limit.
//!
//! **Invariant:** bytes outside the skill are never read, even if the tree changes during the call:
//! every open starts at the open directory and follows no link.

mod body;
mod cursor;
mod error;
mod ignored;
mod limits;
mod observation;
mod origin;
mod path;
mod place;
mod project;
mod prompt;
mod report;
mod resource;
mod select;

#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use body::load_skill_body;
pub use error::{LoadError, codes};
pub use limits::{BeyondLimit, Limits, Observations, RunId};
pub use path::{PathTrick, check_resource_path};
pub use place::{SkillPlace, Source};
pub use prompt::{LoadedPrompt, load_prompt, prompt_of};
pub use report::{Lines, LoadReport, LoadedText, Strategy};
pub use resource::load_resource;
pub use select::Selection;
