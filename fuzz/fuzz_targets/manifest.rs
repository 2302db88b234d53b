//! A manifest: no panic, and every leaf can be found again by its pointer.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (Some(text), _) = plugin_manifest::decode(bytes) else { return };
    if let (Some(manifest), _) = plugin_manifest::read(text) {
        for leaf in manifest.root.leaves() {
            assert!(manifest.root.at(&leaf).is_some(), "{leaf}");
        }
    }
});
