//! The plugin as the old host ran it: a package made of its own manifest.
//!
//! The command is a line for a shell, the directory is the plugin's, and the whole environment of the
//! host is passed on (`docs/design/legacy-host.md` §1.2–1.6). The name comes from the skill, so that
//! both have the same paths, and so do the keys of secrets, so that both hide them, and the installed
//! packages.

use std::path::Path;
use std::sync::Arc;

use plugin_manifest::{Manifest, decode};
use plugin_model::{Field, Millis, PluginType};
use skill_executor::environment;
use skill_executor::package::SkillPackage;
use skill_loader::fs::Root;
use skill_model::{
    Async, Cache, Config, Entry, ExecutorKind, Legacy, Limits, Metadata, PackageNeed, Permissions,
    Placeholder, Refresh, Requires, Runtime, Transport, Triggers,
};
use skill_pipeline::MAX_MANIFEST_BYTES;

/// The memory limit in mebibytes. The old host had none; this one protects the machine.
const MEMORY_MB: u64 = 4096;
/// The longest time limit of the old host, 2³¹−1 ms.
const MAX_TIMEOUT: f64 = 2_147_483_647.0;

/// Returns the packages of the skill, which the old host had installed for its plugins.
fn packages(skill: &SkillPackage) -> Requires {
    let needs = skill_executor::view::needs(skill);
    let mut res = Requires::default();
    let lists = [
        (&needs.npm, &mut res.npm, &mut res.packages.npm),
        (&needs.pip, &mut res.pip, &mut res.packages.pip),
    ];
    for (needs, names, details) in lists {
        for (name, need) in needs {
            let detail = PackageNeed {
                range: Some(need.range.clone()),
                optional: need.is_optional,
                ..PackageNeed::default()
            };
            names.push(name.clone());
            details.insert(name.clone(), detail);
        }
    }
    res
}

/// Returns the plugin in `dir` as a package that the executors can run. `variables` are the names of
/// the host's. The error is the reason why the old host could not run the plugin here.
pub(crate) fn package<'e>(
    dir: &Path,
    manifest_file: &str,
    skill: &SkillPackage,
    network: bool,
    variables: impl Iterator<Item = &'e String>,
) -> Result<SkillPackage, String> {
    let root = Root::open_real(dir).map_err(|error| error.to_string())?;
    let bytes = root
        .read(manifest_file, MAX_MANIFEST_BYTES)
        .map_err(|error| error.to_string())?;
    let (text, _) = decode(&bytes);
    let text = text.ok_or("the manifest is not UTF-8")?;
    let (manifest, findings) = plugin_manifest::read(text);
    let manifest = manifest.ok_or_else(|| {
        let first = findings.first();
        first.map_or_else(String::new, |finding| finding.message.clone())
    })?;
    let mut metadata = metadata(&manifest, skill)?;
    let reach = if network { "any" } else { "none" };
    reach.clone_into(&mut metadata.permissions.network);
    let provided = environment::provided::names().map(str::to_owned);
    metadata.permissions.environment = variables.cloned().chain(provided).collect();
    Ok(SkillPackage {
        dir: dir.to_owned(),
        root: Arc::new(root),
        place: skill.place_name().map(str::to_owned),
        metadata,
        findings: Vec::new(),
        manifest: skill_executor::json::parse(text).ok(),
        // Its plugin manager has the same plugins: the skills that were made of them.
        tree: skill_loader::tree_of(&skill.dir).map(Path::to_owned),
        required: None,
    })
}

fn metadata(manifest: &Manifest, skill: &SkillPackage) -> Result<Metadata, String> {
    let (executor, transport) = executor(manifest)?;
    let is_async = manifest.program.plugin_type.value == PluginType::Asynchronous;
    let text = |field: &Option<Field<String>>| field.as_ref().map(|field| field.value.clone());
    let placeholders = manifest
        .program
        .placeholders
        .iter()
        .map(|placeholder| Placeholder {
            key: placeholder.key.value.clone(),
            description: String::new(),
        });
    let known = skill.metadata.legacy.as_ref();
    Ok(Metadata {
        schema: skill_model::METADATA_SCHEMA,
        name: skill.metadata.name.clone(),
        display_name: text(&manifest.identity.display_name),
        description: text(&manifest.identity.description).unwrap_or_default(),
        version: String::new(),
        author: None,
        executor,
        enabled: true,
        runnable: true,
        domain: None,
        keywords: Vec::new(),
        tags: Vec::new(),
        triggers: Triggers::default(),
        prompt: None,
        entry: Some(entry(manifest, transport)?),
        transport: Some(transport),
        timeout_ms: manifest
            .program
            .communication
            .timeout_ms
            .as_ref()
            .and_then(millis),
        asynchronous: is_async.then_some(Async { callback: true }),
        // The host passed declared numbers and truth values as text.
        commands: skill.metadata.commands.clone(),
        placeholders: placeholders.collect(),
        refresh: text(&manifest.program.refresh_cron).map(|cron| Refresh { cron }),
        config: Config {
            secret: skill.metadata.config.secret.clone(),
            ..Config::default()
        },
        requires: packages(skill),
        host_requires: skill.metadata.host_requires.clone(),
        host_answered: skill.metadata.host_answered.clone(),
        host_modules: Vec::new(),
        routes: None,
        push: None,
        permissions: Permissions {
            network: String::new(),
            network_allowlist: Vec::new(),
            filesystem: "skill".to_owned(),
            shared: Vec::new(),
            environment: Vec::new(),
            admin: manifest
                .program
                .requires_admin
                .as_ref()
                .is_some_and(|it| it.value),
            approval: "none".to_owned(),
            approval_for: Vec::new(),
        },
        limits: Limits {
            timeout_ms: None,
            memory_mb: MEMORY_MB,
        },
        cache: Cache::default(),
        idempotent: false,
        fallback: Vec::new(),
        legacy: Some(Legacy {
            host: known.map_or_else(String::new, |legacy| legacy.host.clone()),
            name: manifest.identity.name.value.clone(),
            directory: skill.legacy_directory().to_owned(),
            file: None,
            plugin_type: manifest.program.plugin_type_word.clone(),
            manifest_version: None,
            extra: serde_json::Map::new(),
        }),
        files: Vec::new(),
        findings: Vec::new(),
    })
}

/// Returns the executor and the transport of a plugin of this type (§1.3, §1.5, §1.6).
fn executor(manifest: &Manifest) -> Result<(ExecutorKind, Transport), String> {
    Ok(match manifest.program.plugin_type.value {
        PluginType::Synchronous | PluginType::Asynchronous => {
            (ExecutorKind::Direct, Transport::StdioJson)
        }
        PluginType::Static => (ExecutorKind::Static, Transport::Stdout),
        PluginType::MessagePreprocessor => (ExecutorKind::Preprocessor, Transport::Module),
        PluginType::Service | PluginType::HybridService => {
            (ExecutorKind::Service, Transport::Module)
        }
        PluginType::Distributed | PluginType::Internal => {
            return Err(
                "its program is not here: it runs on another machine or inside the host".to_owned(),
            );
        }
    })
}

fn entry(manifest: &Manifest, transport: Transport) -> Result<Entry, String> {
    let point = &manifest.program.entry_point;
    let missing =
        |what: &str| format!("the old host could not start it: `entryPoint` has no {what}");
    if transport == Transport::Module {
        let script = point.script.as_ref().ok_or_else(|| missing("script"))?;
        return Ok(Entry {
            module: Some(script.value.clone()),
            ..Entry::new(Runtime::Node, ".")
        });
    }
    let command = point.command.as_ref().ok_or_else(|| missing("command"))?;
    Ok(Entry {
        shell: Some(command.value.clone()),
        ..Entry::new(Runtime::Shell, ".")
    })
}

/// Converts a time limit: 0 means the host's own default, and a value that a timer cannot hold
/// expires at once (`docs/design/legacy-host.md` §1.9).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be between 1 and 2³¹"
)]
fn millis(field: &Field<Millis>) -> Option<u64> {
    let ms = field.value.0;
    let is_time = (1.0..=MAX_TIMEOUT).contains(&ms);
    (ms != 0.0).then_some(if is_time { ms as u64 } else { 1 })
}
