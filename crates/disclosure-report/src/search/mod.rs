//! The skills that match a request, and a check of their confidence.

mod batch;
mod calibration;
mod matches;

pub use batch::{BatchError, batch};
pub use calibration::write as calibration;
pub use matches::{json, ranked, rounded, short, text};
