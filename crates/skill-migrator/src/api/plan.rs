//! The plan for a service.

use skill_diagnostics::Diagnostic;
use skill_model::{Frontmatter, SkillName};

use crate::{
    description,
    fate::Ledger,
    finish::{Parts, finish},
    markdown::{DefuseReport, fenced, inline, one_line, reveal},
    package::Generated,
    plan::Migration,
    text::license_copies,
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
    let record = record::record(service, name.as_str());
    let groups = groups(service);
    let language = service.language();
    let mut generated = Generated {
        files: groups
            .iter()
            .map(|group| page(group, language, &mut seen))
            .collect(),
    };
    add_documents(service, &mut generated, &mut seen);
    let notes = notes(&findings);
    let text = body::body(service, &groups, &notes, &mut seen);
    let copies = license_copies(service.source.package.sources.files);
    let file = copies.first().map(|it| it.to.as_str());
    let frontmatter = frontmatter(service, name, file, &mut seen);
    for file in &mut generated.files {
        if file.path.ends_with(".md") {
            file.text = reveal(std::mem::take(&mut file.text), &mut seen);
        }
    }
    let text = reveal(text, &mut seen);
    findings.extend(seen.findings());
    finish(
        name,
        Parts {
            record,
            skill: format!("{}\n{text}", frontmatter.emit_block()),
            generated,
            copies,
            settled: ledger.settle(),
            findings,
            blockers: Vec::new(),
            language: None,
        },
    )
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

fn frontmatter(
    service: &Service<'_>,
    name: &SkillName,
    license: Option<&str>,
    seen: &mut DefuseReport,
) -> Frontmatter {
    let file = license.map(|file| format!("See {file}"));
    Frontmatter {
        name: name.to_string(),
        description: summary::description(service, service.language(), seen),
        license: service.api.license.clone().or(file),
        compatibility: description::compatibility(
            None,
            &record::record(service, "").requires,
            &[],
            service.language(),
        ),
        metadata: Vec::new().into_iter().collect(),
        allowed_tools: None,
    }
}
