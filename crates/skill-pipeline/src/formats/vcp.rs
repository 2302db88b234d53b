//! Plugins of VCPToolBox and ApexBridge: a `plugin-manifest.json`, one program, one unit.

use plugin_manifest::{
    DISABLED_MANIFEST_FILE, MANIFEST_FILE, is_enabled, is_manifest_file, read_head, read_package,
};
use plugin_model::UnitKey;

use super::directory::Directory;
use super::reader::{Reader, UnitHead};

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    claims,
    heads,
    is_enabled,
    is_manifest: is_manifest_file,
    read: read_package,
};

/// Returns the manifest that counts: the disabled one only if there is no other.
fn claims(directory: &Directory<'_>) -> Option<&'static str> {
    [MANIFEST_FILE, DISABLED_MANIFEST_FILE]
        .into_iter()
        .find(|file| directory.has(file))
}

fn heads(directory: &Directory<'_>, manifest_file: &str) -> Vec<UnitHead> {
    let head = directory
        .read(manifest_file)
        .and_then(|bytes| read_head(&bytes));
    let head = head.map(|head| UnitHead {
        unit: UnitKey::ONLY,
        name: head.name,
        type_word: head.plugin_type,
    });
    head.into_iter().collect()
}
