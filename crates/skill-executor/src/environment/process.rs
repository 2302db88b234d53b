//! The environment of this process.

use std::collections::BTreeMap;

/// Returns the environment variables of this process, which replace those of the old host. Names
/// and values that are not UTF-8 are left out.
pub fn from_process() -> BTreeMap<String, String> {
    let all = std::env::vars_os();
    all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
