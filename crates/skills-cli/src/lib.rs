//! Arguments, settings and streams that the tools share.
//!
//! Each tool is a crate of its own: arguments, settings, `run`. Its `main` parses, runs and exits;
//! everything else can be called from a test. The crate `skills-tools` puts all of them into one
//! program.
//!
//! **Invariant:** arguments and environment are read once, into settings.
//! **Invariant:** data goes to standard output, everything else to standard error.

pub mod caches;
pub mod exit;
pub mod input;
pub mod nats;
pub mod nodes;
pub mod output;
pub mod roots;
mod tool;

pub use exit::ExitStatus;
pub use tool::{locale, main, main_of};
