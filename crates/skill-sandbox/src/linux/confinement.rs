//! The restrictions that the launcher applies to itself and that its child inherits.
//!
//! Each function returns what it could not do, as sentences for the report.

pub(crate) mod capabilities;
pub(crate) mod files;
mod filter;
pub(crate) mod grants;
pub(crate) mod limits;
pub(crate) mod lost_files;
mod mounts;
pub(crate) mod namespaces;
mod netlink;
pub(crate) mod network;
pub(crate) mod network_access;
mod root;
pub(crate) mod syscalls;

const TMP: &str = "/tmp";

/// Directories that are private to a child with its own root.
const PRIVATE: &[&str] = &[TMP, "/dev/shm"];
