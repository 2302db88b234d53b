//! A child process that reaches only what it was given, and the single entry point for starting
//! processes.
//!
//! - [`Spec`]: the program to start, its input and its limits.
//! - [`run`]: starts a child, waits for it and collects its output: an [`Outcome`].
//! - [`spawn`]: the same in steps, for children that live longer than one answer: a [`Child`].
//!
//! A call ends when the process exits, not when its pipes close, and never later than its timeout.
//! That needs no thread, no signal handler and no runtime: one `poll` over the pipes, a pidfd and
//! the time. Any number of threads may call at once.
//!
//! **Invariant:** knows nothing of skills; it receives what a child may reach and reports what it
//! could enforce.

mod child;
mod confinement;
mod error;
mod feed;
mod hosts;
mod inherited;
mod launch;
mod launcher;
mod launcher_pool;
mod open_path;
mod outcome;
mod policy;
mod process;
mod program;
mod reach;
mod relay;
mod report;
mod sink;
mod spawn;
mod spec;
mod started_process;
mod wire;

pub use child::{Child, Killer, WaitEvent};
pub use error::{Error, Result};
pub use hosts::{Host, HostPort};
pub use launcher::launcher_main;
pub use open_path::OpenPath;
pub use outcome::{Exit, LostFiles, Outcome};
pub use policy::{Confinement, Launcher, Lease, Network, Policy};
pub use program::find_program;
pub use relay::addresses;
pub use report::{Level, Report};
pub use spawn::{run, spawn};
pub use spec::{AtExit, Limits, Program, Spec, Stdin};
