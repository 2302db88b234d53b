//! A record without anything.

use super::{
    Cache, Config, ExecutorKind, Limits, METADATA_SCHEMA, Metadata, Permissions, Requires, Triggers,
};

impl Metadata {
    /// Creates the record of a skill that has nothing but a name and an executor: it is enabled, and
    /// may use its own files only.
    pub fn new(name: &str, executor: ExecutorKind) -> Self {
        Self {
            schema: METADATA_SCHEMA,
            name: name.to_owned(),
            display_name: None,
            description: String::new(),
            version: "0.0.0".to_owned(),
            author: None,
            executor,
            enabled: true,
            runnable: true,
            domain: None,
            keywords: Vec::new(),
            tags: Vec::new(),
            triggers: Triggers::default(),
            prompt: None,
            entry: None,
            transport: None,
            timeout_ms: None,
            asynchronous: None,
            commands: Vec::new(),
            placeholders: Vec::new(),
            refresh: None,
            config: Config::default(),
            requires: Requires::default(),
            host_requires: Vec::new(),
            host_answered: Vec::new(),
            host_modules: Vec::new(),
            routes: None,
            push: None,
            permissions: Permissions {
                network: "none".to_owned(),
                network_allowlist: Vec::new(),
                filesystem: "skill".to_owned(),
                shared: Vec::new(),
                environment: Vec::new(),
                admin: false,
                approval: "none".to_owned(),
                approval_for: Vec::new(),
            },
            limits: Limits {
                timeout_ms: None,
                memory_mb: 512,
            },
            cache: Cache::default(),
            idempotent: false,
            fallback: Vec::new(),
            legacy: None,
            files: Vec::new(),
            findings: Vec::new(),
        }
    }
}
