//! Tests of which skill a request triggers.
//!
//! - [`load`]: the tests of a file or of a directory of skills; [`read`]: those of a text, in the
//!   forms that authors of skills use; [`Case`], [`Expected`].
//! - [`run`]: searches for each request; [`CaseResult`], [`Measures`].
//! - [`Reliability`]: the confidence of first matches against how often they are right.
//! - [`text`], [`json`], [`junit`]: the results for people, programs and CI.
//!
//! A skill is *triggered* by a request if it is the first match and its confidence is at least
//! [`skill_disclosure::TO_BRIEF`], from which an agent is shown more than its name.
//!
//! **Invariant:** only [`load`] reads files; nothing is written.

mod case;
mod files;
mod read;
mod reliability;
mod report;
mod result;

pub use case::{Case, Expected};
pub use files::{LoadError, catalog, load};
pub use read::{FormatError, read};
pub use reliability::Reliability;
pub use report::{json, junit, text};
pub use result::{CaseResult, Measures, confusions, run};
