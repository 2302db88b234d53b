//! The skills that fit a request, and how far their confidence holds.

mod calibration;
mod matches;

pub use calibration::{json as calibration_json, text as calibration_text};
pub use matches::{json, rounded, short, text};
