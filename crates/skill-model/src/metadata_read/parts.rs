//! Reading each part of `METADATA.yml` from its map.

use serde_json::{Value, json};

use super::apexbridge;
use super::fields::{EntryValue, Fields};
use super::http;
use super::mcp;
use super::permissions::{limits, permissions};
use crate::{
    Async, Cache, Command, Config, Dispatch, Entry, ExecutorKind, FileRecord, FindingRecord, Guard,
    GuardKind, Legacy, METADATA_SCHEMA, Metadata, PackageNeed, PackageSource, Packages,
    Placeholder, Prompt, PromptArgument, PromptDialect, Push, Refresh, Requires, Routes, Runtime,
    Transport, Triggers, Unset,
};

pub(super) fn metadata(mut f: Fields<'_>) -> Metadata {
    let is_typed = f.has("type");
    let security = f.inner("security");
    let mut ours = Metadata {
        schema: schema(&mut f),
        name: required(&mut f, "name"),
        display_name: f.text("display_name"),
        description: f.text("description").unwrap_or_default(),
        version: required(&mut f, "version"),
        author: f.text("author"),
        executor: executor(&mut f),
        enabled: f.flag("enabled").unwrap_or(true),
        runnable: f.flag("runnable").unwrap_or(true),
        domain: f.text("domain"),
        keywords: f.texts("keywords"),
        tags: f.texts("tags"),
        triggers: f.inner("triggers").map(triggers).unwrap_or_default(),
        prompt: f.inner("prompt").and_then(prompt),
        entry: f.inner("entry").map(entry),
        transport: f.word("transport", &Transport::ALL, Transport::word),
        timeout_ms: f.whole("timeout_ms"),
        asynchronous: f.inner("async").map(asynchronous),
        commands: f.inners("commands").into_iter().map(command).collect(),
        placeholders: f
            .inners("placeholders")
            .into_iter()
            .map(placeholder)
            .collect(),
        refresh: f.inner("refresh").map(refresh),
        config: f.inner("config").map(config).unwrap_or_default(),
        requires: f.inner("requires").map(requires).unwrap_or_default(),
        host_requires: f.texts("host_requires"),
        host_answered: f.texts("host_answered"),
        host_modules: f.texts("host_modules"),
        routes: f.inner("routes").map(routes),
        push: f.inner("push").map(push),
        permissions: permissions(f.inner("permissions")),
        limits: limits(f.inner("limits")),
        cache: cache(f.inner("cache")),
        idempotent: f.flag("idempotent").unwrap_or_default(),
        fallback: f.texts("fallback"),
        legacy: f.inner("legacy").map(legacy),
        files: f.inners("files").into_iter().map(file).collect(),
        findings: f.inners("findings").into_iter().map(finding).collect(),
    };
    apexbridge::top_level(&mut f, security, &mut ours);
    if !is_typed && says_nothing_to_run(&ours) {
        ours.executor = ExecutorKind::Prompt;
    }
    f.finish();
    ours
}

/// Returns whether nothing in a file without a type is about a program: its skill has instructions only.
fn says_nothing_to_run(metadata: &Metadata) -> bool {
    let has_parts = metadata.entry.is_some()
        || metadata.transport.is_some()
        || metadata.refresh.is_some()
        || metadata.routes.is_some()
        || metadata.push.is_some();
    !has_parts && metadata.commands.is_empty() && metadata.placeholders.is_empty()
}

fn schema(f: &mut Fields<'_>) -> u32 {
    let schema = f.whole("schema").and_then(|n| u32::try_from(n).ok());
    schema.unwrap_or(METADATA_SCHEMA)
}

fn required(f: &mut Fields<'_>, key: &'static str) -> String {
    if !f.has(key) {
        f.missing(key);
    }
    f.text(key).unwrap_or_default()
}

fn executor(f: &mut Fields<'_>) -> ExecutorKind {
    if !f.has("type") {
        f.missing("type");
    }
    f.word("type", &ExecutorKind::ALL, ExecutorKind::word)
        .unwrap_or(ExecutorKind::Direct)
}

fn triggers(mut f: Fields<'_>) -> Triggers {
    let res = Triggers {
        intents: f.texts("intents"),
        phrases: f.texts("phrases"),
        event_types: f.texts("event_types"),
        priority: f.number("priority").unwrap_or_default().clamp(0.0, 1.0),
    };
    f.finish();
    res
}

fn entry(mut f: Fields<'_>) -> Entry {
    let res = Entry {
        runtime: f
            .word("runtime", &Runtime::ALL, Runtime::word)
            .unwrap_or(Runtime::Native),
        shell: f.text("shell"),
        argv: f.texts("argv"),
        module: f.text("module"),
        exports: f.texts("exports"),
        endpoint: f.text("endpoint"),
        endpoint_setting: f.text("endpoint_setting"),
        method: f.text("method"),
        headers: f.map("headers").unwrap_or_default(),
        credentials: http::credentials(&mut f),
        mcp: f.inner("mcp").map(mcp::server),
        dir: f.text("dir").unwrap_or_else(|| ".".to_owned()),
    };
    f.finish();
    res
}

/// Reads a prompt; one without a known dialect has no meaning.
fn prompt(mut f: Fields<'_>) -> Option<Prompt> {
    if !f.has("dialect") {
        f.missing("dialect");
    }
    let dialect = f.word("dialect", &PromptDialect::ALL, PromptDialect::word);
    let template = required(&mut f, "template");
    let prose_sha256 = f.text("prose_sha256");
    let command = f.text("command");
    let names = f.texts("names");
    let first_index = f.whole("first_index");
    let arguments = f.inners("arguments").into_iter().map(prompt_argument);
    let arguments = arguments.collect();
    f.finish();
    Some(Prompt {
        template,
        dialect: dialect?,
        prose_sha256,
        command,
        names,
        first_index,
        arguments,
    })
}

fn prompt_argument(mut f: Fields<'_>) -> PromptArgument {
    let res = PromptArgument {
        name: required(&mut f, "name"),
        description: f.text("description").unwrap_or_default(),
        required: f.flag("required").unwrap_or_default(),
        choices: f.texts("choices"),
    };
    f.finish();
    res
}

fn asynchronous(mut f: Fields<'_>) -> Async {
    let callback = f.flag("callback").unwrap_or_default();
    f.finish();
    Async { callback }
}

fn command(mut f: Fields<'_>) -> Command {
    let res = Command {
        id: required(&mut f, "id"),
        description: f.text("description").unwrap_or_default(),
        dispatch: f.inner("dispatch").map(dispatch),
        batch: f.text("batch"),
        idempotent: f.flag("idempotent").unwrap_or_default(),
        approval: f
            .word("approval", &["none", "required"], |word| word)
            .filter(|word| *word == "required")
            .map(str::to_owned),
        http: f.inner("http").and_then(http::operation),
        annotations: f.inner("annotations").map(mcp::annotations),
        input_schema: f
            .map("input_schema")
            .map_or_else(open_schema, Value::Object),
        output_schema: f.map("output_schema").map(Value::Object),
        also_read: f.texts("also_read"),
        examples: examples(&mut f),
    };
    f.finish();
    res
}

/// Returns a schema that allows everything.
pub(super) fn open_schema() -> Value {
    json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": true })
}

fn examples(f: &mut Fields<'_>) -> Vec<Value> {
    match f.value("examples") {
        Some(Value::Array(items)) => items,
        Some(other) => vec![other],
        None => Vec::new(),
    }
}

fn dispatch(mut f: Fields<'_>) -> Dispatch {
    let res = Dispatch {
        key: required(&mut f, "key"),
        value: required(&mut f, "value"),
        source: f.text("source").unwrap_or_else(|| "assumed".to_owned()),
    };
    f.finish();
    res
}

fn placeholder(mut f: Fields<'_>) -> Placeholder {
    let res = Placeholder {
        key: required(&mut f, "key"),
        description: f.text("description").unwrap_or_default(),
    };
    f.finish();
    res
}

fn refresh(mut f: Fields<'_>) -> Refresh {
    let cron = required(&mut f, "cron");
    f.finish();
    Refresh { cron }
}

fn config(mut f: Fields<'_>) -> Config {
    let res = Config {
        schema: f.map("schema").map(Value::Object),
        secret: f.texts("secret"),
        undeclared: f.texts("undeclared"),
        guards: f.inners("guards").into_iter().map(guard).collect(),
    };
    f.finish();
    res
}

/// Reads a guard; one with unknown words counts as open without a value.
fn guard(mut f: Fields<'_>) -> Guard {
    let kind = f.word("kind", &GuardKind::ALL, GuardKind::word);
    let unset = f.word("unset", &Unset::ALL, Unset::word);
    let res = Guard {
        key: required(&mut f, "key"),
        kind: kind.unwrap_or(GuardKind::AllowList),
        unset: unset.unwrap_or(Unset::Open),
        evidence: f.texts("evidence"),
    };
    f.finish();
    res
}

fn requires(mut f: Fields<'_>) -> Requires {
    let res = Requires {
        npm: f.texts("npm"),
        pip: f.texts("pip"),
        bin: f.texts("bin"),
        os: f.texts("os"),
        skills: f.texts("skills"),
        runtime: f.text("runtime"),
        packages: packages(f.inner("packages")),
        network: f.flag("network").unwrap_or_default(),
    };
    f.finish();
    res
}

fn packages(f: Option<Fields<'_>>) -> Packages {
    let mut res = Packages::default();
    let Some(mut f) = f else { return res };
    for (key, list) in [("npm", &mut res.npm), ("pip", &mut res.pip)] {
        f.entries(key, |name, value| {
            list.insert(name.to_owned(), package_need(value));
        });
    }
    f.finish();
    res
}

/// Reads the details of a package, or only its range.
fn package_need(value: EntryValue<'_, '_>) -> PackageNeed {
    let mut f = match value {
        EntryValue::Map(fields) => fields,
        EntryValue::Text(range) => {
            return PackageNeed {
                range: Some(range.to_owned()),
                ..PackageNeed::default()
            };
        }
    };
    let source = f.word("source", &PackageSource::ALL, PackageSource::word);
    let res = PackageNeed {
        range: f.text("range"),
        source: source.unwrap_or_default(),
        native: f.flag("native").unwrap_or_default(),
        install_script: f.flag("install_script").unwrap_or_default(),
        optional: f.flag("optional").unwrap_or_default(),
    };
    f.finish();
    res
}

fn routes(mut f: Fields<'_>) -> Routes {
    let res = Routes {
        mount: f.text("mount").unwrap_or_default(),
        style: f.text("style").unwrap_or_default(),
    };
    f.finish();
    res
}

fn push(mut f: Fields<'_>) -> Push {
    let res = Push {
        enabled: f.flag("enabled").unwrap_or_default(),
        message_type: f.text("message_type"),
        client_type: f.text("client_type"),
    };
    f.finish();
    res
}

fn cache(f: Option<Fields<'_>>) -> Cache {
    let mut res = Cache::default();
    if let Some(mut f) = f {
        res.cacheable = f.flag("cacheable").unwrap_or_default();
        res.ttl_s = f.whole("ttl_s").unwrap_or_default();
        f.finish();
    }
    res
}

fn legacy(mut f: Fields<'_>) -> Legacy {
    let res = Legacy {
        host: f.text("host").unwrap_or_default(),
        name: required(&mut f, "name"),
        directory: f.text("directory").unwrap_or_default(),
        file: f.text("file"),
        plugin_type: f.text("plugin_type").unwrap_or_default(),
        manifest_version: f.text("manifest_version"),
        extra: f.map("extra").unwrap_or_default(),
    };
    f.finish();
    res
}

fn file(mut f: Fields<'_>) -> FileRecord {
    let res = FileRecord {
        path: required(&mut f, "path"),
        bytes: f.whole("bytes").unwrap_or_default(),
        sha256: f.text("sha256").unwrap_or_default(),
    };
    f.finish();
    res
}

fn finding(mut f: Fields<'_>) -> FindingRecord {
    let res = FindingRecord {
        code: required(&mut f, "code"),
        message: f.text("message").unwrap_or_default(),
        pointer: f.text("pointer"),
    };
    f.finish();
    res
}
