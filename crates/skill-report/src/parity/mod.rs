//! The result of a comparison, and how far each plugin is.

mod status;
mod verify;

pub use status::{json as status_json, text as status_text};
pub use verify::{json, text};
