//! The walls that the launcher puts around itself, which its child then inherits.
//!
//! Each returns what it could not do, as sentences for the report.

pub(crate) mod capabilities;
pub(crate) mod files;
mod filter;
pub(crate) mod given;
pub(crate) mod limits;
pub(crate) mod lost;
mod mounts;
pub(crate) mod namespaces;
mod netlink;
pub(crate) mod network;
mod root;
pub(crate) mod syscalls;

const TMP: &str = "/tmp";

/// Directories that are nobody else's, when the child has a root of its own.
const PRIVATE: &[&str] = &[TMP, "/dev/shm"];
