//! The plan for a server.

use std::cmp::Reverse;

use plugin_model::Server;
use skill_diagnostics::{Diagnostic, Severity};
use skill_model::{Frontmatter, SkillName};

use crate::{
    codes::{HIDDEN_CHARACTERS, HOST_FEATURE},
    description,
    fate::Ledger,
    markdown::{DefuseReport, reveal},
    package::{Generated, file_records, finding_records},
    plan::{CopiedFile, Migration, Options},
    plugin::Source,
    text::is_license_file,
};

use super::{body, fates, record, with_tools};

/// The directory of the programs of a bundle.
const SCRIPTS: &str = "scripts";
/// The most findings that SKILL.md has.
const MAX_NOTES: usize = 8;

/// Plans a server.
pub(crate) fn plan(
    source: &Source<'_>,
    server: &Server,
    name: &SkillName,
    options: Options,
    mut findings: Vec<Diagnostic>,
) -> Migration {
    let documents = source.package.documents.iter();
    let own: Vec<_> = documents
        .filter(|it| it.file == server.file)
        .cloned()
        .collect();
    let mut ledger = Ledger::new(&own);
    fates::claim(source, server, &mut ledger);
    let mut seen = DefuseReport::default();
    let mut record = record::record(source, server, name.as_str());
    let blockers: Vec<Diagnostic> = server
        .blockers
        .iter()
        .map(|why| {
            let finding = Diagnostic::error(HOST_FEATURE, why.clone());
            finding.in_file(&*server.file).at_pointer(&server.pointer)
        })
        .collect();
    findings.extend(blockers.iter().cloned());
    let copies = copies(source, server);
    let (fates, extra) = ledger.settle();
    if let Some(legacy) = &mut record.legacy {
        legacy.extra = extra;
    }
    let texts = format!("{}{}", server.description, server.title);
    let language = options.language.language_of(&texts);
    let notes = findings.iter().filter(|it| it.severity != Severity::Note);
    let notes: Vec<String> = notes
        .map(|it| format!("{}.", it.message))
        .take(MAX_NOTES)
        .collect();
    let text = body::body(server, &record, &notes, language, &mut seen);
    let text = reveal(text, &mut seen);
    let frontmatter = Frontmatter {
        name: name.to_string(),
        description: body::description(server, language, &mut seen),
        license: license(server, &copies),
        compatibility: description::compatibility(None, &record.requires, &[]),
        metadata: Vec::new().into_iter().collect(),
        allowed_tools: None,
    };
    if seen.hidden {
        let message = "the text contains invisible characters; they are written as \\u{…}";
        findings.push(Diagnostic::warning(HIDDEN_CHARACTERS, message));
    }
    let mut generated = Generated {
        files: Vec::new(),
        body: String::new(),
    };
    record.files = file_records(&copies, &generated.files);
    findings.sort_by_cached_key(|it| (Reverse(it.severity), it.code, it.place.clone()));
    record.findings = finding_records(&findings);
    let skill = with_tools(&format!("{}\n{text}", frontmatter.emit_block()), &record);
    generated.push("SKILL.md", skill);
    generated.push("METADATA.yml", record.to_yaml());
    generated.files.sort();
    Migration {
        name: name.clone(),
        metadata: record,
        generated: generated.files,
        copies,
        fates,
        findings,
        blockers,
        language: None,
    }
}

fn license(server: &Server, copies: &[CopiedFile]) -> Option<String> {
    let file = copies.iter().find(|it| is_license_file(&it.to));
    server
        .license
        .clone()
        .or(file.map(|it| format!("See {}", it.to)))
}

/// Returns the files of the server, and the licenses.
fn copies(source: &Source<'_>, server: &Server) -> Vec<CopiedFile> {
    let files = source.package.sources.files.iter();
    let copies = files.filter_map(|file| {
        let is_license = is_license_file(file.path.trim_start_matches("../"));
        let to = if is_license {
            file.path.trim_start_matches("../").to_owned()
        } else if server.has_files && file.path != *server.file && !file.path.starts_with("../") {
            format!("{SCRIPTS}/{}", file.path)
        } else {
            return None;
        };
        Some(CopiedFile {
            to,
            from: file.path.clone(),
            executable: file.executable,
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        })
    });
    let mut res: Vec<CopiedFile> = copies.collect();
    res.sort();
    res.dedup_by(|a, b| a.to == b.to);
    res
}
