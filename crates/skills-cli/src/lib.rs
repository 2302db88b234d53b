//! The tools, without their processes.
//!
//! Each tool is a folder: arguments, settings, `run`. A `main` parses, runs and exits; everything
//! else can be called from a test.
//!
//! **Invariant:** arguments and environment are read once, into settings.
//! **Invariant:** data goes to standard output, everything else to standard error.

mod caches;
mod config_file;
pub mod describe;
pub mod exit;
mod interrupt;
pub mod migrate;
mod named;
mod nats;
mod nodes;
pub mod output;
pub mod read;
mod roots;
pub mod run;
pub mod serve;
mod tool;
mod usage;
pub mod validate;

pub use exit::ExitStatus;
pub use tool::main;
