//! METADATA.yml of a text.

use skill_model::{
    Cache, Config, ExecutorKind, Legacy, Limits, METADATA_SCHEMA, Metadata, Permissions, Requires,
    Triggers,
};

use super::{TextUnit, roles::Said};

/// The executor of texts: there is nothing to run.
const EXECUTOR: ExecutorKind = ExecutorKind::Prompt;

/// Creates the record, without files, findings and `legacy.extra`.
pub(crate) fn record(unit: &TextUnit<'_>, name: &str, said: &Said) -> Metadata {
    let identity = &unit.package.identity;
    let word = |text: &str| text.to_owned();
    Metadata {
        schema: METADATA_SCHEMA,
        name: name.to_owned(),
        display_name: unit.lost_name().map(str::to_owned),
        description: said.description.clone().unwrap_or_default(),
        version: identity
            .version
            .as_ref()
            .map_or_else(|| word("0.0.0"), |it| it.value.clone()),
        author: identity.author.as_ref().map(|author| author.value.clone()),
        executor: EXECUTOR,
        enabled: unit.package.is_enabled,
        runnable: true,
        domain: identity.domain.as_ref().map(|domain| domain.value.clone()),
        keywords: Vec::new(),
        tags: identity.tags.iter().map(|tag| tag.value.clone()).collect(),
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
            network: word("none"),
            network_allowlist: Vec::new(),
            filesystem: word("skill"),
            shared: Vec::new(),
            environment: Vec::new(),
            admin: false,
            approval: word("none"),
            approval_for: Vec::new(),
        },
        limits: Limits {
            timeout_ms: None,
            memory_mb: 512,
        },
        cache: Cache::default(),
        idempotent: false,
        fallback: Vec::new(),
        legacy: Some(legacy(unit)),
        files: Vec::new(),
        findings: Vec::new(),
    }
}

fn legacy(unit: &TextUnit<'_>) -> Legacy {
    let last = unit.source.directory.rsplit('/').next().unwrap_or_default();
    let name = &unit.package.identity.name.value;
    Legacy {
        host: unit.package.format.word().to_owned(),
        name: unit.text.call.clone(),
        directory: if last.is_empty() {
            name.clone()
        } else {
            last.to_owned()
        },
        file: Some(unit.source.unit.file.to_string()),
        plugin_type: unit.kind_word(),
        manifest_version: None,
        extra: serde_json::Map::new(),
    }
}
