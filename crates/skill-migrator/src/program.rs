//! The plan for a unit that is a program.

use std::{cmp::Reverse, collections::BTreeSet};

use plugin_model::UnitKind;
use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    code::{self, CodeFacts, Reachable},
    commands,
    draft::{self, Draft, fill},
    entry::{self, EntryReading},
    fate::Ledger,
    package::{copies, file_records, finding_records, generated},
    plan::{Migration, Options},
    plugin::{Plugin, Source},
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
    let language = draft::language(plugin, options);
    draft.add_commands(plugin, commands.entries, commands.findings, language);
    let copies = copies(plugin);
    let documents = draft.documents(
        plugin,
        &commands.originals,
        templates,
        (language, options.shell),
    )?;
    let frontmatter = draft.frontmatter(plugin, &mut ledger);
    let triggers = draft.triggers();
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
    // Tests are not passed on, so `files` of the sidecar does not name them.
    generated.files.extend(triggers);
    generated.files.sort();
    Ok(Migration {
        name: name.clone(),
        metadata: record,
        language: Some(language),
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

/// Returns the modules of the host that the code of a unit may load and of which nothing is known
/// yet, as paths in the host's directory. Extensions are as the code writes them.
pub fn wanted_modules(source: &Source<'_>) -> Vec<String> {
    let UnitKind::Program(program) = &source.unit.kind else {
        return Vec::new();
    };
    let plugin = Plugin::new(source, program);
    let code = read_code(&plugin, &entry::read(&plugin));
    code.wanted.into_iter().collect()
}

fn read_code(plugin: &Plugin<'_>, entry: &EntryReading) -> CodeFacts {
    let files = Reachable {
        directory: plugin.directory_name(),
        texts: plugin.texts,
        host: plugin.host,
    };
    let file = entry.file.as_deref();
    file.map(|file| code::read_code(file, files))
        .unwrap_or_default()
}
