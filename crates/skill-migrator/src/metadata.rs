//! Creating `METADATA.yml`.

use std::collections::BTreeSet;

use plugin_model::{Field, Format, Millis, PluginType};
use plugin_prose::{Blurb, PluginSource, read_blurb, without_promises};
use serde_json::Value;
use skill_diagnostics::Diagnostic;
use skill_model::{
    APPROVAL_REASONS, Async, Cache, Command, Config, ExecutorKind, Guard, GuardKind, Legacy,
    Limits, Permissions, Placeholder, Push, Refresh, Requires, Routes, SHARED_DIRECTORIES,
    Transport,
};

use crate::{
    code::CodeFacts,
    codes::TIMEOUT_CLAMPED,
    fate::{Ledger, METADATA},
    plugin::Plugin,
    render::Around,
};

/// Returns the executor for plugins of a type (`docs/migration.md`, "Type").
pub(crate) fn executor(plugin_type: PluginType) -> ExecutorKind {
    match plugin_type {
        PluginType::Synchronous | PluginType::Asynchronous => ExecutorKind::Direct,
        PluginType::Static => ExecutorKind::Static,
        PluginType::MessagePreprocessor => ExecutorKind::Preprocessor,
        PluginType::Service | PluginType::HybridService => ExecutorKind::Service,
        PluginType::Distributed => ExecutorKind::Distributed,
        PluginType::Internal => ExecutorKind::Internal,
    }
}

/// Returns the transport of plugins of a type.
pub(crate) fn transport(plugin_type: PluginType) -> Option<Transport> {
    match plugin_type {
        PluginType::Synchronous | PluginType::Asynchronous => Some(Transport::StdioJson),
        PluginType::Static => Some(Transport::Stdout),
        PluginType::MessagePreprocessor | PluginType::Service | PluginType::HybridService => {
            Some(Transport::Module)
        }
        PluginType::Distributed | PluginType::Internal => None,
    }
}

/// Returns the host's default time limit (`docs/design/legacy-host.md` §1.3, §1.4), in milliseconds.
fn default_timeout(plugin_type: PluginType) -> u64 {
    if plugin_type == PluginType::Asynchronous {
        1_800_000
    } else {
        60_000
    }
}

/// The longest time that a JavaScript timer can wait, in milliseconds: 2³¹ − 1.
const MAX_TIMEOUT: f64 = 2_147_483_647.0;

/// Replacement of a time that expires at once, in milliseconds: the minimum of a timer.
const AT_ONCE: u64 = 1;

/// Makes `communication.timeout` explicit. Zero means the default. As in the host, a negative
/// value, one beyond a timer's range, or one that is not a number expires at once (`docs/design/legacy-host.md`
/// §1.9). A program that waits longer than the default for one answer has the time to do so.
pub(crate) fn timeout(
    plugin: &Plugin<'_>,
    longest_wait: Option<u64>,
    ledger: &mut Ledger<'_>,
    findings: &mut Vec<Diagnostic>,
) -> u64 {
    let default = default_timeout(plugin.program.plugin_type.value);
    let Some(field) = &plugin.program.communication.timeout_ms else {
        return longest_wait.map_or(default, |seconds| default.max(seconds * 1_000));
    };
    let Field {
        value: Millis(wanted),
        place,
        exact,
    } = field;
    let to = format!("{METADATA}/timeout_ms");
    if *wanted == 0.0 {
        ledger.transformed(place, &to, "zero means the default");
        return default;
    }
    let in_range = (1.0..=MAX_TIMEOUT).contains(wanted);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and 2^31"
    )]
    let taken_ms = if in_range { *wanted as u64 } else { AT_ONCE };
    if !in_range {
        let message = "this time limit lets every call expire at once".to_owned();
        let finding = Diagnostic::warning(TIMEOUT_CLAMPED, message).at_pointer(&place.pointer);
        let help = "the old host did the same; write a number of milliseconds into `timeout_ms`";
        findings.push(finding.with_help(help));
    }
    let is_same = in_range && wanted.fract() == 0.0;
    ledger.moved(
        place,
        &to,
        *exact && is_same,
        "as a number of milliseconds in range",
    );
    taken_ms
}

/// Returns the domain of the plugin.
pub(crate) fn domain(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Option<String> {
    let domain = plugin.package.identity.domain.as_ref()?;
    ledger.carried(&domain.place, &format!("{METADATA}/domain"));
    Some(domain.value.clone())
}

/// Returns the tags of the plugin.
pub(crate) fn tags(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Vec<String> {
    let tags = plugin.package.identity.tags.iter().map(|tag| {
        ledger.carried(&tag.place, &format!("{METADATA}/tags"));
        tag.value.clone()
    });
    tags.collect()
}

/// Returns the words for the search, without those of commands that the skill does not show.
pub(crate) fn blurb(plugin: &Plugin<'_>, commands: &[Command], around: &Around) -> Blurb {
    let absent = commands.iter().filter(|it| around.unknown.contains(&it.id));
    let absent: Vec<&str> = absent.map(|it| it.description.as_str()).collect();
    let description = plugin.package.identity.description.as_ref();
    let description = description.map_or("", |field| field.value.as_str());
    let description = without_promises(description, absent.into_iter());
    let commands: Vec<(&str, &str)> = commands
        .iter()
        .filter(|command| around.is_shown(&command.id))
        .map(|command| (command.id.as_str(), command.description.as_str()))
        .collect();
    let placeholders: Vec<(&str, &str)> = plugin
        .program
        .placeholders
        .iter()
        .map(|row| {
            (
                row.key.value.as_str(),
                row.description
                    .as_ref()
                    .map_or("", |field| field.value.as_str()),
            )
        })
        .collect();
    let texts = plugin.program.commands.iter();
    let texts = texts.filter_map(|command| command.description.as_ref());
    let texts: Vec<&str> = texts.map(|field| field.value.as_str()).collect();
    read_blurb(&PluginSource {
        name: &plugin.package.identity.name.value,
        display_name: plugin
            .package
            .identity
            .display_name
            .as_ref()
            .map(|field| field.value.as_str()),
        description: &description,
        commands: &commands,
        texts: &texts,
        placeholders: &placeholders,
    })
}

/// Moves a text field if it exists.
pub(crate) fn text(
    field: Option<&Field<String>>,
    to: &str,
    ledger: &mut Ledger<'_>,
) -> Option<String> {
    let field = field?;
    // An empty text is not written everywhere, so its fate is not `carried`.
    if field.value.is_empty() {
        ledger.moved(&field.place, to, false, "it is empty");
    } else {
        ledger.moved(&field.place, to, field.exact, "as text");
    }
    Some(field.value.clone())
}

/// Creates `placeholders` and `refresh`.
pub(crate) fn placeholders(
    plugin: &Plugin<'_>,
    ledger: &mut Ledger<'_>,
) -> (Vec<Placeholder>, Option<Refresh>) {
    let rows = plugin
        .program
        .placeholders
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let to = format!("{METADATA}/placeholders/{at}");
            ledger.moved(
                &row.key.place,
                &format!("{to}/key"),
                row.key.exact,
                "without braces",
            );
            let description = text(
                row.description.as_ref(),
                &format!("{to}/description"),
                ledger,
            );
            Placeholder {
                key: row.key.value.clone(),
                description: description.unwrap_or_default(),
            }
        });
    let rows = rows.collect();
    let cron = text(
        plugin.program.refresh_cron.as_ref(),
        &format!("{METADATA}/refresh/cron"),
        ledger,
    );
    (rows, cron.map(|cron| Refresh { cron }))
}

/// Creates `push`.
pub(crate) fn push(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Option<Push> {
    let push = plugin.program.push.as_ref()?;
    if let Some(enabled) = &push.enabled {
        ledger.moved(
            &enabled.place,
            &format!("{METADATA}/push/enabled"),
            enabled.exact,
            "as a boolean",
        );
    }
    Some(Push {
        enabled: push.enabled.as_ref().is_some_and(|flag| flag.value),
        message_type: text(
            push.message_type.as_ref(),
            &format!("{METADATA}/push/message_type"),
            ledger,
        ),
        client_type: text(
            push.client_type.as_ref(),
            &format!("{METADATA}/push/client_type"),
            ledger,
        ),
    })
}

/// Creates `async`.
pub(crate) fn asynchronous(plugin_type: PluginType) -> Option<Async> {
    (plugin_type == PluginType::Asynchronous).then_some(Async { callback: true })
}

/// Creates `routes`: the place where the host mounted the module's routes (`docs/design/legacy-host.md` §1.6).
pub(crate) fn routes(
    plugin: &Plugin<'_>,
    code: &CodeFacts,
    ledger: &mut Ledger<'_>,
) -> Option<Routes> {
    let flag = plugin.program.has_api_routes.as_ref();
    if let Some(flag) = flag {
        ledger.transformed(
            &flag.place,
            &format!("{METADATA}/routes"),
            "as the routes themselves",
        );
    }
    let is_namespaced = flag.is_some_and(|flag| flag.value);
    let style = if is_namespaced {
        "namespaced"
    } else if code.exports.contains("registerRoutes") {
        "legacy"
    } else {
        return None;
    };
    Some(Routes {
        mount: format!("/api/plugins/{}", plugin.package.identity.name.value),
        style: style.to_owned(),
    })
}

/// Default memory of one process, in mebibytes (the contract's example).
const DEFAULT_MEMORY_MB: u64 = 512;

/// Creates `limits`.
pub(crate) fn limits(timeout_ms: u64) -> Limits {
    Limits {
        timeout_ms: Some(timeout_ms),
        memory_mb: DEFAULT_MEMORY_MB,
    }
}

/// Creates `permissions`: the observed needs of the code, and nothing more.
pub(crate) fn permissions(
    plugin: &Plugin<'_>,
    code: &CodeFacts,
    requires: &Requires,
    (config, commands): (&Config, &[Command]),
    ledger: &mut Ledger<'_>,
) -> Permissions {
    let guards = &config.guards[..];
    let admin = plugin
        .program
        .requires_admin
        .as_ref()
        .is_some_and(|flag| flag.value);
    if let Some(flag) = &plugin.program.requires_admin {
        ledger.moved(
            &flag.place,
            &format!("{METADATA}/permissions/admin"),
            flag.exact,
            "as a boolean",
        );
    }
    let word = |text: &str| text.to_owned();
    let is_open = guards.iter().any(Guard::is_open_without_value);
    let reasons = [admin, is_open].into_iter().zip(APPROVAL_REASONS);
    let reasons: Vec<String> = reasons
        .filter(|(holds, _)| *holds)
        .map(|(_, reason)| word(reason))
        .collect();
    // The directories that the guard names are added when the program is run.
    let is_kept_in = guards
        .iter()
        .any(|guard| guard.kind == GuardKind::AllowDirectories);
    let mut environment: Vec<String> = plugin
        .package
        .config
        .keys
        .iter()
        .map(|key| key.key.clone())
        .collect();
    environment.extend(code.variables.iter().cloned());
    environment.sort();
    environment.dedup();
    Permissions {
        network: word(if requires.network { "any" } else { "none" }),
        network_allowlist: Vec::new(),
        filesystem: word(if code.leaves_host && !is_kept_in {
            "any"
        } else {
            "skill"
        }),
        shared: shared(plugin, code, config, commands),
        environment,
        admin,
        approval: word(if reasons.is_empty() {
            "none"
        } else {
            "required"
        }),
        approval_for: reasons,
    }
}

/// Returns the shared directories of the old host that the code uses, and the data files of other plugins
/// of the collection.
fn shared(
    plugin: &Plugin<'_>,
    code: &CodeFacts,
    config: &Config,
    commands: &[Command],
) -> Vec<String> {
    let directories = code.shared.iter().map(|name| (*name).to_owned());
    let defaults = default_directories(config, commands);
    let directories: BTreeSet<String> = directories.chain(defaults).collect();
    let directories = directories.into_iter();
    let files = code.neighbour_files.iter();
    let files = files.filter(|file| {
        let directory = file.directory();
        directory != plugin.directory_name() && plugin.neighbours.contains_key(directory)
    });
    directories.chain(files.map(ToString::to_string)).collect()
}

/// Returns the directories of the old host that a setting or a parameter has as its default. The code may
/// be a compiled program, which shows nothing.
fn default_directories(config: &Config, commands: &[Command]) -> Vec<String> {
    let settings = config.schema.iter().map(|schema| &schema["properties"]);
    let parameters = commands.iter().map(|it| &it.input_schema["properties"]);
    let properties = settings.chain(parameters).filter_map(Value::as_object);
    let values = properties
        .flat_map(serde_json::Map::values)
        .flat_map(|property| {
            ["default", "x-legacy-default"].map(|key| property[key].as_str().unwrap_or_default())
        });
    let directories = values.map(|value| value.trim_start_matches("./").trim_end_matches('/'));
    let known = directories.filter(|value| SHARED_DIRECTORIES.contains(value));
    known.map(str::to_owned).collect()
}

/// Creates `cache`: never cacheable, because legacy tools have side effects.
pub(crate) fn cache() -> Cache {
    Cache::default()
}

/// Creates `legacy`, without `extra`.
pub(crate) fn legacy(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Legacy {
    let is_on_node = plugin.program.plugin_type.value == PluginType::Distributed
        || plugin.directory.contains("VCPDistributedServer");
    let host = match plugin.package.format {
        Format::VcpToolBox if is_on_node => "vcp-distributed",
        format => format.word(),
    };
    ledger.carried(
        &plugin.package.identity.name.place,
        &format!("{METADATA}/legacy/name"),
    );
    ledger.carried(
        &plugin.program.plugin_type.place,
        &format!("{METADATA}/legacy/plugin_type"),
    );
    let version_to = format!("{METADATA}/legacy/manifest_version");
    Legacy {
        host: host.to_owned(),
        name: plugin.package.identity.name.value.clone(),
        directory: plugin.directory_name().to_owned(),
        file: None,
        plugin_type: plugin.program.plugin_type_word.clone(),
        manifest_version: text(
            plugin.program.manifest_version.as_ref(),
            &version_to,
            ledger,
        ),
        extra: serde_json::Map::new(),
    }
}
