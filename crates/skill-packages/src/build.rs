//! The files of a package, from the skills and the last package.

use std::collections::BTreeMap;

use skill_diagnostics::Diagnostic;
use skill_model::{Digest, skill_file};

use crate::archive::zip;
use crate::change::{Change, changes};
use crate::error::PackError;
use crate::files::Content;
use crate::impact::Impact;
use crate::lock::{LOCK, LockedInterface, PackageLock, is_other_version, skill_directory};
use crate::manifests::{About, described, manifests};
use crate::options::PackOptions;
use crate::readme::readme;
use crate::select::{PackedSkill, codes, resolved};
use crate::upload::upload_flaws;
use crate::version::Version;

/// A package that is not written yet.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) version: Version,
    pub(crate) changes: Vec<Change>,
    /// Every file by its path, `skills.lock` included.
    pub(crate) files: BTreeMap<String, Content>,
    pub(crate) n_archives: usize,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Builds a package. Its version follows from the changes since the last one, unless it is given.
///
/// # Errors
///
/// The given version is not later than that of the last package.
pub(crate) fn build(
    name: &str,
    skills: &BTreeMap<String, PackedSkill>,
    last: Option<&PackageLock>,
    options: &PackOptions,
) -> Result<Built, PackError> {
    let mut findings = Vec::new();
    let mut content = contents(skills);
    let mut n_archives = 0;
    if options.archives {
        n_archives = archives(skills, &mut content, &mut findings);
    }
    let with_version = |version: Version| {
        let mut files = content.clone();
        let version = version.to_string();
        manifest_files(name, &version, skills, options, &mut files);
        let digests = files.iter().map(|(path, content)| {
            let digest = Digest::from_content(&content.bytes).to_string();
            (path.clone(), digest)
        });
        let interfaces = skills.iter().map(|(name, skill)| {
            let mut interface = LockedInterface::new(skill.metadata.as_deref());
            interface.requires = resolved(name, skill, skills);
            (name.clone(), interface)
        });
        let lock = PackageLock::new(name, version, interfaces.collect(), digests.collect());
        (files, lock)
    };
    let known = last.map(|last| last.package.version.parse()).transpose()?;
    let (mut version, mut since) = (known.unwrap_or(Version::FIRST), Vec::new());
    let (mut files, mut lock) = with_version(version);
    let mut is_changed = false;
    if let Some(last) = last {
        let same = lock.with_known(last);
        since = changes(last, &same);
        is_changed = last != &same;
    }
    let next = match options.version {
        Some(given) if last.is_some() && given < version || is_changed && given <= version => {
            return Err(PackError::OldVersion { given, version });
        }
        Some(given) => given,
        None if is_changed => {
            let impact = since.iter().map(|change| change.impact).max();
            version.after(impact.unwrap_or(Impact::Patch))
        }
        None => version,
    };
    if next != version {
        version = next;
        (files, lock) = with_version(version);
    }
    files.insert(LOCK.to_owned(), plain(lock.to_text()));
    Ok(Built {
        version,
        changes: since,
        files,
        n_archives,
        findings,
    })
}

fn contents(skills: &BTreeMap<String, PackedSkill>) -> BTreeMap<String, Content> {
    let mut res = BTreeMap::new();
    for (name, skill) in skills {
        let directory = skill_directory(name);
        for (path, content) in &skill.files {
            let path = if path == skill_file(false) {
                skill_file(is_other_version(name))
            } else {
                path
            };
            res.insert(format!("skills/{directory}/{path}"), content.clone());
        }
    }
    res
}

/// Returns the skills that agents are offered.
fn offered(
    skills: &BTreeMap<String, PackedSkill>,
) -> impl Iterator<Item = (&String, &PackedSkill)> {
    skills.iter().filter(|(name, _)| !is_other_version(name))
}

/// Adds an archive of each skill that the APIs accept, under both names that are in use. Returns the
/// number of these skills.
fn archives(
    skills: &BTreeMap<String, PackedSkill>,
    files: &mut BTreeMap<String, Content>,
    findings: &mut Vec<Diagnostic>,
) -> usize {
    let mut n_archives = 0;
    for (name, skill) in offered(skills) {
        let archive = zip(&skill.files, &format!("{name}/")).unwrap_or_default();
        let mut flaws = upload_flaws(name, &skill.description, &skill.files, archive.len());
        if archive.is_empty() {
            flaws.push("more than a zip archive can have".to_owned());
        }
        if !flaws.is_empty() {
            let message = format!("no archive of `{name}`: {}", flaws.join("; "));
            let finding = Diagnostic::warning(codes::UPLOAD, message);
            findings.push(
                finding
                    .in_file(format!("{name}/SKILL.md"))
                    .with_help("the skill is in the package all the same"),
            );
            continue;
        }
        n_archives += 1;
        let required = resolved(name, skill, skills);
        if !required.is_empty() {
            findings.push(alone(name, &required));
        }
        for ending in ["zip", "skill"] {
            let content = Content {
                bytes: archive.clone(),
                executable: false,
            };
            files.insert(format!("archives/{name}.{ending}"), content);
        }
    }
    n_archives
}

/// Reports an archive whose skill builds on others, which are not in it.
fn alone(name: &str, required: &BTreeMap<String, String>) -> Diagnostic {
    let required = required.iter();
    let required =
        required.map(|(name, version)| format!("`{}`", [&**name, version].join(" ").trim()));
    let required: Vec<String> = required.collect();
    let message = format!(
        "the archive of `{name}` does not contain what the skill builds on: {}",
        required.join(", ")
    );
    let finding =
        Diagnostic::warning(codes::ALONE, message).in_file(format!("{name}/METADATA.yml"));
    finding.with_help("upload the archives of those too, or install the whole package")
}

/// Adds the manifests and the README.
fn manifest_files(
    name: &str,
    version: &str,
    skills: &BTreeMap<String, PackedSkill>,
    options: &PackOptions,
    files: &mut BTreeMap<String, Content>,
) {
    let description = match &options.description {
        Some(description) => description.clone(),
        None => described(&offered(skills).map(|it| it.0.as_str()).collect::<Vec<_>>()),
    };
    let about = About {
        name,
        version,
        description: &description,
        author: options.author.as_deref(),
        license: options.license.as_deref(),
        server: options.server,
    };
    for (path, text) in manifests(&about) {
        files.insert(path.to_owned(), plain(text));
    }
    files.insert("README.md".to_owned(), plain(readme(&about, skills)));
}

fn plain(text: String) -> Content {
    Content {
        bytes: text.into_bytes(),
        executable: false,
    }
}
