//! Reads `plugin-manifest.json` of VCPToolBox, ApexBridge and similar hosts, in the words of the
//! source, tolerantly and without loss.
//!
//! - [`decode`]: turns bytes into text, or says why it cannot.
//! - [`Node`]: JSON with the position of every value.
//! - [`read`]: turns text into a [`Manifest`] and findings. A foreign file of the same name is
//!   refused with a sentence that says what it resembles.
//!
//! Source of the format: `Plugin.js` of VCPToolBox, as of August 2026.
//!
//! **Invariant:** the crate does not know skills, files, or which fields are used.
//! **Invariant:** every value of the source stays reachable through [`Manifest::root`].

mod decode;
mod foreign;
mod manifest;
mod node;
mod read;
mod read_capabilities;
mod read_config;
mod report;

pub use decode::decode;
pub use manifest::{
    Command, Communication, ConfigKey, ConfigShape, EntryPoint, Field, Manifest, Millis,
    Placeholder, PluginType, Push,
};
pub use node::{Kind, Member, Node, escape_pointer, parse_json};
pub use read::read;
pub use report::codes;
