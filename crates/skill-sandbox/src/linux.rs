//! Children on Linux, with or without a sandbox.
//!
//! A call ends when the process exits, not when its pipes close, and never later than its timeout.
//! That needs no thread, no signal handler and no runtime: one `poll` over the pipes, a pidfd and
//! the time. Any number of threads may call at once.

mod child;
mod confinement;
mod feed;
mod guard;
mod inherited;
mod launch;
mod launcher;
mod launcher_pool;
mod open_path;
mod orders;
mod process;
mod reach;
mod relay;
mod sink;
mod spawn;
mod started_process;
mod wire;

pub use child::{Child, Killer};
pub use launcher::launcher_main;
pub use open_path::OpenPath;
pub use spawn::{run, spawn};
pub use std::os::unix::net::UnixStream as Channel;
