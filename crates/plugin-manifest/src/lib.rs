//! The legacy plugin in its own words: `plugin-manifest.json` of VCPToolBox, ApexBridge and their
//! kin, read tolerantly, with nothing thrown away.
//!
//! - [`decode`]: bytes to text, or why not.
//! - [`Node`]: JSON with the position of every value.
//! - [`read`]: text to [`Manifest`] and findings; a foreign file of the same name is refused with
//!   a sentence that says what it looks like.
//!
//! Source of the format: `Plugin.js` of VCPToolBox, as of August 2026.
//!
//! **Invariant:** knows neither skills nor files nor which field is wanted.
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
