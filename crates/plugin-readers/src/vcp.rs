//! Plugins of VCPToolBox and ApexBridge: a `plugin-manifest.json`, one program, one unit.

use plugin_manifest::{
    DISABLED_MANIFEST_FILE, MANIFEST_FILE, is_enabled, is_manifest_file, read_head, read_package,
};
use plugin_model::UnitKey;

use crate::{
    directory::{Claim, Directory},
    reader::{Reader, UnitHead},
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "vcp",
    title: "plugins of VCPToolBox and ApexBridge",
    marks: "`plugin-manifest.json`",
    homes: &[],
    claims,
    heads,
    is_enabled,
    is_manifest: is_manifest_file,
    wants_text: |_| false,
    read: read_package,
    remarks: |_| Vec::new(),
    parts: &[],
};

/// Claims by the manifest that counts: the disabled one only if there is no other.
fn claims(directory: &dyn Directory) -> Option<Claim> {
    [MANIFEST_FILE, DISABLED_MANIFEST_FILE]
        .into_iter()
        .find(|file| directory.has(file))
        .map(Claim::file)
}

fn heads(directory: &dyn Directory, claim: &Claim) -> Vec<UnitHead> {
    let bytes = directory.read(&claim.manifest_file);
    let head = bytes.and_then(|bytes| read_head(&bytes));
    let head = head.map(|head| UnitHead {
        unit: UnitKey::ONLY,
        file: String::new(),
        name: head.name,
        alternatives: Vec::new(),
        call: String::new(),
        aliases: Vec::new(),
        type_word: head.plugin_type,
        likeness: String::new(),
        list: String::new(),
    });
    head.into_iter().collect()
}
