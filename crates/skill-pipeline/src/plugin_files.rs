//! The files of one plugin directory, read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_model::{HostModules, LeftOut, SourceFile, Sources};
use skill_diagnostics::Diagnostic;
use skill_loader::{Digest, fs::Root};

/// The content of a plugin directory.
#[derive(Clone, Debug)]
pub(crate) struct PluginFiles {
    /// The directory that was opened or searched.
    pub(crate) root: Arc<Root>,
    /// The name of the manifest file; empty if there is none.
    pub(crate) manifest_file: String,
    /// The bytes of the manifest.
    pub(crate) manifest: Vec<u8>,
    /// The files that may be copied, sorted.
    pub(crate) files: Vec<SourceFile>,
    /// The modules of the host that the code loads.
    pub(crate) host: HostModules,
    /// The bytes of most of these files and of those of the host, by path relative to the plugin.
    pub(crate) bytes: BTreeMap<String, Vec<u8>>,
    /// The texts that the migration analyzes, by path.
    pub(crate) texts: BTreeMap<String, String>,
    /// The files and directories that are not copied, sorted.
    pub(crate) left_out: Vec<LeftOut>,
    /// The files and directories that other packages read.
    pub(crate) read_by_others: Arc<BTreeSet<String>>,
    /// The digest of the files.
    pub(crate) digest: Digest,
    /// Findings about private files that are copied because the user named them.
    pub(crate) remarks: Vec<Diagnostic>,
    /// The size of all bytes in memory.
    pub(crate) in_memory: u64,
    /// The size of all texts.
    pub(crate) in_texts: u64,
}

impl PluginFiles {
    /// Returns the files as a reader gets them.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            manifest_file: &self.manifest_file,
            manifest: &self.manifest,
            files: &self.files,
            texts: &self.texts,
            left_out: &self.left_out,
            host: &self.host,
            read_by_others: &self.read_by_others,
        }
    }
}
