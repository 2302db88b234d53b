//! The plan for one plugin.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use skill_diagnostics::Diagnostic;
use skill_model::{Metadata, SkillName};

use crate::{
    Fate, Plugin, TemplateError, Templates,
    code::{self, CodeFacts},
    commands,
    draft::{Draft, fill},
    entry::{self, EntryReading},
    fate::Ledger,
    package::{copies, file_records, finding_records, generated},
    render::LanguageChoice,
};

/// The choices of a user.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Language of headings.
    pub language: LanguageChoice,
}

/// Everything to be written, and the fates of the manifest.
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
    /// Findings for the user: those that keep the skill from running, then errors, warnings, notes.
    pub findings: Vec<Diagnostic>,
    /// The findings that keep the skill from running.
    pub blockers: Vec<Diagnostic>,
}

/// A file with its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GeneratedFile {
    /// Path relative to the skill.
    pub path: String,
    /// The text.
    pub text: String,
}

/// A file that is copied byte for byte.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CopiedFile {
    /// Path relative to the skill.
    pub to: String,
    /// Path relative to the plugin.
    pub from: String,
    /// True if its owner may execute it.
    pub executable: bool,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 digest: 64 hex digits.
    pub sha256: String,
}

/// Plans the migration of one plugin.
///
/// `earlier` are findings of reading and naming, which also go into `METADATA.yml`.
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
    let mut draft = fill(plugin, name, entry, &code, &mut ledger, earlier);
    draft.add_commands(plugin, commands.entries, commands.findings);
    let copies = copies(plugin);
    let documents = draft.documents(plugin, &commands.originals, templates, options)?;
    let frontmatter = draft.frontmatter(plugin, &mut ledger);
    draft.remark();
    let (fates, extra) = ledger.settle();
    let Draft {
        mut record,
        mut findings,
        blockers,
        ..
    } = draft;
    if let Some(legacy) = &mut record.legacy {
        legacy.extra = extra;
    }
    let mut generated = generated(plugin, &record, documents);
    record.files = file_records(&copies, &generated.files);
    sort(&mut findings, &blockers);
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
        blockers,
    })
}

/// Sorts findings: first those that keep the skill from running, then errors, warnings and notes by
/// kind.
fn sort(findings: &mut [Diagnostic], blockers: &[Diagnostic]) {
    let blockers: BTreeSet<&Diagnostic> = blockers.iter().collect();
    findings.sort_by_cached_key(|finding| {
        let weight = (!blockers.contains(finding), Reverse(finding.severity));
        (weight, finding.code, finding.place.clone())
    });
}

fn read_code(plugin: &Plugin<'_>, entry: &EntryReading) -> CodeFacts {
    entry
        .file
        .as_deref()
        .map(|file| code::read_code(file, plugin.texts))
        .unwrap_or_default()
}
