//! The plan for a server.

use plugin_model::Server;
use skill_diagnostics::{Diagnostic, Severity};
use skill_model::{Frontmatter, SkillName};

use crate::{
    codes::{HOST_FEATURE, VALUE_NOT_CARRIED},
    description,
    fate::Ledger,
    finish::{Parts, finish},
    markdown::{DefuseReport, reveal},
    package::Generated,
    plan::{CopiedFile, Migration, Options},
    plugin::Source,
    switch,
    text::{always_loaded, is_license_file},
};

use super::{access, body, fates, files, record, summary, values, with_tools};

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
    let mut seen = DefuseReport::default();
    let texts = format!("{}{}", server.description, server.title);
    let language = options.language.language_of(&texts);
    let settings = access::settings(server, language);
    let record = record::record(source, server, &settings, name.as_str());
    let as_json = serde_json::to_value(&record).expect("a record is maps and strings");
    fates::claim(source, server, &as_json, &mut ledger);
    findings.extend(values::findings(server, &findings));
    findings.extend(files::findings(source, server));
    findings.extend(switch::finding(&record));
    let blockers: Vec<Diagnostic> = server
        .blockers
        .iter()
        .map(|why| {
            let finding = Diagnostic::error(HOST_FEATURE, why.clone());
            finding.in_file(&*server.file).at_pointer(&server.pointer)
        })
        .collect();
    findings.extend(blockers.iter().cloned());
    let copies = files::copies(source, server);
    // The table of settings has the findings about settings, and what a package has besides the server
    // is for the person who migrates it.
    let is_said =
        |it: &&Diagnostic| it.code != VALUE_NOT_CARRIED && !it.code.0.ends_with("-not-migrated");
    let notes = findings.iter().filter(|it| it.severity != Severity::Note);
    let notes = notes.filter(is_said);
    let notes: Vec<String> = notes
        .map(|it| format!("{}.", it.message))
        .take(MAX_NOTES)
        .collect();
    let attached = source.package.attached.iter();
    let loaded = attached.filter(|it| it.is_always_loaded);
    let loaded = loaded.map(|it| always_loaded(&it.to, language));
    let about = body::About {
        server,
        settings: &settings,
        first: &loaded.collect::<Vec<_>>(),
        notes: &notes,
    };
    let text = body::body(&about, &record, language, &mut seen);
    let text = reveal(text, &mut seen);
    let frontmatter = Frontmatter {
        name: name.to_string(),
        description: summary::description(&record, language, &mut seen),
        license: license(source, server, &copies),
        compatibility: description::compatibility(None, &record.requires, &[], language),
        metadata: Vec::new().into_iter().collect(),
        allowed_tools: None,
    };
    findings.extend(seen.findings());
    let skill = with_tools(&format!("{}\n{text}", frontmatter.emit_block()), &record);
    finish(
        name,
        Parts {
            record,
            skill,
            generated: Generated::default(),
            copies,
            settled: ledger.settle(),
            findings,
            blockers,
            language: None,
        },
    )
}

fn license(source: &Source<'_>, server: &Server, copies: &[CopiedFile]) -> Option<String> {
    let file = copies.iter().find(|it| is_license_file(&it.to));
    let of_package = source.package.identity.license.as_ref();
    server
        .license
        .clone()
        .or(of_package.map(|it| it.value.clone()))
        .or(file.map(|it| format!("See {}", it.to)))
}
