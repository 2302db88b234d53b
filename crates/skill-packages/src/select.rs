//! The skills of a package: those of a directory that were asked for and may be passed on.

use std::collections::BTreeMap;
use std::sync::Arc;

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::catalog::{Catalog, CatalogSkill, codes as catalog_codes};
use skill_model::wildcard::matches;
use skill_model::{Lock, Metadata, RequirementCandidate, Unmet, choose, name_flaws};

use crate::files::{self, Content, secret};
use crate::options::PackOptions;

/// The maximum size of one file of a package, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// The instructions of a skill.
const MANIFEST: &str = "SKILL.md";
/// The description of its program.
const METADATA: &str = "METADATA.yml";

/// The findings of packing.
pub(crate) mod codes {
    use super::Code;

    pub(crate) const NAME: Code = Code("package-name");
    pub(crate) const SECRET: Code = Code("package-secret");
    pub(crate) const CONFLICT: Code = Code("package-conflict");
    pub(crate) const UNREADABLE: Code = Code("package-unreadable");
    pub(crate) const LEFT_OUT: Code = Code("package-left-out");
    pub(crate) const FILE_NAME: Code = Code("package-file-name");
    pub(crate) const RENAMED: Code = Code("package-renamed");
    pub(crate) const UPLOAD: Code = Code("package-upload");
    pub(crate) const ALONE: Code = Code("package-archive-alone");
    pub(crate) const BROUGHT: Code = Code("package-brought-along");
    pub(crate) const NEEDS: Code = Code("package-needs");
    pub(crate) const EMPTY: Code = Code("package-empty");
    pub(crate) const METADATA: Code = Code("package-metadata");
    pub(crate) const INSTRUCTIONS: Code = Code("package-instructions");
    pub(crate) const NO_MATCH: Code = Code("package-no-match");
    pub(crate) const KEPT: Code = Code("package-kept");
}

/// A skill of a package.
#[derive(Clone, Debug)]
pub(crate) struct PackedSkill {
    pub(crate) description: String,
    pub(crate) metadata: Option<Box<Metadata>>,
    pub(crate) files: BTreeMap<String, Content>,
}

/// The skills that were read, and what was left out.
#[derive(Default, Debug)]
pub(crate) struct Selection {
    pub(crate) skills: BTreeMap<String, PackedSkill>,
    /// The names of skills that cannot be run and were left out.
    pub(crate) not_runnable: Vec<String>,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Reads the skills of a catalog. `lock` is the `skills.lock` of the directory.
pub(crate) fn select(catalog: &Catalog, lock: Option<&Lock>, options: &PackOptions) -> Selection {
    let mut res = Selection::default();
    // A skill of the package with such a METADATA.yml is an error.
    let others = catalog.findings.iter();
    let others = others.filter(|it| it.code != catalog_codes::METADATA_UNUSABLE);
    res.findings.extend(others.cloned());
    let wanted = wanted(catalog, options, &mut res.findings);
    for (name, skill) in &wanted {
        if options.only_runnable && !is_runnable(skill.metadata.as_deref()) {
            res.not_runnable.push(name.clone());
            continue;
        }
        match read(name, skill, lock, &mut res.findings) {
            Ok(packed) => drop(res.skills.insert(name.clone(), packed)),
            Err(finding) => res.findings.push(*finding),
        }
    }
    leave_unmet(&mut res);
    if res.skills.is_empty() {
        res.findings.push(empty(options));
    }
    needs(&res.skills, &mut res.findings);
    res.findings.sort();
    res.findings.dedup();
    res
}

fn empty(options: &PackOptions) -> Diagnostic {
    let message = "found no skill to pack, expected at least one";
    let finding = Diagnostic::error(codes::EMPTY, message);
    match (options.only.is_empty(), options.only_runnable) {
        (true, false) => finding,
        (true, true) => finding.with_help("see --only-runnable"),
        (false, false) => finding.with_help("see --only"),
        (false, true) => finding.with_help("see --only and --only-runnable"),
    }
}

/// Returns the skills that were asked for, and those that they require, by their names in the package.
fn wanted(
    catalog: &Catalog,
    options: &PackOptions,
    findings: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Arc<CatalogSkill>> {
    for pattern in &options.only {
        let mut names = catalog.skills.values().map(|skill| &skill.name);
        if !names.any(|name| matches(pattern, name)) {
            let message = format!(
                "no skill matches `{}`, expected names of skills after --only",
                pattern.escape_debug()
            );
            findings.push(Diagnostic::error(codes::NO_MATCH, message));
        }
    }
    let is_wanted = |name: &str| options.only.iter().any(|pattern| matches(pattern, name));
    let asked = catalog.skills.values();
    let asked = asked.filter(|skill| options.only.is_empty() || is_wanted(&skill.name));
    let asked: Vec<_> = asked.collect();
    let own = |skill: &Arc<CatalogSkill>| (skill.name.clone(), skill.clone());
    let mut res: BTreeMap<_, _> = asked.iter().map(|skill| own(skill)).collect();
    for skill in asked {
        for required in catalog.required(skill).skills {
            let Some(first) = catalog.skills.get(&required.name) else {
                continue;
            };
            let is_first = first.place.location() == required.place.location();
            let name = if is_first {
                required.name.clone()
            } else {
                required.versioned_name()
            };
            if res.insert(name.clone(), required.clone()).is_none() {
                let message = format!("`{name}` is packed because `{}` builds on it", skill.name);
                let finding = Diagnostic::note(codes::BROUGHT, message);
                findings.push(finding.in_file(&*required.place.file));
            }
        }
    }
    res
}

/// Returns the name of a skill without a version.
fn bare(name: &str) -> &str {
    name.split_once('@').map_or(name, |(name, _)| name)
}

/// Returns the versions of the other skills that a skill requires, by name, among those of the package.
pub(crate) fn resolved(
    name: &str,
    skill: &PackedSkill,
    skills: &BTreeMap<String, PackedSkill>,
) -> BTreeMap<String, String> {
    let known = candidates(skills);
    let metadata = skill.metadata.as_deref();
    let texts = metadata.map_or(&[][..], |metadata| &metadata.requires.skills);
    let own = skills.keys().position(|other| other == name);
    let found = texts.iter().filter_map(|text| choose(text, &known).ok());
    let found = found.filter(|at| Some(*at) != own);
    let found = found.map(|at| (known[at].name.to_owned(), known[at].version.to_owned()));
    found.collect()
}

fn candidates(skills: &BTreeMap<String, PackedSkill>) -> Vec<RequirementCandidate<'_>> {
    let known = skills.iter().map(|(name, skill)| {
        let metadata = skill.metadata.as_deref();
        let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
        RequirementCandidate {
            name: bare(name),
            version: metadata.map_or("", |metadata| &metadata.version),
            plugin: legacy.map(|legacy| legacy.directory.as_str()),
            requires: &[],
        }
    });
    known.collect()
}

/// Returns whether a skill works where its requirements are met. One without a program needs nothing
/// that runs it.
pub(crate) fn is_runnable(metadata: Option<&Metadata>) -> bool {
    metadata.is_none_or(|metadata| metadata.enabled && metadata.runnable)
}

fn read(
    name: &str,
    skill: &CatalogSkill,
    lock: Option<&Lock>,
    findings: &mut Vec<Diagnostic>,
) -> Result<PackedSkill, Box<Diagnostic>> {
    let fail = |code, message: String| {
        let message = format!(
            "the skill `{}` is not packed: {message}",
            name.escape_debug()
        );
        Box::new(Diagnostic::error(code, message).in_file(&*skill.place.file))
    };
    if let Some(flaw) = name_flaws(&skill.name).first() {
        return Err(fail(codes::NAME, flaw.to_string()));
    }
    let locked = lock.and_then(|lock| lock.skills.get(name));
    if locked.is_some_and(|locked| !locked.conflicts.is_empty()) {
        let finding = fail(codes::CONFLICT, "it is in conflict".to_owned());
        return Err(Box::new(finding.with_help(
            "decide the conflict in its files, then run skills-migrate again",
        )));
    }
    let manifest = match skill.place.dir {
        Some(_) => skill.place.file.rsplit('/').next().unwrap_or_default(),
        None => MANIFEST,
    };
    if let Some(flaw) = &skill.metadata_flaw {
        let message = format!("its METADATA.yml cannot be used: {}", flaw.message);
        let mut finding = fail(codes::METADATA, message);
        finding.place.file = Some(skill.place.file.replace(manifest, METADATA));
        finding.place.span.clone_from(&flaw.place.span);
        return Err(finding);
    }
    let unreadable = |err: &dyn std::error::Error| fail(codes::UNREADABLE, with_source(err));
    let mut listed = files::list(skill).map_err(|err| unreadable(&err))?;
    for (path, why) in &listed.unusual {
        if path == manifest || path == METADATA {
            let message = format!("it needs `{path}`, which {why}");
            let finding = fail(codes::INSTRUCTIONS, message);
            return Err(Box::new(finding.with_help("replace it with a copy")));
        }
        findings.push(unusual(name, path, why).in_file(&*skill.place.file));
    }
    let mut contents = BTreeMap::new();
    for (path, flaw) in files::take_unportable(&mut listed.files) {
        findings.push(unportable(name, &path, &flaw).in_file(&*skill.place.file));
    }
    for file in listed.files {
        if files::is_private_inside(skill, &file.path) {
            let finding = unusual(name, &file.path, "is private by its content");
            findings.push(finding.in_file(&*skill.place.file));
            continue;
        }
        let bytes = files::read(skill, &file.path, MAX_FILE).map_err(|err| unreadable(&err))?;
        if let Some(hit) = secret(&bytes) {
            let before = bytes.iter().take(hit.range.start);
            let line = 1 + before.filter(|byte| **byte == b'\n').count();
            let path = file.path.escape_debug();
            let message = format!("`{path}` contains {}, in line {line}", hit.kind);
            let help =
                "revoke it, then read it from the environment; write an example as `YOUR_KEY`";
            return Err(Box::new(fail(codes::SECRET, message).with_help(help)));
        }
        let executable = file.executable;
        contents.insert(file.path, Content { bytes, executable });
    }
    if !contents.contains_key(manifest) {
        let message = format!("`{manifest}` is not among the files that can be packed");
        return Err(fail(codes::INSTRUCTIONS, message));
    }
    if !listed.withheld.is_empty() {
        findings.push(left_out(name, &listed.withheld).in_file(&*skill.place.file));
    }
    Ok(PackedSkill {
        description: skill.description.clone(),
        metadata: skill.metadata.clone(),
        files: contents,
    })
}

fn with_source(err: &dyn std::error::Error) -> String {
    match err.source() {
        Some(source) => format!("{err}: {source}"),
        None => err.to_string(),
    }
}

fn left_out(name: &str, withheld: &[String]) -> Diagnostic {
    let named = withheld.iter();
    let named: Vec<String> = named
        .map(|path| format!("`{}`", path.escape_debug()))
        .collect();
    let message = format!("left out of `{name}`: {}", named.join(", "));
    Diagnostic::note(codes::LEFT_OUT, message).with_help("private and hidden files are not packed")
}

fn unusual(name: &str, path: &str, why: &str) -> Diagnostic {
    let message = format!("left out of `{name}`: `{}` {why}", path.escape_debug());
    Diagnostic::warning(codes::LEFT_OUT, message)
}

fn unportable(name: &str, path: &str, flaw: &str) -> Diagnostic {
    let message = format!("left out of `{name}`: `{}` {flaw}", path.escape_debug());
    let finding = Diagnostic::warning(codes::FILE_NAME, message);
    finding.with_help("rename it, also where the skill mentions it")
}

/// Leaves out the skills that require a range of versions which the package does not have, and then those
/// that require them: they would be refused where they are used.
fn leave_unmet(selection: &mut Selection) {
    loop {
        let known = candidates(&selection.skills);
        let unmet = selection.skills.iter().find_map(|(name, skill)| {
            let requires = &skill.metadata.as_ref()?.requires.skills;
            let mut ranges = requires.iter().filter(|text| text.contains('@'));
            let unmet = ranges.find_map(|text| choose(text, &known).err())?;
            Some((name.clone(), unmet.to_string()))
        });
        let Some((name, why)) = unmet else { return };
        let message = format!("the skill `{name}` is not packed: {why}");
        let finding = Diagnostic::error(codes::NEEDS, message);
        let mut finding = finding.in_file(format!("{name}/METADATA.yml"));
        if !selection.not_runnable.is_empty() {
            let names = selection.not_runnable.join("`, `");
            finding = finding.with_help(format!("left out by --only-runnable: `{names}`"));
        }
        let packed = format!("`{name}` ");
        let is_wrong =
            |it: &Diagnostic| it.code == codes::BROUGHT && it.message.starts_with(&packed);
        selection.findings.retain(|it| !is_wrong(it));
        selection.findings.push(finding);
        selection.skills.remove(&name);
    }
}

/// Reports skills that others need and that are not in the package, without which a program may do.
fn needs(skills: &BTreeMap<String, PackedSkill>, findings: &mut Vec<Diagnostic>) {
    let known = candidates(skills);
    for (name, skill) in skills {
        let Some(metadata) = &skill.metadata else {
            continue;
        };
        for needed in metadata.requires.skills.iter().chain(&metadata.fallback) {
            let finding = match choose(needed, &known) {
                Ok(_) => continue,
                Err(Unmet::Missing(missing)) => {
                    let message =
                        format!("`{name}` uses the skill `{missing}`, which is not in the package");
                    let finding = Diagnostic::warning(codes::NEEDS, message);
                    finding.with_help(
                        "without it, a part may not work; a part of a host is packed after `skills-migrate … --hosted keep`",
                    )
                }
                Err(unmet) => {
                    let message = format!("`{name}` cannot be used with this package: {unmet}");
                    Diagnostic::warning(codes::NEEDS, message)
                }
            };
            findings.push(finding.in_file(format!("{name}/METADATA.yml")));
        }
    }
}
