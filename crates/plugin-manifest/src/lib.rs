//! Reads `plugin-manifest.json` of VCPToolBox, ApexBridge and similar hosts, in the words of the
//! source, tolerantly and without loss.
//!
//! - [`read_package`]: turns a plugin directory into a [`Package`](plugin_model::Package) with one
//!   unit and findings.
//! - [`read`]: turns the text of a manifest into a [`Manifest`] and findings. A foreign file of the
//!   same name is refused with a sentence that says what it resembles.
//! - [`read_head`]: reads only what naming and selection need.
//! - [`decode`]: turns bytes into text, or says why it cannot.
//!
//! Source of the format: `Plugin.js` of VCPToolBox, as of August 2026.
//!
//! **Invariant:** the crate does not know skills, the file system, or which fields are used.
//! **Invariant:** every value of the source stays reachable through [`Manifest::root`].
//! **Invariant:** the names of manifest files are in this crate only.

mod decode;
mod file;
mod foreign;
mod head;
mod manifest;
mod package;
mod read;
mod read_capabilities;
mod read_config;
mod reader;
mod report;
mod words;

pub use decode::decode;
pub use file::{DISABLED_MANIFEST_FILE, MANIFEST_FILE, is_enabled, is_manifest_file};
pub use head::{Head, read_head};
pub use manifest::Manifest;
pub use package::read_package;
pub use read::read;
pub use report::codes;
