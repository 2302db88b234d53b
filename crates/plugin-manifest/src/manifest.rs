//! A manifest as this host writes it.

use std::sync::Arc;

use plugin_model::{Configuration, Format, Identity, Node, Program};

use crate::words::is_apexbridge_word;

/// A `plugin-manifest.json` that the host would load.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// Path of the file relative to the plugin.
    pub file: Arc<str>,
    /// Name, description, author.
    pub identity: Identity,
    /// `configSchema`.
    pub config: Configuration,
    /// Everything about the program that the plugin is.
    pub program: Program,
    /// The whole source.
    pub root: Node,
}

impl Manifest {
    /// Returns the host that the manifest is written for.
    pub fn format(&self) -> Format {
        if is_apexbridge_word(&self.program.plugin_type_word) {
            Format::ApexBridge
        } else {
            Format::VcpToolBox
        }
    }
}
