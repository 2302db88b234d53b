//! Children on macOS and Windows: the same limits on time and output as on Linux, without a sandbox
//! of ours.
//!
//! A confined child is refused, except with `sandbox-exec` on macOS ([`seatbelt`]), which is
//! experimental. Threads read the output, because there is no `poll` for pipes on Windows.
//!
//! On Linux this module is compiled for its tests only.
#![cfg_attr(
    target_os = "linux",
    expect(
        unreachable_pub,
        unused_imports,
        dead_code,
        reason = "only the tests use it on Linux"
    )
)]

mod child;
mod group;
mod open_path;
mod output;
mod refusal;
mod seatbelt;
mod spawn;
#[cfg(test)]
mod tests;

#[cfg(windows)]
pub use std::net::TcpStream as Channel;
#[cfg(unix)]
pub use std::os::unix::net::UnixStream as Channel;

pub use child::{Child, Killer};
pub use open_path::OpenPath;
pub use spawn::{run, spawn};

/// Does nothing: no program of ours is a launcher here.
///
/// Programs call it first in `main`, because the launcher of Linux is the same program.
pub fn launcher_main() {}
