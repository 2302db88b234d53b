//! Configuration of a skill: `config.env`, the environment of the host, declared keys.
//!
//! Source: `docs/design/legacy-host.md` §1.1.4 and §1.2.

mod cascade;
mod file;

#[cfg(test)]
mod tests;

pub use cascade::{Config, DeclaredKeys, Dialect, Given, ValueKind, declared, resolve};
pub use file::{MAX_INPUT, read_file};
