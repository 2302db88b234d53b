//! One plugin, from reading to writing.

use std::collections::BTreeMap;

use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::{
    Digest,
    fs::{Entry, Kind, Root, WalkLimits, shown},
    store::{State, Store, StoreError},
};
use skill_migrator::{
    Migration, Naming, Plugin, Templates, is_code_file, is_scanned, migrate, redact,
    secret_findings,
};
use skill_model::{LockedSkill, LockedSource, parse_skill};

use super::{
    SecretPolicy, Settings,
    collect::{Collected, collect},
    diff,
    discover::Found,
    outcome::{Account, Outcome, Status},
};
use crate::{excerpt, output::Paint};

/// Everything that all plugins have in common.
pub(super) struct Context<'a> {
    pub(super) settings: &'a Settings,
    pub(super) input: &'a Root,
    pub(super) store: &'a Store,
    pub(super) templates: &'a Templates,
}

/// Counts up whenever the same plugin gives other texts than before; part of the recipe.
const RECIPE_VERSION: u32 = 1;

const CONFLICT: Code = Code("conflict");
const STALE_SKILL: Code = Code("stale-skill");
const STORE_FAILED: Code = Code("store-failed");
const INVALID_RESULT: Code = Code("invalid-result");

/// Why there is no skill.
type Refusal = (Status, Vec<Diagnostic>);

/// Migrates one plugin.
pub(super) fn work(context: &Context<'_>, found: &Found) -> Outcome {
    let mut outcome = Outcome::new(&found.directory, Status::Unchanged);
    outcome.plugin.clone_from(&found.name);
    if found.is_skipped {
        outcome.status = Status::Disabled;
        return outcome;
    }
    outcome.skill = found.skill_name().map(str::to_owned);
    let collected = match collect(
        context.input,
        &found.directory,
        found.manifest_file,
        context.settings.max_file_size,
    ) {
        Ok(collected) => collected,
        Err(finding) => return reject(outcome, (Status::Rejected, vec![*finding]), None),
    };
    let text = String::from_utf8_lossy(
        collected
            .manifest
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(&collected.manifest),
    )
    .into_owned();
    match work_collected(context, found, collected, &mut outcome) {
        Ok(status) => {
            outcome.status = status;
            outcome
        }
        Err(refusal) => reject(outcome, refusal, Some(&text)),
    }
}

fn reject(mut outcome: Outcome, (status, findings): Refusal, text: Option<&str>) -> Outcome {
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let manifest_error = |finding: &Diagnostic| {
        let is_of_manifest = finding
            .place
            .file
            .as_deref()
            .is_some_and(|file| file.ends_with(".json") || file.ends_with(".block"));
        let source = text.filter(|_| is_of_manifest && finding.code.0 != "secret-found");
        excerpt::render(finding, source, Paint::NONE)
    };
    outcome.errors = errors.map(manifest_error).collect();
    outcome.status = status;
    outcome.findings.extend(findings);
    outcome
}

fn work_collected(
    context: &Context<'_>,
    found: &Found,
    mut collected: Collected,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let recipe = recipe(context, found);
    if let (Some(naming), None) = (&found.naming, &context.settings.report)
        && is_up_to_date(context, naming, &collected, &recipe)?
    {
        recall(context, naming, outcome);
        return Ok(Status::Unchanged);
    }
    let secrets = guard_secrets(context, found, &mut collected)?;
    let migration = plan(context, found, &collected, secrets)?;
    let naming = found.naming.as_ref().ok_or_else(|| unnamed(found))?;
    outcome.runnable = Some(migration.metadata.runnable);
    let entry = LockedSkill {
        source: LockedSource {
            directory: found.directory.clone(),
            manifest: found.manifest_file.to_owned(),
            digest: collected.digest.to_string(),
        },
        recipe,
        files: desired_files(&migration),
    };
    let status = settle(context, naming, &collected, &migration, entry, outcome);
    outcome.findings.extend(migration.findings);
    if context.settings.report.is_some() {
        outcome.account = Some(Account {
            fates: migration.fates,
            left_out: collected.left_out,
        });
    }
    status
}

fn unnamed(found: &Found) -> Refusal {
    let message = "the manifest changed while it was read";
    (
        Status::Failed,
        vec![Diagnostic::error(STORE_FAILED, message).in_file(manifest_path(found))],
    )
}

fn manifest_path(found: &Found) -> String {
    if found.directory.is_empty() {
        found.manifest_file.to_owned()
    } else {
        format!("{}/{}", found.directory, found.manifest_file)
    }
}

/// Digest of everything besides the source that decides what is written.
fn recipe(context: &Context<'_>, found: &Found) -> String {
    let settings = context.settings;
    let naming = found.naming.as_ref();
    let text = format!(
        "{RECIPE_VERSION}\n{}\n{}\n{:?}\n{}\n{:?}",
        context.templates.digest(),
        settings.options.language.word(),
        settings.secrets,
        settings.max_file_size,
        naming.map(|naming| (naming.name.as_str(), naming.findings.len())),
    );
    Digest::of(text.as_bytes()).to_string()
}

/// Whether the lock says that this very source was migrated in this very way, and the result is
/// still there.
fn is_up_to_date(
    context: &Context<'_>,
    naming: &Naming,
    collected: &Collected,
    recipe: &str,
) -> Result<bool, Refusal> {
    let Some(locked) = context.store.locked(naming.name.as_str()) else {
        return Ok(false);
    };
    if locked.source.digest != collected.digest.to_string() || locked.recipe != recipe {
        return Ok(false);
    }
    let state = context
        .store
        .state(naming.name.as_str())
        .map_err(|error| failed(&error))?;
    Ok(state == State::Clean)
}

/// What the last run found out, for the report of a run that does nothing.
fn recall(context: &Context<'_>, naming: &Naming, outcome: &mut Outcome) {
    let path = format!("{}/METADATA.yml", naming.name);
    let read = context
        .store
        .root()
        .and_then(|root| root.read(&path, 1 << 24).ok());
    let text = read
        .as_deref()
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .unwrap_or_default();
    let mut lines = text
        .lines()
        .take_while(|line| !line.starts_with("commands:"));
    let runnable = lines.find_map(|line| line.strip_prefix("runnable: "));
    outcome.runnable = runnable.map(|word| word == "true");
}

/// Secrets in what would be carried: reported and refused, or taken out.
fn guard_secrets(
    context: &Context<'_>,
    found: &Found,
    collected: &mut Collected,
) -> Result<Vec<Diagnostic>, Refusal> {
    let mut findings = Vec::new();
    let manifest_path = manifest_path(found);
    let manifest = String::from_utf8_lossy(&collected.manifest).into_owned();
    let in_manifest = secret_findings(&manifest_path, &manifest);
    if !in_manifest.is_empty() {
        collected.manifest = redact(&manifest).into_bytes();
        findings.extend(in_manifest);
    }
    for file in &mut collected.files {
        let Some(bytes) = collected.bytes.get_mut(&file.path) else {
            continue;
        };
        if !is_scanned(bytes.len() as u64) {
            continue;
        }
        let text = String::from_utf8_lossy(bytes);
        let path = format!("{}/{}", found.directory, file.path);
        let in_file = secret_findings(path.trim_start_matches('/'), &text);
        if in_file.is_empty() {
            continue;
        }
        findings.extend(in_file);
        let redacted = redact(&text).into_bytes();
        file.bytes = redacted.len() as u64;
        file.sha256 = Digest::of(&redacted).hex();
        if is_code_file(&file.path) {
            collected.texts.insert(
                file.path.clone(),
                String::from_utf8_lossy(&redacted).into_owned(),
            );
        }
        *bytes = redacted;
    }
    if findings.is_empty() || context.settings.secrets == SecretPolicy::Redact {
        for finding in &mut findings {
            finding.severity = Severity::Warning;
            finding.help =
                Some("REDACTED stands in its place; hand it over at run time".to_owned());
        }
        return Ok(findings);
    }
    Err((Status::Rejected, findings))
}

/// The manifest read, the plan made and checked.
fn plan(
    context: &Context<'_>,
    found: &Found,
    collected: &Collected,
    secrets: Vec<Diagnostic>,
) -> Result<Migration, Refusal> {
    let in_manifest = |findings: Vec<Diagnostic>| -> Vec<Diagnostic> {
        findings
            .into_iter()
            .map(|finding| finding.in_file(manifest_path(found)))
            .collect()
    };
    let (text, mut findings) = plugin_manifest::decode(&collected.manifest);
    let Some(text) = text else {
        return Err((Status::Rejected, in_manifest(findings)));
    };
    let (manifest, more) = plugin_manifest::read(text);
    findings.extend(more);
    findings = in_manifest(findings);
    let (Some(manifest), Some(naming)) = (manifest, &found.naming) else {
        return Err((Status::Rejected, findings));
    };
    findings.extend(in_manifest(naming.findings.clone()));
    findings.extend(secrets);
    let plugin = Plugin {
        directory: &found.directory,
        manifest_file: found.manifest_file,
        manifest_text: text,
        manifest: &manifest,
        files: &collected.files,
        texts: &collected.texts,
        left_out: &collected.left_out,
    };
    let migration = migrate(
        &plugin,
        &naming.name,
        findings,
        context.templates,
        context.settings.options,
    )
    .map_err(|error| {
        (
            Status::Failed,
            vec![Diagnostic::error(INVALID_RESULT, error.to_string())],
        )
    })?;
    check_result(&migration)?;
    Ok(migration)
}

/// What is written must be a valid skill; anything else is our own mistake and is not written.
fn check_result(migration: &Migration) -> Result<(), Refusal> {
    let skill = migration
        .generated
        .iter()
        .find(|file| file.path == "SKILL.md");
    let (parsed, findings) = parse_skill(skill.map_or("", |file| &file.text));
    let frontmatter = parsed.map(|skill| skill.frontmatter());
    let is_valid = findings.is_empty()
        && frontmatter.is_some_and(|frontmatter| {
            let n_characters = frontmatter.description.chars().count();
            frontmatter.name == migration.name.as_str() && (1..=1024).contains(&n_characters)
        });
    if is_valid {
        return Ok(());
    }
    let message = format!(
        "the skill `{}` would not be valid; please report this",
        migration.name
    );
    Err((
        Status::Failed,
        vec![Diagnostic::error(INVALID_RESULT, message)],
    ))
}

fn desired_files(migration: &Migration) -> BTreeMap<String, String> {
    let generated = migration.generated.iter().map(|file| {
        (
            file.path.clone(),
            Digest::of(file.text.as_bytes()).to_string(),
        )
    });
    let copies = migration
        .copies
        .iter()
        .map(|copy| (copy.to.clone(), format!("sha256:{}", copy.sha256)));
    generated.chain(copies).collect()
}

/// Compares what is wanted with what is there, and writes if that is right.
fn settle(
    context: &Context<'_>,
    naming: &Naming,
    collected: &Collected,
    migration: &Migration,
    entry: LockedSkill,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let name = naming.name.as_str();
    let state = context.store.state(name).map_err(|error| failed(&error))?;
    if state != State::Absent
        && context
            .store
            .holds(name, &entry)
            .map_err(|error| failed(&error))?
    {
        if context.settings.mode.writes() {
            context
                .store
                .record(name, entry)
                .map_err(|error| failed(&error))?;
        }
        return Ok(Status::Unchanged);
    }
    let status = match state {
        State::Absent => Status::Created,
        State::Clean => Status::Updated,
        State::Foreign(_) | State::Edited(_) if context.settings.force => Status::Updated,
        State::Foreign(Kind::Dir) if holds_only_links(context.store, name) => {
            let message = format!(
                "a directory that holds nothing but links was in the place of the skill `{name}`"
            );
            let finding = Diagnostic::warning(CONFLICT, message).in_file(name);
            outcome
                .findings
                .push(finding.with_help("it was moved away, and the links were not followed"));
            Status::Updated
        }
        State::Foreign(_) | State::Edited(_) => {
            return Err((Status::Conflict, vec![conflict(name, &state)]));
        }
    };
    if context.settings.diff {
        outcome.diff = diff::render(context.store, name, collected, migration);
    }
    if context.settings.mode.writes() {
        if context.settings.force && !matches!(state, State::Absent | State::Clean) {
            back_up(context, name, outcome)?;
        }
        write(context, name, collected, migration, entry).map_err(|error| failed(&error))?;
    }
    Ok(status)
}

/// Whether a directory holds no file of anybody's, so that nothing is lost with it.
fn holds_only_links(store: &Store, name: &str) -> bool {
    let listing = store
        .root()
        .and_then(|root| root.open_dir(name).ok())
        .and_then(|root| root.walk("", &WalkLimits::default(), &|_| false).ok());
    listing.is_some_and(|listing| {
        let is_link = |entry: &Entry| matches!(entry.kind, Kind::Symlink | Kind::Dir);
        listing.notes.is_empty()
            && !listing.entries.is_empty()
            && listing.entries.iter().all(is_link)
    })
}

fn conflict(name: &str, state: &State) -> Diagnostic {
    let message = match state {
        State::Edited(edits) => {
            let all = [
                ("changed", &edits.changed),
                ("added", &edits.added),
                ("removed", &edits.removed),
            ];
            let parts = all
                .iter()
                .filter(|(_, paths)| !paths.is_empty())
                .map(|(word, paths)| {
                    let shown: Vec<String> = paths
                        .iter()
                        .take(3)
                        .map(|path| path.escape_debug().to_string())
                        .collect();
                    let more = if paths.len() > 3 {
                        format!(" and {} more", paths.len() - 3)
                    } else {
                        String::new()
                    };
                    format!("{word} {}{more}", shown.join(", "))
                });
            format!(
                "the skill `{name}` was edited since it was written: {}",
                parts.collect::<Vec<_>>().join("; ")
            )
        }
        State::Foreign(kind) => {
            format!("a {kind} that this tool did not write is in the place of the skill `{name}`")
        }
        State::Absent | State::Clean => format!("the skill `{name}` is in conflict"),
    };
    Diagnostic::error(CONFLICT, message)
        .in_file(name)
        .with_help(
            "it stays as it is; --force replaces it after a backup, --exclude passes it over",
        )
}

fn back_up(context: &Context<'_>, name: &str, outcome: &mut Outcome) -> Result<(), Refusal> {
    let copy = context
        .store
        .backup(name, &context.settings.backup)
        .map_err(|error| failed(&error))?;
    let message = format!(
        "what was in the place of the skill `{name}` is in {}",
        shown(&copy)
    );
    outcome.findings.push(Diagnostic::note(CONFLICT, message));
    Ok(())
}

fn write(
    context: &Context<'_>,
    name: &str,
    collected: &Collected,
    migration: &Migration,
    entry: LockedSkill,
) -> Result<(), StoreError> {
    let mut staging = context.store.stage(name)?;
    for file in &migration.generated {
        staging.write(&file.path, file.text.as_bytes(), false)?;
    }
    for copy in &migration.copies {
        match collected.bytes.get(&copy.from) {
            Some(bytes) => staging.write(&copy.to, bytes, copy.executable)?,
            None => {
                let expected = Digest::parse(&format!("sha256:{}", copy.sha256));
                staging.copy_from(
                    &collected.root,
                    &copy.from,
                    &copy.to,
                    copy.executable,
                    expected,
                )?;
            }
        }
    }
    context.store.commit(staging, entry)?;
    Ok(())
}

fn failed(error: &StoreError) -> Refusal {
    let mut message = error.to_string();
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        if !message.contains(&next.to_string()) {
            message = format!("{message}: {next}");
        }
        cause = next;
    }
    (
        Status::Failed,
        vec![Diagnostic::error(STORE_FAILED, message)],
    )
}

/// A skill whose plugin is gone.
pub(super) fn retire(
    context: &Context<'_>,
    name: &str,
    directory: &str,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::new(directory, Status::Stale);
    outcome.skill = Some(name.to_owned());
    let state = context.store.state(name)?;
    let is_ours = state == State::Clean;
    if state == State::Absent {
        outcome.status = Status::Removed;
        if context.settings.mode.writes() {
            context.store.forget(name)?;
        }
    } else if !context.settings.prune {
        let finding = Diagnostic::warning(
            STALE_SKILL,
            format!("the plugin of the skill `{name}` is gone"),
        );
        outcome
            .findings
            .push(finding.with_help("--prune removes such skills"));
    } else if is_ours || context.settings.force {
        outcome.status = Status::Removed;
        if context.settings.mode.writes() {
            if !is_ours {
                context.store.backup(name, &context.settings.backup)?;
            }
            context.store.remove(name)?;
        }
    } else {
        let refusal = (Status::Conflict, vec![conflict(name, &state)]);
        outcome = reject(outcome, refusal, None);
    }
    Ok(outcome)
}
