//! Reports: findings, migrations and comparisons, for people and for programs.
//!
//! - [`disclosure`]: descriptions, prompts and their cost; [`search`]: matches and their reasons.
//! - [`findings`]: the findings of a validation, a module per format.
//! - [`migration`]: the result of a migration as text, JSON, or a page.
//! - [`parity`]: the result of a comparison with the plugins, and the stage of each plugin.
//! - [`reading`]: the text of a skill, and lists of skills.
//! - `excerpt`: one finding with the line of the source that it refers to.
//! - `paint`: colours, and escaping of texts that could control a terminal.
//!
//! **Invariant:** values in, text out; the caller chooses the stream and the file.

pub mod disclosure;
mod excerpt;
pub mod findings;
pub mod migration;
mod paint;
pub mod parity;
pub mod reading;
pub mod search;

pub use excerpt::excerpt;
pub use paint::{Paint, printable, visible};
