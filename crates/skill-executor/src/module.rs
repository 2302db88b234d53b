//! JavaScript modules of the old host, in a Node process of their own.
//!
//! - [`Launch`]: the module to load, its configuration and its directory.
//! - [`Worker`]: one skill's process; started when it is first needed, started again after a crash.
//! - [`Modules`]: the executor; [`ModuleFunction`]: the function that a call means; [`chain`]: preprocessors
//!   one after the other.
//! - [`Link`]: one running process and the calls that wait for its answers.
//! - [`wire`]: the messages; `bridge/*.js` is the other end.
//!
//! Source: `docs/design/legacy-host.md` §1.1.5, §1.1.6, §1.6 and §1.9.
//!
//! **Invariant:** standard output carries no message; modules print on it.
//! **Invariant:** a message has at most [`wire::MAX_FRAME`] bytes, in both directions.

mod bundle;
pub mod chain;
mod executor;
mod function;
mod launch;
mod link;
mod select;
pub mod wire;
mod worker;

#[cfg(test)]
mod tests;

pub(crate) use bundle::ANSWERS;
pub use executor::{FAILED, Modules};
pub use function::{CallKind, ModuleFunction};
pub use launch::{HostView, Launch};
pub use link::{Event, Link, LinkError};
pub use worker::{Remainder, Worker, WorkerError};
