//! METADATA.yml of a server.

use plugin_model::{Server, ServerPackage, ServerSetting};
use serde_json::{Map, Value, json};
use skill_model::{
    Config, Entry, ExecutorKind, Guard, GuardKind, Legacy, McpServer, Metadata, PackageNeed,
    PackageSource, Permissions, Requires, Runtime, Transport, Unset,
};

use crate::{markdown::one_line, plugin::Source};

use super::access;

/// Creates the record, without files, findings and `legacy.extra`.
pub(super) fn record(
    source: &Source<'_>,
    server: &Server,
    settings: &[ServerSetting],
    name: &str,
) -> Metadata {
    let word = |text: &str| text.to_owned();
    let is_program = server.url.is_none();
    let network = if server.hosts.is_empty() {
        "none"
    } else {
        "allowlist"
    };
    let identity = &source.package.identity;
    let version = identity.version.as_ref().map(|it| it.value.clone());
    let author = identity.author.as_ref().map(|it| it.value.clone());
    let empty = Metadata::new(name, ExecutorKind::Distributed);
    Metadata {
        display_name: (!server.title.is_empty()).then(|| server.title.clone()),
        description: server.description.clone(),
        version: if server.version.is_empty() {
            version.unwrap_or(empty.version)
        } else {
            server.version.clone()
        },
        author: server.author.clone().or(author),
        enabled: server.is_enabled,
        runnable: server.blockers.is_empty(),
        tags: server.tags.clone(),
        entry: Some(Entry {
            mcp: Some(entry(server)),
            ..Entry::new(
                runtime(server),
                if server.has_files { "scripts" } else { "." },
            )
        }),
        transport: Some(Transport::Mcp),
        timeout_ms: server.timeout_ms,
        config: config(settings),
        requires: requires(server),
        permissions: Permissions {
            network: word(network),
            network_allowlist: server.hosts.clone(),
            filesystem: word(if is_program { "skill" } else { "none" }),
            ..empty.permissions
        },
        legacy: Some(legacy(source, server)),
        ..empty
    }
}

fn entry(server: &Server) -> McpServer {
    let package = server.package.as_ref();
    McpServer {
        package: package.map(|package| format!("{}:{}", package.registry, package.name)),
        command: server.command.clone(),
        args: server.args.clone(),
        env: server.env.clone(),
        url: server.url.clone(),
        headers: server.headers.clone(),
        protocol: server.protocol.map(str::to_owned),
        only_tools: server.only_tools.clone(),
        except_tools: server.except_tools.clone(),
        instructions: None,
        tools: std::collections::BTreeMap::new(),
    }
}

fn runtime(server: &Server) -> Runtime {
    let registry = server.package.as_ref().map(|package| package.registry);
    match (registry, server.command.as_deref()) {
        (Some("npm"), _) | (None, Some("node")) => Runtime::Node,
        (Some("pypi"), _) | (None, Some("python" | "python3")) => Runtime::Python,
        _ => Runtime::Native,
    }
}

fn requires(server: &Server) -> Requires {
    let mut res = Requires {
        network: server.url.is_some() || !server.hosts.is_empty(),
        os: server.systems.clone(),
        ..Requires::default()
    };
    for package in server.package.iter().chain(&server.requires) {
        add(package, &mut res);
    }
    if let (None, Some(command)) = (&server.package, &server.command) {
        let is_name = !command.contains(['/', '$', '\\']);
        let is_usual = matches!(command.as_str(), "node" | "python" | "python3");
        if is_name && !is_usual {
            res.bin.push(command.clone());
        }
    }
    res
}

fn add(package: &ServerPackage, res: &mut Requires) {
    let (names, details) = match package.registry {
        "npm" => (&mut res.npm, &mut res.packages.npm),
        _ => (&mut res.pip, &mut res.packages.pip),
    };
    names.push(package.name.clone());
    let need = PackageNeed {
        range: package.range.clone(),
        source: PackageSource::Manifest,
        ..PackageNeed::default()
    };
    details.insert(package.name.clone(), need);
}

fn config(settings: &[ServerSetting]) -> Config {
    if settings.is_empty() {
        return Config::default();
    }
    let properties: Map<String, Value> = settings
        .iter()
        .map(|it| (it.key.clone(), property(it)))
        .collect();
    let required = settings
        .iter()
        .filter(|it| it.is_required)
        .map(|it| it.key.as_str());
    let required: Vec<&str> = required.collect();
    let secret = settings.iter().filter(|it| it.is_secret);
    let guards = settings.iter().filter_map(|it| {
        Some(Guard {
            key: it.key.clone(),
            kind: guard(it)?,
            unset: Unset::Closed,
            evidence: vec!["name".to_owned()],
        })
    });
    Config {
        schema: Some(json!({"type": "object", "properties": properties, "required": required})),
        secret: secret.map(|it| it.key.clone()).collect(),
        guards: guards.collect(),
        ..Config::default()
    }
}

fn guard(setting: &ServerSetting) -> Option<GuardKind> {
    match setting.key.as_str() {
        access::HOSTS => Some(GuardKind::AllowHosts),
        _ if setting.is_directory => Some(GuardKind::AllowDirectories),
        _ => None,
    }
}

fn property(setting: &ServerSetting) -> Value {
    let mut res = Map::new();
    res.insert("type".to_owned(), setting.kind.into());
    if !setting.description.is_empty() {
        res.insert(
            "description".to_owned(),
            one_line(&setting.description).into(),
        );
    }
    if let Some(default) = &setting.default {
        res.insert("default".to_owned(), default.clone());
    }
    if !setting.choices.is_empty() {
        res.insert("enum".to_owned(), setting.choices.clone().into());
    }
    Value::Object(res)
}

fn legacy(source: &Source<'_>, server: &Server) -> Legacy {
    let last = source.directory.rsplit('/').next();
    let last = last.filter(|last| !last.is_empty());
    Legacy {
        host: source.package.format.word().to_owned(),
        name: server.name.clone(),
        directory: last.unwrap_or(&server.name).to_owned(),
        file: Some(server.file.to_string()),
        plugin_type: "server".to_owned(),
        manifest_version: None,
        extra: Map::new(),
    }
}
