//! A child process that reaches only what it was given, and the single entry point for starting
//! processes.
//!
//! - [`Spec`]: the program to start, its input and its limits.
//! - [`run`]: starts a child, waits for it and collects its output: an [`Outcome`].
//! - [`spawn`]: the same in steps, for children that live longer than one answer: a [`Child`].
//!
//! Linux has a sandbox (`linux`). On macOS and Windows (`portable`) a child has the same limits on
//! time and output, but a confined one is refused, except with the experimental
//! [`Launcher::seatbelt`] on macOS.
//!
//! **Invariant:** knows nothing of skills; it receives what a child may reach and reports what it
//! could enforce.

mod addresses;
pub mod dns;
mod error;
mod hosts;
#[cfg(target_os = "linux")]
mod linux;
mod outcome;
mod policy;
#[cfg(any(not(target_os = "linux"), test))]
mod portable;
mod program;
mod report;
mod spec;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

pub use addresses::addresses;
pub use error::{Error, Result};
pub use hosts::{Host, HostPort};
pub use outcome::{Exit, LostFiles, Outcome, WaitEvent};
pub use policy::{Confinement, Emulation, Launcher, Lease, Network, Policy, Server};
pub use program::find_program;
pub use report::{Level, Report};
pub use spec::{AtExit, ChannelPlace, Limits, Program, Spec, Stdin};
pub use system::{Channel, Child, Killer, OpenPath, launcher_main, run, spawn};
