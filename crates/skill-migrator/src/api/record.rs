//! METADATA.yml of a service.

use http_request::METHODS;
use plugin_model::{ApiOperation, ApiSetting};
use serde_json::{Map, Value, json};
use skill_model::{
    Command, Config, Entry, ExecutorKind, Legacy, Metadata, Permissions, Requires, Runtime,
    Transport,
};

use crate::markdown::one_line;

use super::Service;

/// The methods that may be repeated: RFC 9110, section 9.2.2.
const REPEATABLE: [&str; 5] = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];
/// The most groups that become tags.
const MAX_TAGS: usize = 20;
/// The longest description of a command, in characters.
const MAX_DESCRIPTION: usize = 400;

/// Creates the record, without files, findings and `legacy.extra`.
pub(super) fn record(service: &Service<'_>, name: &str) -> Metadata {
    let api = service.api;
    let word = |text: &str| text.to_owned();
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let empty = Metadata::new(name, ExecutorKind::Service);
    let groups = service.groups();
    let tags = groups.iter().map(|(name, _)| (*name).to_owned());
    Metadata {
        display_name: text(&service.title()),
        description: if api.description.is_empty() {
            api.summary.clone()
        } else {
            api.description.clone()
        },
        version: api.version.clone(),
        author: api.contact.clone(),
        tags: tags.take(MAX_TAGS).collect(),
        entry: Some(Entry {
            endpoint: api.endpoint.clone(),
            endpoint_setting: api.endpoint_setting.clone(),
            credentials: api.credentials.clone(),
            ..Entry::new(Runtime::Native, ".")
        }),
        transport: Some(Transport::Http),
        commands: api.operations.iter().map(command).collect(),
        config: config(&api.settings),
        requires: Requires {
            network: true,
            ..Requires::default()
        },
        permissions: Permissions {
            network: word("allowlist"),
            network_allowlist: api.hosts.clone(),
            filesystem: word("none"),
            ..empty.permissions
        },
        legacy: Some(legacy(service)),
        ..empty
    }
}

fn command(operation: &ApiOperation) -> Command {
    debug_assert!(METHODS.contains(&operation.http.method.as_str()));
    let description = one_line(&operation.description);
    let summary = one_line(&operation.summary);
    let description = match description.strip_prefix(summary.trim_end_matches('…')) {
        Some(_) => description,
        None if description.is_empty() => summary,
        None => format!("{} {description}", with_stop(&summary)),
    };
    Command {
        description: crate::description::cut(&description, MAX_DESCRIPTION).0,
        idempotent: REPEATABLE.contains(&operation.http.method.as_str()),
        approval: operation.needs_approval.then(|| "required".to_owned()),
        http: Some(operation.http.clone()),
        input_schema: operation.input_schema.clone(),
        examples: operation.examples.clone(),
        ..Command::new(&operation.id)
    }
}

fn with_stop(text: &str) -> String {
    let ends = text.ends_with(['.', '!', '?', '。', '！', '？', '…']);
    format!("{text}{}", if ends { "" } else { "." })
}

fn config(settings: &[ApiSetting]) -> Config {
    if settings.is_empty() {
        return Config::default();
    }
    let properties: Map<String, Value> = settings
        .iter()
        .map(|setting| (setting.key.clone(), property(setting)))
        .collect();
    let required: Vec<&str> = settings
        .iter()
        .filter(|setting| setting.is_required)
        .map(|setting| setting.key.as_str())
        .collect();
    let secret = settings.iter().filter(|setting| setting.is_secret);
    Config {
        schema: Some(json!({
            "type": "object", "properties": properties, "required": required
        })),
        secret: secret.map(|setting| setting.key.clone()).collect(),
        ..Config::default()
    }
}

fn property(setting: &ApiSetting) -> Value {
    let mut res = Map::new();
    res.insert("type".to_owned(), "string".into());
    if !setting.description.is_empty() {
        res.insert(
            "description".to_owned(),
            one_line(&setting.description).into(),
        );
    }
    if let Some(default) = &setting.default {
        res.insert("default".to_owned(), default.as_str().into());
    }
    if !setting.choices.is_empty() {
        res.insert("enum".to_owned(), setting.choices.clone().into());
    }
    Value::Object(res)
}

fn legacy(service: &Service<'_>) -> Legacy {
    let last = service.source.directory.rsplit('/').next();
    let name = &service.source.package.identity.name.value;
    let last = last.filter(|last| !last.is_empty());
    Legacy {
        host: service.source.package.format.word().to_owned(),
        name: name.clone(),
        directory: last.unwrap_or(name).to_owned(),
        file: Some(service.source.unit.file.to_string()),
        plugin_type: "api".to_owned(),
        manifest_version: None,
        extra: Map::new(),
    }
}
