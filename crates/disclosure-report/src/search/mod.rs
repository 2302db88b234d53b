//! The skills that match a request, and a check of their confidence.

mod batch;
mod calibration;
mod matches;

pub use batch::{BatchError, batch};
pub use calibration::{json as calibration_json, text as calibration_text};
pub use matches::{json, rounded, short, text};
