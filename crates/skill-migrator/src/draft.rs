//! The sidecar under construction: filled field by field, then used for the texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plugin_model::LeaveReason;
use plugin_prose::Blurb;
use skill_diagnostics::Diagnostic;
use skill_model::{
    Command, Entry, Frontmatter, METADATA_SCHEMA, Metadata, Runtime, SkillName, Transport, Triggers,
};

use crate::{
    code::Analysis,
    codes::{
        COMMAND_TEXT, FILE_LEFT_OUT, HIDDEN_CHARACTERS, NO_COMMANDS, NO_PLACEHOLDERS, PART_OF_HOST,
        SETTINGS_LEFT_OUT, USER_DATA_LEFT_OUT,
    },
    config, deps, description,
    entry::EntryReading,
    env_example,
    fate::{Ledger, METADATA},
    holds::without_host,
    host,
    host_part::host_part,
    markdown::{DefuseReport, reveal},
    metadata, notes,
    package::{nested_skills, readmes},
    plan::GeneratedFile,
    plugin::Plugin,
    render::{self, Language, Shell, TemplateError, Templates},
    secrets::secret_findings,
    surroundings, triggers, user_directories,
};

/// A sidecar under construction.
pub(crate) struct Draft {
    /// The sidecar so far.
    pub(crate) record: Metadata,
    /// All findings, including blockers.
    pub(crate) findings: Vec<Diagnostic>,
    /// The findings that keep the skill from running.
    pub(crate) blockers: Vec<Diagnostic>,
    /// The surroundings that the code needs.
    around: render::Around,
    /// The effect of the skill, and when to use it.
    says: description::Parts,
    /// Requests in the plugin's own words.
    requests: Vec<String>,
    /// Changes that made texts harmless.
    seen: DefuseReport,
}

/// Returns the versions of the interpreter that take the code.
fn runtime_range(entry: &EntryReading, around: &render::Around) -> Option<String> {
    match entry.entry.as_ref()?.runtime {
        Runtime::Python => around.lowest.python_range(),
        Runtime::Node => around.lowest.node_range(),
        _ => None,
    }
}

/// Creates everything in the sidecar but the commands and the texts.
pub(crate) fn fill(
    plugin: &Plugin<'_>,
    name: &SkillName,
    mut entry: EntryReading,
    analysis: &Analysis<'_, '_>,
    commands: &[Command],
    ledger: &mut Ledger<'_>,
    mut findings: Vec<Diagnostic>,
) -> Draft {
    let code = analysis.facts;
    claim_entry(plugin, entry.entry.as_ref(), ledger);
    if let Some(record) = &mut entry.entry
        && record.module.is_some()
    {
        record.exports = code.exports.iter().cloned().collect();
    }
    let host = host::read(plugin, analysis, &entry);
    let mut requires = deps::read(plugin, &entry, code, ledger);
    let (mut config, config_findings) = config::read(plugin, code, ledger);
    let around = surroundings::read(plugin, analysis, &config, commands);
    let permissions = metadata::permissions(plugin, code, &requires, (&config, commands), ledger);
    user_directories::add(&mut config, commands, &permissions.filesystem);
    let timeout_ms = metadata::timeout(plugin, around.longest_wait, ledger, &mut findings);
    requires.runtime = runtime_range(&entry, &around);
    let (placeholders, refresh) = metadata::placeholders(plugin, ledger);
    let runnable = entry.can_start && host.blockers.is_empty();
    claim_host(plugin, ledger);
    let to = |key: &str| format!("{METADATA}/{key}");
    let record = Metadata {
        schema: METADATA_SCHEMA,
        name: name.to_string(),
        display_name: metadata::text(
            plugin.package.identity.display_name.as_ref(),
            &to("display_name"),
            ledger,
        ),
        description: metadata::text(
            plugin.package.identity.description.as_ref(),
            &to("description"),
            ledger,
        )
        .unwrap_or_default(),
        version: metadata::text(
            plugin.package.identity.version.as_ref(),
            &to("version"),
            ledger,
        )
        .unwrap_or_else(|| "0.0.0".to_owned()),
        author: metadata::text(
            plugin.package.identity.author.as_ref(),
            &to("author"),
            ledger,
        ),
        executor: metadata::executor(plugin.program.plugin_type.value),
        enabled: plugin.package.is_enabled,
        runnable,
        domain: metadata::domain(plugin, ledger),
        keywords: Vec::new(),
        tags: metadata::tags(plugin, ledger),
        triggers: Triggers::default(),
        prompt: None,
        transport: metadata::transport(plugin.program.plugin_type.value),
        timeout_ms: Some(timeout_ms),
        asynchronous: metadata::asynchronous(plugin.program.plugin_type.value),
        commands: Vec::new(),
        placeholders,
        refresh,
        config,
        host_requires: host.requires,
        host_answered: host.answered,
        host_modules: host.modules,
        routes: metadata::routes(plugin, code, ledger),
        push: metadata::push(plugin, ledger),
        permissions,
        limits: metadata::limits(timeout_ms),
        cache: metadata::cache(),
        idempotent: false,
        fallback: Vec::new(),
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
    let of_host = blockers.iter().cloned().chain(host.findings);
    findings.extend(of_host.chain(config_findings));
    findings.extend(left_out_findings(plugin));
    findings.extend(nested_skills(plugin));
    Draft {
        record,
        findings,
        blockers,
        around,
        says: description::Parts::default(),
        requests: Vec::new(),
        seen: DefuseReport::default(),
    }
}

/// Records the fate of the used part of `entryPoint`.
fn claim_entry(plugin: &Plugin<'_>, entry: Option<&Entry>, ledger: &mut Ledger<'_>) {
    let entry_point = &plugin.program.entry_point;
    let Some(entry) = entry else { return };
    match (&entry.module, &entry_point.script, &entry_point.command) {
        (Some(module), Some(script), _) => {
            let exact = script.exact && *module == script.value;
            ledger.moved(
                &script.place,
                &format!("{METADATA}/entry/module"),
                exact,
                "with forward slashes",
            );
        }
        (None, _, Some(command)) => {
            ledger.moved(
                &command.place,
                &format!("{METADATA}/entry/shell"),
                command.exact,
                "as text",
            );
        }
        _ => {}
    }
}

fn claim_host(plugin: &Plugin<'_>, ledger: &mut Ledger<'_>) {
    if let Some(protocol) = &plugin.program.communication.protocol {
        ledger.transformed(
            &protocol.place,
            &format!("{METADATA}/transport"),
            "as the transport of the type",
        );
    }
    for pointer in EMPTY_WHEN_UNUSED {
        ledger.dropped_if_empty(&plugin.place(pointer));
    }
    for flag in [
        &plugin.program.requires_context_bridge,
        &plugin.program.requires_knowledge_base,
    ]
    .into_iter()
    .flatten()
    {
        ledger.transformed(
            &flag.place,
            &format!("{METADATA}/host_answered"),
            "as a part of the host",
        );
    }
}

/// Values that many manifests write only to express that they have none.
const EMPTY_WHEN_UNUSED: [&str; 5] = [
    "/capabilities",
    "/capabilities/invocationCommands",
    "/capabilities/systemPromptPlaceholders",
    "/communication",
    "/configSchema",
];

fn left_out_findings(plugin: &Plugin<'_>) -> Vec<Diagnostic> {
    let mut acc = Vec::new();
    let settings = surroundings::left_settings(plugin);
    if !settings.is_empty() {
        let message = format!("settings were not carried: {}", settings.join(", "));
        let help = "pass them at run time; assets/config.env.example lists the keys";
        acc.push(Diagnostic::note(SETTINGS_LEFT_OUT, message).with_help(help));
    }
    acc.extend(user_data_finding(plugin));
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

/// Returns the finding on data that would be lost with the plugin, because it is in no skill.
fn user_data_finding(plugin: &Plugin<'_>) -> Option<Diagnostic> {
    const MAX_PATHS: usize = 12;
    let left = plugin.left_out.iter();
    let paths: Vec<String> = left
        .filter(|left| left.reason == LeaveReason::UserData)
        .map(|left| left.path.escape_debug().to_string())
        .collect();
    let shown = paths.iter().take(MAX_PATHS).cloned().collect::<Vec<_>>();
    let mut message = format!("user data was not carried: {}", shown.join(", "));
    if paths.len() > MAX_PATHS {
        let _ = write!(message, " and {} more", paths.len() - MAX_PATHS);
    }
    let help = "copy what the skill needs into its state, or carry a file that belongs to the program with --carry GLOB";
    (!paths.is_empty()).then(|| Diagnostic::note(USER_DATA_LEFT_OUT, message).with_help(help))
}

impl Draft {
    /// Adds the commands, and the words for the search.
    pub(crate) fn add_commands(
        &mut self,
        plugin: &Plugin<'_>,
        entries: Vec<Command>,
        findings: Vec<Diagnostic>,
        language: Language,
    ) {
        let Blurb {
            keywords,
            phrases,
            intents,
            requests,
            what,
            more,
            when,
            english,
        } = metadata::blurb(plugin, &entries, &self.around);
        self.record.commands = entries;
        self.record.keywords = keywords;
        self.record.triggers.intents = intents;
        self.record.triggers.phrases = phrases;
        self.findings.extend(findings);
        self.requests = requests;
        let what = without_host(&what, &self.findings, &self.record.host_answered);
        self.says = description::Parts {
            what: render::plain_words(&what),
            when: render::plain_words(&when),
            more: render::plain_words(&more),
            english,
        };
        if let Some(polish) = plugin.polish {
            polish.apply(&mut self.says, language);
        }
    }

    /// Creates the texts of the skill.
    pub(crate) fn documents(
        &mut self,
        plugin: &Plugin<'_>,
        originals: &[render::Original<'_>],
        templates: &Templates,
        (language, shell): (Language, Shell),
    ) -> Result<render::Documents, TemplateError> {
        let Self {
            record,
            findings,
            blockers,
            seen,
            around,
            says,
            requests: _,
        } = self;
        let text = |finding: &Diagnostic| notes::sentence(finding, language);
        let blockers: Vec<String> = blockers.iter().map(text).collect();
        let notes = notes::sentences(findings, &blockers, language);
        let keep_comment = |comment: &str| secret_findings("", comment).is_empty();
        let said = description::description(says, seen).0;
        let sources = render::Sources {
            metadata: record,
            originals,
            around,
            neighbours: plugin.neighbours,
            left_out: plugin.left_out,
            blockers: &blockers,
            notes: &notes,
            said: &said,
            readmes: &readmes(plugin),
            has_settings_file: env_example::render(plugin, record, keep_comment).is_some(),
            language,
            shell,
            polish: plugin.polish,
        };
        render::documents(&sources, templates, seen)
    }

    /// Creates the frontmatter of `SKILL.md`.
    pub(crate) fn frontmatter(
        &mut self,
        plugin: &Plugin<'_>,
        ledger: &mut Ledger<'_>,
        language: Language,
    ) -> Frontmatter {
        let mut requires = self.record.requires.clone();
        if requires.os.is_empty() && render::is_for_windows(&self.around) {
            requires.os.push("Windows".to_owned());
        }
        let record = &self.record;
        if self.says.what.trim().is_empty() {
            let name = record.display_name.as_deref();
            let name = name.unwrap_or(&plugin.package.identity.name.value);
            name.clone_into(&mut self.says.what);
        }
        let (description, finding) = description::description(&self.says, &mut self.seen);
        self.findings.extend(finding);
        Frontmatter {
            name: record.name.clone(),
            description,
            license: metadata::text(
                plugin.package.identity.license.as_ref(),
                "SKILL.md#license",
                ledger,
            )
            .map(|license| reveal(license, &mut self.seen)),
            compatibility: description::compatibility(
                record.entry.as_ref(),
                &requires,
                &record.host_requires,
                language,
            ),
            metadata: frontmatter_metadata(record, &self.around, &mut self.seen),
            allowed_tools: None,
        }
    }

    /// Creates the first tests of the requests that trigger the skill; a part of a host has none.
    pub(crate) fn triggers(&mut self) -> Option<GeneratedFile> {
        host_part(&self.record).is_none().then_some(())?;
        let requests = self.requests.iter().cloned();
        let requests: Vec<String> = requests.map(|it| reveal(it, &mut self.seen)).collect();
        triggers::tests(&requests)
    }

    /// Adds findings on changes of texts, and on what is missing at the end.
    pub(crate) fn remark(&mut self) {
        let Self {
            record, findings, ..
        } = self;
        if self.seen.hidden {
            let finding = Diagnostic::warning(
                HIDDEN_CHARACTERS,
                "texts contain invisible characters; they are written as \\u{…}",
            );
            findings.push(finding.with_help("references/legacy-manifest.json has them unchanged"));
        }
        if self.seen.command {
            let finding = Diagnostic::warning(
                COMMAND_TEXT,
                "texts contain !`…`, which some agents run while they render a skill; a space was inserted to prevent that",
            );
            findings.push(finding);
        }
        if let Some(reason) = host_part(record) {
            let message = format!("an agent cannot use it as a skill: {reason}");
            findings.push(Diagnostic::note(PART_OF_HOST, message));
        }
        let legacy_type = record
            .legacy
            .as_ref()
            .map_or("", |legacy| legacy.plugin_type.as_str());
        let is_called = record.transport == Some(Transport::StdioJson);
        if is_called && record.commands.is_empty() {
            let message = format!(
                "the manifest lists no command, though plugins of type `{legacy_type}` are called"
            );
            findings.push(
                Diagnostic::warning(NO_COMMANDS, message)
                    .at_pointer("/capabilities/invocationCommands"),
            );
        }
        if record.transport == Some(Transport::Stdout) && record.placeholders.is_empty() {
            let message = "the manifest lists no placeholder, so nothing shows the value";
            let finding = Diagnostic::warning(NO_PLACEHOLDERS, message);
            findings.push(finding.at_pointer("/capabilities/systemPromptPlaceholders"));
        }
    }
}

/// Creates the specification's `metadata`: strings only.
fn frontmatter_metadata(
    record: &Metadata,
    around: &render::Around,
    seen: &mut DefuseReport,
) -> BTreeMap<String, String> {
    let mut res = BTreeMap::new();
    let mut insert =
        |key: &str, value: &str| res.insert(key.to_owned(), reveal(value.to_owned(), seen));
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
    let commands = &record.commands;
    // The identifier of a single command that nothing selects is not part of a call.
    let is_called = |command: &&Command| {
        (commands.len() > 1 || command.dispatch.is_some()) && around.is_shown(&command.id)
    };
    let ids = commands.iter().filter(is_called);
    let ids: Vec<&str> = ids.map(|command| render::name(command, commands)).collect();
    let ids = ids.join(" ");
    if !ids.is_empty() && ids.len() <= MAX_COMMAND_IDS {
        insert("commands", &ids);
    }
    res
}

/// Maximum length of the list of command identifiers in the frontmatter, in bytes.
const MAX_COMMAND_IDS: usize = 300;
