//! The entry of a skill, from nothing.

use serde_json::Map;

use crate::metadata::{Entry, Runtime};

impl Entry {
    /// An entry that names nothing yet.
    pub fn new(runtime: Runtime, dir: &str) -> Self {
        Self {
            runtime,
            shell: None,
            argv: Vec::new(),
            module: None,
            exports: Vec::new(),
            endpoint: None,
            method: None,
            headers: Map::new(),
            dir: dir.to_owned(),
        }
    }
}
