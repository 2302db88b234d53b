//! The tools, without their processes.
//!
//! Each tool is a folder: arguments, settings, `run`. A `main` parses, runs and exits; everything
//! else can be called from a test.
//!
//! **Invariant:** arguments and environment are read once, into settings.
//! **Invariant:** data goes to standard output, everything else to standard error.

mod excerpt;
pub mod exit;
pub mod migrate;
pub mod output;
pub mod read;
mod render;
mod tool;
pub mod validate;
mod wildcard;

pub use exit::ExitStatus;
pub use tool::main;
