//! Constructor of an [`Entry`].

use std::collections::BTreeMap;

use serde_json::Map;

use crate::metadata::{Entry, Runtime};

impl Entry {
    /// Creates an entry with only a runtime and a directory.
    pub fn new(runtime: Runtime, dir: &str) -> Self {
        Self {
            runtime,
            shell: None,
            argv: Vec::new(),
            module: None,
            exports: Vec::new(),
            endpoint: None,
            endpoint_setting: None,
            method: None,
            headers: Map::new(),
            credentials: BTreeMap::new(),
            mcp: None,
            dir: dir.to_owned(),
        }
    }
}
