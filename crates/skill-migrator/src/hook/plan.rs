//! The plan for a hook.

use plugin_model::{Document, Hook, Moment, Place, UnitKind, escape_pointer};
use skill_diagnostics::Diagnostic;
use skill_model::{Frontmatter, SkillName};

use crate::{
    description,
    fate::{Ledger, METADATA},
    finish::{Parts, finish},
    markdown::{DefuseReport, reveal},
    package::Generated,
    plan::{Migration, Options},
    plugin::Source,
    switch,
    text::{license_copies, no_license},
};

use super::{
    body,
    files::{MODULE, TEXT},
    record,
};

/// Adds the text to the last message of a user.
const ADD_CONTEXT: &str = include_str!("../../templates/add-context.cjs");

/// Plans a hook.
pub(crate) fn plan(
    source: &Source<'_>,
    hook: &Hook,
    name: &SkillName,
    options: Options,
    mut findings: Vec<Diagnostic>,
) -> Migration {
    let documents = documents(source);
    let mut ledger = Ledger::new(&documents);
    if let Some((place, _)) = about(&documents) {
        ledger.moved(&place, &format!("{METADATA}/description"), true, "as text");
    }
    claim(source, hook, &mut ledger);
    let described = about(&documents).map(|(_, text)| text);
    let record = record::record(source, hook, name.as_str(), described);
    let copies = license_copies(source.package.sources.files);
    let mut seen = DefuseReport::default();
    let language = options.language.language_of(&hook.text);
    let identity = &source.package.identity;
    let license = identity.license.as_ref().map(|it| it.value.clone());
    let file = copies.first();
    let frontmatter = Frontmatter {
        name: name.to_string(),
        description: body::description(hook, &identity.name.value, described, language, &mut seen),
        license: license.or(file.map(|it| format!("See {}", it.to))),
        compatibility: description::compatibility(None, &record.requires, &[], language),
        metadata: Vec::new().into_iter().collect(),
        allowed_tools: None,
    };
    if frontmatter.license.is_none() {
        findings.push(no_license());
    }
    let text = reveal(
        body::body(hook, name.as_str(), language, &mut seen),
        &mut seen,
    );
    findings.extend(seen.findings());
    findings.extend(switch::finding(&record));
    let mut generated = Generated::default();
    generated.push(TEXT, format!("{}\n", hook.text));
    if hook.moment == Moment::Message {
        generated.push(MODULE, ADD_CONTEXT.to_owned());
    }
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

/// Returns the documents of the package, and the one that declares the hook.
fn documents<'a>(source: &Source<'a>) -> Vec<Document<'a>> {
    let own = source.package.own_documents().into_iter();
    let own = own.filter(|it| it.file != source.unit.file);
    let declares = source.package.document(&source.unit.file);
    own.chain(declares).cloned().collect()
}

/// Returns the description of the package, or that of its hooks, with its place.
fn about<'d>(documents: &'d [Document<'_>]) -> Option<(Place, &'d str)> {
    documents.iter().find_map(|document| {
        let text = document.root.get("description")?.as_str()?;
        let place = Place::new(&document.file, "/description");
        (!text.trim().is_empty()).then_some((place, text))
    })
}

/// Gives the leaves of the documents their fates; the rest is kept.
fn claim(source: &Source<'_>, hook: &Hook, ledger: &mut Ledger<'_>) {
    let file = &source.unit.file;
    let at = |pointer: &str| Place::new(file, format!("{}{pointer}", hook.pointer));
    let to = |pointer: &str| format!("{METADATA}{pointer}");
    ledger.transformed(&at("/command"), TEXT, "as the text that it prints");
    ledger.transformed(&at("/type"), &to("/type"), "as the executor");
    if let Some((group, _)) = hook.pointer.rsplit_once("/hooks/") {
        let matcher = Place::new(file, format!("{group}/matcher"));
        ledger.transformed(&matcher, "SKILL.md", "in the sentence on the event");
    }
    for other in &source.package.units {
        if let UnitKind::Hook(it) = &other.kind
            && other.file == *file
            && it.pointer != hook.pointer
        {
            let place = Place::new(file, &it.pointer);
            ledger.dropped(&place, "it is another hook, which has a skill of its own");
        }
    }
    let declares = source.package.document(file);
    let manifest_file = source.package.sources.manifest_file;
    let is_settings =
        declares.is_some_and(|it| *it.file != *manifest_file && it.root.get("hooks").is_some());
    for member in declares.map_or(&[][..], |it| it.root.members()) {
        if is_settings && !matches!(member.key.as_str(), "hooks" | "description" | "version") {
            let place = Place::new(file, format!("/{}", escape_pointer(&member.key)));
            ledger.dropped(&place, "it is another setting of the old host");
        }
    }
    let identity = &source.package.identity;
    let texts = [
        (&identity.version, "/version"),
        (&identity.author, "/author"),
        (&identity.domain, "/domain"),
    ];
    for (field, pointer) in texts {
        if let Some(field) = field {
            ledger.moved(&field.place, &to(pointer), field.exact, "as text");
        }
    }
    if let Some(license) = &identity.license {
        ledger.moved(&license.place, "SKILL.md#license", license.exact, "as text");
    }
    for (n, tag) in identity.tags.iter().enumerate() {
        ledger.moved(&tag.place, &to(&format!("/tags/{n}")), tag.exact, "as text");
    }
    let name = &identity.name.place;
    ledger.transformed(name, &to("/name"), "before the name of the event");
}
