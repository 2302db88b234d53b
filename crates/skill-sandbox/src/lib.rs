//! A child process that reaches only what it was given: the processes' only door.
//!
//! - [`Spec`]: what is started, with what, and within which bounds.
//! - [`run`]: start, wait, collect: an [`Outcome`].
//! - [`spawn`]: the same in steps, for children that live longer than one answer: a [`Child`].
//!
//! A call ends when the process exits, not when its pipes close, and never later than its timeout.
//! No thread, no signal handler and no runtime is needed for that: one `poll` over the pipes, a
//! pidfd and the clock. Any number of threads may call at once.
//!
//! **Invariant:** knows nothing of skills; it is told what a child may reach and reports what it could enforce.

mod child;
mod door;
mod error;
mod feed;
mod held;
mod hosts;
mod inherited;
mod launch;
mod launcher;
mod outcome;
mod policy;
mod program;
mod reach;
mod relay;
mod sink;
mod spare;
mod spec;
mod walls;
mod wire;

pub use child::{Child, Killer, Wake};
pub use door::{run, spawn};
pub use error::{Error, Result};
pub use held::Held;
pub use hosts::{Host, HostPort};
pub use launcher::launcher_main;
pub use outcome::{Exit, Lost, Outcome};
pub use policy::{Confinement, Launcher, Lease, Level, Network, Policy, Report};
pub use program::find_program;
pub use relay::addresses;
pub use spec::{AtExit, Limits, Program, Spec, Stdin};
