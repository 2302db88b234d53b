//! Skills as packages that hosts and registries accept.
//!
//! - [`files`]: the public files of a skill, which may leave this machine. Servers and packages share
//!   this rule.
//! - [`pack`]: a directory of skills as a package: Agent Plugins 1.0, the manifests of large hosts, and
//!   archives; [`PackOptions`], [`Packed`].
//! - [`zip`]: a reproducible archive; [`upload_flaws`]: the limits of the APIs that take archives.
//! - [`Version`]: the version of a package, which follows from its changes.
//! - [`discovery`]: the index by which clients find the skills of a website.
//! - [`text`], [`json`]: the result for people and programs.
//!
//! **Invariant:** equal skills give equal bytes: no clock, no absolute paths, sorted files.
//! **Invariant:** a file that is private, hidden, a link, or has a second name is never packed.
//! **Invariant:** a run with errors removes no skill of the last package.

mod accepted;
mod archive;
mod build;
mod change;
pub mod discovery;
mod error;
pub mod files;
mod impact;
mod kept;
mod lock;
mod manifests;
mod names;
mod options;
mod pack;
mod readme;
mod report;
mod select;
mod upload;
mod version;
mod write;

pub use accepted::AcceptedValues;
pub use archive::zip;
pub use change::Change;
pub use error::PackError;
pub use impact::Impact;
pub use lock::{PackageLock, PackageLockError};
pub use options::PackOptions;
pub use pack::{Packed, pack};
pub use report::{json, text};
pub use upload::{ARCHIVE_BYTES, DESCRIPTION, FILE_BYTES, FILES, upload_flaws};
pub use version::{Version, VersionError};
