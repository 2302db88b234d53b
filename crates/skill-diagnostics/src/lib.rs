//! Findings as values.
//!
//! Everything that reads bad input returns what it could make of it and a list of
//! [`Diagnostic`]s; how a finding is shown is decided far above.
//!
//! - [`Diagnostic`]: one finding, with its [`Code`], [`Severity`], message, [`Place`] and help.
//! - [`LineIndex`]: byte offsets of a text as line and column.
//! - [`steps`]: what readers do, counted for tests and fuzzing.
//! - [`nearest`]: the "did you mean" behind many a help line.
//!
//! **Invariant:** knows nothing of terminals, colour, JSON or files.

mod diagnostic;
mod line_index;
mod nearest;
pub mod steps;

pub use diagnostic::{Code, Diagnostic, Place, Severity};
pub use line_index::{LineIndex, Position, Span};
pub use nearest::nearest;
