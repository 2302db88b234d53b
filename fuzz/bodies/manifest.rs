//! A manifest: no panic, and every leaf can be found again by its pointer.

pub(super) fn run(bytes: &[u8]) {
    let (Some(text), _) = plugin_manifest::decode(bytes) else {
        return;
    };
    if let (Some(manifest), _) = plugin_manifest::read(text) {
        for leaf in manifest.root.leaves() {
            assert!(manifest.root.at(&leaf).is_some(), "{leaf}");
        }
    }
}
