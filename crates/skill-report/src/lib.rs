//! Reports: findings, migrations and comparisons, for people and for programs.
//!
//! - [`disclosure`]: descriptions, prompts and their cost; [`search`]: matches and their reasons.
//! - [`findings`]: the findings of a validation, a module per format.
//! - [`migration`]: the result of a migration as text, JSON, or a page.
//! - [`parity`]: the result of a comparison, and how far each plugin is.
//! - [`reading`]: the text of a skill, and lists of skills.
//! - `excerpt`: one finding with the line of the source that it points into.
//! - `paint`: colours, and texts that cannot control a terminal.
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
