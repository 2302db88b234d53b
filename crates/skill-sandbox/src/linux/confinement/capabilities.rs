//! Gives up the privileges of root.

use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};

/// Keeps programs that the child starts from gaining privileges: no set-user-id, no capabilities.
pub(crate) fn drop_all() -> Vec<String> {
    let mut missing = Vec::new();
    if set_no_new_privs(true).is_err() {
        missing.push("programs may gain privileges: no_new_privs was refused".to_owned());
    }
    for capability in CapabilitySet::all().iter() {
        // Without privileges there is nothing to drop, and the kernel refuses to drop it.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let _ = clear_ambient_capability_set();
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    if set_capabilities(None, none).is_err() {
        missing.push("capabilities could not be dropped".to_owned());
    }
    missing
}
