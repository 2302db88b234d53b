//! The plan for one plugin.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use skill_diagnostics::{Diagnostic, Severity};
use skill_model::{
    Entry, FileRecord, FindingRecord, Frontmatter, METADATA_SCHEMA, Metadata, SkillName, Triggers,
};

use crate::{
    Fate, LeaveReason, Plugin, SourceFile, TemplateError, Templates,
    code::{self, CodeFacts},
    codes::{
        COMMAND_TEXT, FILE_LEFT_OUT, HIDDEN_CHARACTERS, NO_COMMANDS, NO_PLACEHOLDERS,
        SETTINGS_LEFT_OUT,
    },
    commands, config, deps, description,
    entry::{self, EntryReading, SCRIPTS},
    env_example,
    fate::{Ledger, METADATA},
    hex, host,
    markdown::Defused,
    metadata, render,
    render::LanguageChoice,
    secrets::secret_findings,
};

/// What a user decides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Language of headings.
    pub language: LanguageChoice,
}

/// Everything that is to be written, and what became of the manifest.
#[derive(Clone, PartialEq, Debug)]
pub struct Migration {
    /// Name of the skill and of its directory.
    pub name: SkillName,
    /// The sidecar.
    pub metadata: Metadata,
    /// Files that the migration wrote, sorted by path.
    pub generated: Vec<GeneratedFile>,
    /// Files that are copied, sorted by destination.
    pub copies: Vec<CopiedFile>,
    /// The fate of every leaf of the manifest, by JSON Pointer.
    pub fates: BTreeMap<String, Fate>,
    /// What a person should know.
    pub findings: Vec<Diagnostic>,
}

/// A file with its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GeneratedFile {
    /// Path relative to the skill.
    pub path: String,
    /// The text.
    pub text: String,
}

/// A file that is carried over byte for byte.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CopiedFile {
    /// Path relative to the skill.
    pub to: String,
    /// Path relative to the plugin.
    pub from: String,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// Size.
    pub bytes: u64,
    /// Digest: 64 hex digits.
    pub sha256: String,
}

/// Plans the migration of one plugin.
///
/// `earlier` are findings of reading and naming, which go into `METADATA.yml` as well.
pub fn migrate(
    plugin: &Plugin<'_>,
    name: &SkillName,
    earlier: Vec<Diagnostic>,
    templates: &Templates,
    options: Options,
) -> Result<Migration, TemplateError> {
    let mut ledger = Ledger::new(&plugin.manifest.root);
    let entry = entry::read(plugin);
    let code = read_code(plugin, &entry);
    let commands = commands::read(plugin.manifest, &code, &mut ledger);
    let mut draft = Draft {
        metadata: fill(plugin, name, entry, &code, &mut ledger, earlier),
        seen: Defused::default(),
    };
    draft.metadata.record.commands = commands.entries;
    draft.metadata.findings.extend(commands.findings);
    draft.add_blurb(plugin);
    let copies = copies(plugin);
    let documents = draft.documents(plugin, &commands.originals, templates, options)?;
    let frontmatter = draft.frontmatter(plugin, &mut ledger);
    draft.remark();
    let (fates, extra) = ledger.settle();
    let Filled {
        mut record,
        mut findings,
        ..
    } = draft.metadata;
    if let Some(legacy) = &mut record.legacy {
        legacy.extra = extra;
    }
    let mut generated = generated(plugin, &record, documents);
    record.files = file_records(&copies, &generated.files);
    findings
        .sort_by(|a, b| (&b.severity, &a.code, &a.place).cmp(&(&a.severity, &b.code, &b.place)));
    record.findings = finding_records(&findings);
    generated.push("SKILL.md", frontmatter.emit(&generated.body));
    generated.push("METADATA.yml", record.to_yaml());
    generated.files.sort();
    Ok(Migration {
        name: name.clone(),
        metadata: record,
        generated: generated.files,
        copies,
        fates,
        findings,
    })
}

fn read_code(plugin: &Plugin<'_>, entry: &EntryReading) -> CodeFacts {
    entry
        .file
        .as_deref()
        .map(|file| code::read_code(file, plugin.texts))
        .unwrap_or_default()
}

/// A sidecar in the making.
struct Filled {
    record: Metadata,
    findings: Vec<Diagnostic>,
    blockers: Vec<Diagnostic>,
}

/// Everything of the sidecar that needs neither commands nor texts.
fn fill(
    plugin: &Plugin<'_>,
    name: &SkillName,
    mut entry: EntryReading,
    code: &CodeFacts,
    ledger: &mut Ledger<'_>,
    mut findings: Vec<Diagnostic>,
) -> Filled {
    let manifest = plugin.manifest;
    claim_entry(plugin, entry.entry.as_ref(), ledger);
    if let Some(record) = &mut entry.entry
        && record.module.is_some()
    {
        record.exports = code.exports.iter().cloned().collect();
    }
    let host = host::read(manifest, code);
    let requires = deps::read(plugin, &entry, code, ledger);
    let (config, config_findings) = config::read(plugin, code, ledger);
    let timeout_ms = metadata::timeout(manifest, ledger, &mut findings);
    let (placeholders, refresh) = metadata::placeholders(manifest, ledger);
    let runnable = entry.can_start && host.blockers.is_empty();
    claim_host(plugin, ledger);
    let to = |key: &str| format!("{METADATA}/{key}");
    let record = Metadata {
        schema: METADATA_SCHEMA,
        name: name.to_string(),
        display_name: metadata::text(manifest.display_name.as_ref(), &to("display_name"), ledger),
        description: metadata::text(manifest.description.as_ref(), &to("description"), ledger)
            .unwrap_or_default(),
        version: metadata::text(manifest.version.as_ref(), &to("version"), ledger)
            .unwrap_or_else(|| "0.0.0".to_owned()),
        author: metadata::text(manifest.author.as_ref(), &to("author"), ledger),
        executor: metadata::executor(manifest.plugin_type.value),
        enabled: plugin.is_enabled(),
        runnable,
        domain: domain(plugin, ledger),
        keywords: Vec::new(),
        tags: tags(plugin, ledger),
        triggers: Triggers::default(),
        transport: metadata::transport(manifest.plugin_type.value),
        timeout_ms: Some(timeout_ms),
        asynchronous: metadata::asynchronous(manifest.plugin_type.value),
        commands: Vec::new(),
        placeholders,
        refresh,
        config,
        host_requires: host.requires,
        routes: metadata::routes(manifest, code, ledger),
        push: metadata::push(manifest, ledger),
        permissions: metadata::permissions(plugin, code, &requires, ledger),
        limits: metadata::limits(timeout_ms),
        cache: metadata::cache(),
        legacy: Some(metadata::legacy(plugin, ledger)),
        files: Vec::new(),
        findings: Vec::new(),
        entry: entry.entry,
        requires,
    };
    let blockers = if entry.can_start {
        host.blockers
    } else {
        [entry.findings.clone(), host.blockers].concat()
    };
    if entry.can_start {
        findings.extend(entry.findings);
    }
    findings.extend(blockers.iter().cloned());
    findings.extend(host.findings);
    findings.extend(config_findings);
    findings.extend(left_out_findings(plugin));
    Filled {
        record,
        findings,
        blockers,
    }
}

/// `entryPoint`: the part that was used.
fn claim_entry(plugin: &Plugin<'_>, entry: Option<&Entry>, ledger: &mut Ledger<'_>) {
    let entry_point = &plugin.manifest.entry_point;
    let Some(entry) = entry else { return };
    match (&entry.module, &entry_point.script, &entry_point.command) {
        (Some(module), Some(script), _) => {
            let exact = script.exact && *module == script.value;
            ledger.moved(
                &script.pointer,
                &format!("{METADATA}/entry/module"),
                exact,
                "with forward slashes",
            );
        }
        (None, _, Some(command)) => {
            ledger.moved(
                &command.pointer,
                &format!("{METADATA}/entry/shell"),
                command.exact,
                "as text",
            );
        }
        _ => {}
    }
}

fn claim_host(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) {
    let manifest = plugin.manifest;
    if let Some(protocol) = &manifest.communication.protocol {
        ledger.transformed(
            &protocol.pointer,
            &format!("{METADATA}/transport"),
            "as the transport of the type",
        );
    }
    for pointer in EMPTY_WHEN_UNUSED {
        ledger.dropped_if_empty(pointer);
    }
    for flag in [
        &manifest.requires_context_bridge,
        &manifest.requires_knowledge_base,
    ]
    .into_iter()
    .flatten()
    {
        ledger.transformed(
            &flag.pointer,
            &format!("{METADATA}/host_requires"),
            "as a part of the host",
        );
    }
}

/// Values that many manifests write only to say that they have none.
const EMPTY_WHEN_UNUSED: [&str; 5] = [
    "/capabilities",
    "/capabilities/invocationCommands",
    "/capabilities/systemPromptPlaceholders",
    "/communication",
    "/configSchema",
];

/// `domain` or `category`: a free word.
fn domain(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Option<String> {
    let found = ["domain", "category"].iter().find_map(|key| {
        let text = plugin.manifest.root.get(key)?.as_str()?;
        Some((key, text.to_owned()))
    });
    let (key, text) = found?;
    ledger.carried(&format!("/{key}"), &format!("{METADATA}/domain"));
    Some(text)
}

fn tags(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Vec<String> {
    let tags = plugin.manifest.tags.iter().map(|tag| {
        ledger.carried(&tag.pointer, &format!("{METADATA}/tags"));
        tag.value.clone()
    });
    tags.collect()
}

fn left_out_findings(plugin: &Plugin<'_>) -> Vec<Diagnostic> {
    let mut acc = Vec::new();
    let settings: Vec<&str> = plugin
        .left_out
        .iter()
        .filter(|left| left.reason == LeaveReason::Settings && !env_example::is_example(&left.path))
        .map(|left| left.path.as_str())
        .collect();
    if !settings.is_empty() {
        let message = format!("settings were not carried: {}", settings.join(", "));
        let help = "hand them over at run time; assets/config.env.example lists the keys";
        acc.push(Diagnostic::note(SETTINGS_LEFT_OUT, message).with_help(help));
    }
    for left in plugin
        .left_out
        .iter()
        .filter(|left| left.reason.needs_attention())
    {
        let message = format!(
            "`{}` was not carried: {}",
            left.path.escape_debug(),
            left.reason.phrase()
        );
        acc.push(Diagnostic::warning(FILE_LEFT_OUT, message).in_file(left.path.clone()));
    }
    acc
}

/// The sidecar and what its texts showed on the way.
struct Draft {
    metadata: Filled,
    seen: Defused,
}

impl Draft {
    fn add_blurb(&mut self, plugin: &Plugin<'_>) {
        let record = &mut self.metadata.record;
        let blurb = metadata::blurb(plugin.manifest, &record.commands);
        record.keywords = blurb.keywords;
        record.triggers.intents = blurb.intents;
        record.triggers.phrases = blurb.phrases;
    }

    fn documents(
        &mut self,
        plugin: &Plugin<'_>,
        originals: &[render::Original<'_>],
        templates: &Templates,
        options: Options,
    ) -> Result<render::Documents, TemplateError> {
        let Filled {
            record,
            findings,
            blockers,
        } = &self.metadata;
        let text = |finding: &Diagnostic| match &finding.help {
            Some(help) => format!("{}; {help}.", finding.message),
            None => format!("{}.", finding.message),
        };
        let blockers: Vec<String> = blockers.iter().map(text).collect();
        let notes = findings
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning);
        let notes: Vec<String> = notes
            .map(text)
            .filter(|note| !blockers.contains(note))
            .take(MAX_NOTES)
            .collect();
        let sources = render::Sources {
            metadata: record,
            originals,
            left_out: plugin.left_out,
            blockers: &blockers,
            notes: &notes,
            language: options.language.language_of(&all_text(plugin)),
        };
        render::documents(&sources, templates, &mut self.seen)
    }

    fn frontmatter(&mut self, plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) -> Frontmatter {
        let record = &self.metadata.record;
        let when = metadata::blurb(plugin.manifest, &record.commands).when;
        let what = if record.description.trim().is_empty() {
            record
                .display_name
                .as_deref()
                .unwrap_or(&plugin.manifest.name.value)
        } else {
            &record.description
        };
        let (description, finding) = description::description(what, &when, &mut self.seen);
        self.metadata.findings.extend(finding);
        Frontmatter {
            name: record.name.clone(),
            description,
            license: metadata::text(plugin.manifest.license.as_ref(), "SKILL.md#license", ledger),
            compatibility: description::compatibility(
                record.entry.as_ref(),
                &record.requires,
                &record.host_requires,
            ),
            metadata: frontmatter_metadata(record),
            allowed_tools: None,
        }
    }

    /// What the texts had to be protected from, and what is missing at the end.
    fn remark(&mut self) {
        let Filled {
            record, findings, ..
        } = &mut self.metadata;
        if self.seen.hidden {
            let finding = Diagnostic::warning(
                HIDDEN_CHARACTERS,
                "texts hold characters that nobody sees; they are shown as \\u{…}",
            );
            findings
                .push(finding.with_help("references/legacy-manifest.json has them as they were"));
        }
        if self.seen.command {
            let finding = Diagnostic::warning(
                COMMAND_TEXT,
                "texts hold !`…`, which some agents run while they render a skill; it was broken by a blank",
            );
            findings.push(finding);
        }
        let legacy_type = record
            .legacy
            .as_ref()
            .map_or("", |legacy| legacy.plugin_type.as_str());
        let is_called = record.transport == Some(skill_model::Transport::StdioJson);
        if is_called && record.commands.is_empty() {
            let message = format!(
                "the manifest lists no command, though plugins of type `{legacy_type}` are called"
            );
            findings.push(
                Diagnostic::warning(NO_COMMANDS, message)
                    .at_pointer("/capabilities/invocationCommands"),
            );
        }
        if record.transport == Some(skill_model::Transport::Stdout)
            && record.placeholders.is_empty()
        {
            let message = "the manifest lists no placeholder, so nothing shows the value";
            let finding = Diagnostic::warning(NO_PLACEHOLDERS, message);
            findings.push(finding.at_pointer("/capabilities/systemPromptPlaceholders"));
        }
    }
}

/// More warnings than this stand in `METADATA.yml` only.
const MAX_NOTES: usize = 20;

/// The texts that show the language of a plugin.
fn all_text(plugin: &Plugin<'_>) -> String {
    let manifest = plugin.manifest;
    let commands = manifest
        .commands
        .iter()
        .filter_map(|command| command.description.as_ref());
    let texts = manifest
        .display_name
        .iter()
        .chain(manifest.description.as_ref())
        .chain(commands);
    texts
        .map(|field| field.value.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The specification's `metadata`: strings only.
fn frontmatter_metadata(record: &Metadata) -> BTreeMap<String, String> {
    let mut res = BTreeMap::new();
    let mut insert = |key: &str, value: &str| res.insert(key.to_owned(), value.to_owned());
    insert("version", &record.version);
    if let Some(legacy) = &record.legacy {
        insert("legacy-name", &legacy.name);
    }
    if let Some(display_name) = &record.display_name {
        insert("display-name", display_name);
    }
    if let Some(author) = &record.author {
        insert("author", author);
    }
    let ids: Vec<&str> = record
        .commands
        .iter()
        .map(|command| command.id.as_str())
        .collect();
    let ids = ids.join(" ");
    if !ids.is_empty() && ids.len() <= MAX_COMMAND_IDS {
        insert("commands", &ids);
    }
    res
}

/// Longest list of command identifiers in the frontmatter, in bytes.
const MAX_COMMAND_IDS: usize = 300;

/// Every file of the plugin under `scripts/`, and its readme as a reference too.
fn copies(plugin: &Plugin<'_>) -> Vec<CopiedFile> {
    let copy = |file: &SourceFile, directory: &str| CopiedFile {
        to: format!("{directory}/{}", file.path),
        from: file.path.clone(),
        executable: file.executable && directory == SCRIPTS,
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    };
    let scripts = plugin.files.iter().map(|file| copy(file, SCRIPTS));
    let readmes = plugin
        .files
        .iter()
        .filter(|file| is_readme(&file.path))
        .map(|file| copy(file, "references"));
    let mut res: Vec<CopiedFile> = scripts.chain(readmes).collect();
    res.sort();
    res
}

fn is_readme(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    !path.contains('/') && lower.starts_with("readme") && lower.ends_with(".md")
}

/// Generated files, and the body that still wants its frontmatter.
struct Generated {
    files: Vec<GeneratedFile>,
    body: String,
}

impl Generated {
    fn push(&mut self, path: &str, text: String) {
        self.files.push(GeneratedFile {
            path: path.to_owned(),
            text,
        });
    }
}

fn generated(plugin: &Plugin<'_>, record: &Metadata, documents: render::Documents) -> Generated {
    let mut res = Generated {
        files: Vec::new(),
        body: documents.body,
    };
    res.push(
        "references/legacy-manifest.json",
        plugin.manifest_text.to_owned(),
    );
    if let Some(text) = documents.commands {
        res.push("references/commands.md", text);
    }
    if let Some(text) = documents.overview {
        res.push("references/overview.md", text);
    }
    let keep_comment = |comment: &str| secret_findings("", comment).is_empty();
    if let Some(text) = env_example::render(plugin, record, keep_comment) {
        res.push("assets/config.env.example", text);
    }
    res
}

fn file_records(copies: &[CopiedFile], generated: &[GeneratedFile]) -> Vec<FileRecord> {
    let copied = copies.iter().map(|copy| FileRecord {
        path: copy.to.clone(),
        bytes: copy.bytes,
        sha256: copy.sha256.clone(),
    });
    let written = generated.iter().map(|file| FileRecord {
        path: file.path.clone(),
        bytes: file.text.len() as u64,
        sha256: hex(&Sha256::digest(file.text.as_bytes())),
    });
    let mut res: Vec<FileRecord> = copied.chain(written).collect();
    res.sort_by(|a, b| a.path.cmp(&b.path));
    res
}

fn finding_records(findings: &[Diagnostic]) -> Vec<FindingRecord> {
    let records = findings.iter().map(|finding| FindingRecord {
        code: finding.code.0.to_owned(),
        message: finding.message.clone(),
        pointer: finding.place.pointer.clone(),
    });
    records.collect()
}
