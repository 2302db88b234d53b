//! The plan for a service.

use std::cmp::Reverse;

use skill_diagnostics::Diagnostic;
use skill_model::{Frontmatter, SkillName};

use crate::{
    codes::{COMMAND_TEXT, HIDDEN_CHARACTERS},
    description,
    fate::Ledger,
    markdown::{DefuseReport, fenced, inline, one_line, reveal},
    package::{Generated, file_records, finding_records},
    plan::{CopiedFile, Migration},
    render::Language,
};

use super::{
    Service, body, fates,
    groups::{groups, page},
    record, summary,
};

/// The code of the finding about other servers of a document, which a user of the skill may need.
const OTHER_SERVERS: &str = "other-servers";
/// The longest description that SKILL.md has itself, in characters.
const MAX_LEAD: usize = 600;

/// Plans a service.
pub(crate) fn plan(
    service: &Service<'_>,
    name: &SkillName,
    mut findings: Vec<Diagnostic>,
) -> Migration {
    let mut ledger = Ledger::new(&service.documents);
    fates::claim(service, &mut ledger);
    let mut seen = DefuseReport::default();
    let mut record = record::record(service, name.as_str());
    let groups = groups(service);
    let language = service.language();
    let mut generated = Generated {
        files: groups
            .iter()
            .map(|group| page(group, language, &mut seen))
            .collect(),
        body: String::new(),
    };
    add_documents(service, &mut generated, &mut seen);
    let notes = notes(&findings);
    let text = body::body(service, &groups, &notes, &mut seen);
    let frontmatter = frontmatter(service, name, language, &mut seen);
    let copies = copies(service);
    let (fates, extra) = ledger.settle();
    if let Some(legacy) = &mut record.legacy {
        legacy.extra = extra;
    }
    for file in &mut generated.files {
        if file.path.ends_with(".md") {
            file.text = reveal(std::mem::take(&mut file.text), &mut seen);
        }
    }
    let text = reveal(text, &mut seen);
    findings.extend(remarks(seen));
    record.files = file_records(&copies, &generated.files);
    findings.sort_by_cached_key(|it| (Reverse(it.severity), it.code, it.place.clone()));
    record.findings = finding_records(&findings);
    generated.push("SKILL.md", format!("{}\n{text}", frontmatter.emit_block()));
    generated.push("METADATA.yml", record.to_yaml());
    generated.files.sort();
    Migration {
        name: name.clone(),
        metadata: record,
        language: None,
        generated: generated.files,
        copies,
        fates,
        findings,
        blockers: Vec::new(),
    }
}

/// Adds the long description and the copies of the documents.
fn add_documents(service: &Service<'_>, res: &mut Generated, seen: &mut DefuseReport) {
    let description = reveal(service.api.description.clone(), seen);
    if one_line(&description).chars().count() > MAX_LEAD {
        let title = inline(&service.title());
        let text = format!("# {title}\n\n{}\n", fenced(&description, "text"));
        res.push("references/overview.md", text);
    }
    let copies = service.copies().unwrap_or_default();
    for (path, document) in copies.iter().zip(&service.documents) {
        if document.keys.is_empty() {
            res.push(path, document.text.to_owned());
        }
    }
}

/// Returns the findings that a user of the skill should know, as sentences.
fn notes(findings: &[Diagnostic]) -> Vec<String> {
    use skill_diagnostics::Severity;
    const MAX_NOTES: usize = 8;
    let mut res: Vec<String> = Vec::new();
    for finding in findings {
        if finding.severity == Severity::Note && finding.code.0 != OTHER_SERVERS {
            continue;
        }
        let text = match &finding.help {
            Some(help) => format!("{}; {help}.", finding.message),
            None => format!("{}.", finding.message),
        };
        if !res.contains(&text) && res.len() < MAX_NOTES {
            res.push(text);
        }
    }
    res
}

fn remarks(seen: DefuseReport) -> Vec<Diagnostic> {
    let mut res = Vec::new();
    if seen.hidden {
        let message = "the text contains invisible characters; they are written as \\u{…}";
        res.push(Diagnostic::warning(HIDDEN_CHARACTERS, message));
    }
    if seen.command {
        let message = "the text contains !`…`, which some agents run while they render a skill; a space was inserted to prevent that";
        res.push(Diagnostic::warning(COMMAND_TEXT, message));
    }
    res
}

fn frontmatter(
    service: &Service<'_>,
    name: &SkillName,
    language: Language,
    seen: &mut DefuseReport,
) -> Frontmatter {
    let licenses = service.licenses();
    let file = licenses.first().map(|(_, to)| format!("See {to}"));
    Frontmatter {
        name: name.to_string(),
        description: summary::description(service, language, seen),
        license: service.api.license.clone().or(file),
        compatibility: description::compatibility(None, &record::record(service, "").requires, &[]),
        metadata: Vec::new().into_iter().collect(),
        allowed_tools: None,
    }
}

fn copies(service: &Service<'_>) -> Vec<CopiedFile> {
    let licenses = service.licenses().into_iter();
    let mut res: Vec<CopiedFile> = licenses
        .map(|(file, to)| CopiedFile {
            to,
            from: file.path.clone(),
            executable: false,
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        })
        .collect();
    res.sort();
    res.dedup_by(|a, b| a.to == b.to);
    res
}
