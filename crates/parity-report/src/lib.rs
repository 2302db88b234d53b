//! The result of a comparison with the plugins, and the stage of each plugin.

mod status;
mod verify;

pub use status::{json as status_json, text as status_text};
pub use verify::{json, text};
