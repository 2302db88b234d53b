//! A package: what a reader makes of one plugin directory.

use std::sync::Arc;

use crate::{Configuration, Field, Node, Sources, Unit};

/// One plugin directory, read.
#[derive(Clone, Debug)]
pub struct Package<'a> {
    /// The format, which is the host that the package was written for.
    pub format: Format,
    /// True unless the host would skip the package.
    pub is_enabled: bool,
    /// Name, description and author of the package.
    pub identity: Identity,
    /// The configuration that all units share.
    pub config: Configuration,
    /// The units, in a stable order; each becomes one skill.
    pub units: Vec<Unit>,
    /// The documents that were read. Every leaf of every document gets a fate.
    pub documents: Vec<Document<'a>>,
    /// The files of the directory.
    pub sources: Sources<'a>,
}

/// The formats of packages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// A plugin of VCPToolBox.
    VcpToolBox,
    /// A plugin of ApexBridge, which reads the manifest of VCPToolBox with other words.
    ApexBridge,
}

/// The name, description and author of a package.
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    /// The name.
    pub name: Field<String>,
    /// The name for people.
    pub display_name: Option<Field<String>>,
    /// The description.
    pub description: Option<Field<String>>,
    /// The version.
    pub version: Option<Field<String>>,
    /// The author.
    pub author: Option<Field<String>>,
    /// The license.
    pub license: Option<Field<String>>,
    /// The subject area.
    pub domain: Option<Field<String>>,
    /// Tags and keywords.
    pub tags: Vec<Field<String>>,
}

/// A document of a package: a file that was read as a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Document<'a> {
    /// Path relative to the package.
    pub file: Arc<str>,
    /// The text, without a byte order mark.
    pub text: &'a str,
    /// The tree.
    pub root: Node,
}

impl Package<'_> {
    /// Returns the document with this path.
    pub fn document(&self, file: &str) -> Option<&Document<'_>> {
        let mut documents = self.documents.iter();
        documents.find(|document| &*document.file == file)
    }
}
