//! The plan for a unit that is a program.

use std::{cmp::Reverse, collections::BTreeSet};

use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    code::{self, CodeFacts},
    commands,
    draft::{Draft, fill},
    entry::{self, EntryReading},
    fate::Ledger,
    package::{copies, file_records, finding_records, generated},
    plan::{Migration, Options},
    plugin::Plugin,
    render::{TemplateError, Templates},
};

/// Plans the migration of a program.
pub(crate) fn plan(
    plugin: &Plugin<'_>,
    name: &SkillName,
    earlier: Vec<Diagnostic>,
    templates: &Templates,
    options: Options,
) -> Result<Migration, TemplateError> {
    let mut ledger = Ledger::new(&plugin.package.documents);
    let entry = entry::read(plugin);
    let code = read_code(plugin, &entry);
    let commands = commands::read(plugin, &code, &mut ledger);
    let mut draft = fill(plugin, name, entry, &code, &mut ledger, earlier);
    draft.add_commands(plugin, commands.entries, commands.findings);
    let copies = copies(plugin);
    let documents = draft.documents(plugin, &commands.originals, templates, options)?;
    let frontmatter = draft.frontmatter(plugin, &mut ledger);
    draft.remark();
    let (mut fates, extra) = ledger.settle();
    commands::name_texts(&mut fates, documents.commands.is_some());
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
