//! `config.env` and similar files, as the patched dotenv of the old host reads them.
//!
//! [`read_env_file`] gives the pairs that a program sees, [`env_lines`] the keys and comments
//! without any value, and [`write_env_file`] writes pairs so that they read as they were.
//!
//! The rules are those of the line pattern of dotenv, with more characters in keys
//! (`docs/design/legacy-host.md` §1.1.4). Later lines win.

mod lines;
mod pattern;
#[cfg(test)]
mod tests;
mod write;

pub use lines::{EnvLine, env_keys, env_lines};
pub use pattern::read_env_file;
pub use write::{EnvFile, write_env_file};
