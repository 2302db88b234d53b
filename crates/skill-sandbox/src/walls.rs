//! The walls that the launcher puts around itself, which its child then inherits.
//!
//! Each returns what it could not do, as sentences for the report.

pub(crate) mod capabilities;
pub(crate) mod files;
mod filter;
pub(crate) mod limits;
pub(crate) mod mounts;
pub(crate) mod namespaces;
pub(crate) mod syscalls;
