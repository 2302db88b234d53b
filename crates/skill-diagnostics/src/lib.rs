//! Findings as values.
//!
//! A reader of bad input returns what it could read and a list of [`Diagnostic`]s. Upper layers
//! decide how findings are displayed.
//!
//! - [`Diagnostic`]: one finding, with its [`Code`], [`Severity`], message, [`Place`] and help.
//! - [`LineIndex`]: byte offsets of a text as lines and columns.
//! - [`steps`]: counts the steps of readers for tests and fuzzing.
//! - [`nearest`]: the "did you mean" in many help texts.
//!
//! **Invariant:** the crate knows nothing of terminals, colour, JSON or files.

mod diagnostic;
mod line_index;
mod nearest;
pub mod steps;

pub use diagnostic::{Code, Diagnostic, Place, Severity};
pub use line_index::{LineIndex, Position, Span};
pub use nearest::nearest;
