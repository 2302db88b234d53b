//! From a directory of skills to a package on the disk.

use std::path::Path;

use serde_json::Value;
use skill_diagnostics::{Diagnostic, Severity};
use skill_loader::catalog::{Bounds, Catalog, CatalogSettings, SkillRoots};
use skill_loader::fs::{ReadError, Root, resolve};
use skill_model::{Lock, SkillName, slug};

use crate::build::build;
use crate::change::Change;
use crate::error::PackError;
use crate::kept;
use crate::lock::{LOCK, PackageLock};
use crate::options::PackOptions;
use crate::select::{Selection, codes, is_runnable, select};
use crate::version::Version;
use crate::write;

/// The name of a package whose directory has no usable one.
const NAME: &str = "skills";
/// The maximum number of directories of skills.
const MAX_DIRECTORIES: usize = 200_000;
/// The maximum size of the `skills.lock` of a directory of skills, in bytes.
const MAX_LOCK: u64 = 256 << 20;
/// The largest manifest of a package that is read for its name, in bytes.
const MAX_MANIFEST: u64 = 1 << 20;

/// A package that was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Packed {
    /// The name.
    pub name: String,
    /// The version.
    pub version: Version,
    /// The version of the last package in the same directory.
    pub last_version: Option<String>,
    /// The names of the skills.
    pub skills: Vec<String>,
    /// The names of skills that cannot be run and were left out.
    pub not_runnable: Vec<String>,
    /// The names of skills that are packed and switched off, or cannot be run.
    pub unready: Vec<String>,
    /// The changes of skills since the last package.
    pub changes: Vec<Change>,
    /// The number of files of the package.
    pub n_files: usize,
    /// The number of skills that have archives.
    pub n_archives: usize,
    /// The number of files that were written or removed.
    pub n_written: usize,
    /// Findings about skills and files that were left out or need attention, sorted.
    pub findings: Vec<Diagnostic>,
}

impl Packed {
    /// Returns whether everything that was asked for is in the package.
    pub fn is_complete(&self) -> bool {
        !has_errors(&self.findings)
    }
}

/// Packs the skills of a directory. Nothing is written without a skill to pack, or if there are errors and
/// the package would lose a skill of the last one.
///
/// # Errors
///
/// The skills cannot be read, the options are not valid, files in `out` were edited by hand, or the disk
/// fails. A skill that cannot be packed is a finding.
pub fn pack(skills: &Path, out: &Path, options: &PackOptions) -> Result<Packed, PackError> {
    let [source, target] = [resolve(skills)?, resolve(out)?];
    if source.starts_with(&target) || target.starts_with(&source) {
        return Err(PackError::Inside);
    }
    options.check()?;
    let last = write::last(out)?;
    let last_name = last.as_ref().map(|last| last.package.name.as_str());
    let name = name(&source, last_name, options)?;
    let options = &match &last {
        Some(last) => kept::with_last(options, out, last)?,
        None => options.clone(),
    };
    let roots = SkillRoots {
        project: vec![skills.to_owned()],
        ..SkillRoots::default()
    };
    let catalog = Catalog::read(&CatalogSettings {
        roots: roots.resolve("SKILLS")?,
        bounds: Bounds::default().with_directories(MAX_DIRECTORIES),
        trusted: Vec::new(),
    });
    let lock = source_lock(&source)?;
    let mut selection = select(&catalog, lock.as_ref(), options);
    if let Some(last_name) = last_name.filter(|last| *last != name) {
        selection.findings.push(renamed(last_name, &name));
    }
    let kept = last.as_ref().and_then(|last| losses(last, &selection));
    if kept.is_some() || selection.skills.is_empty() {
        selection.findings.extend(kept);
        return nothing(name, last, selection);
    }
    let built = build(&name, &selection.skills, last.as_ref(), options)?;
    let n_written = write::write(out, last.as_ref(), &built.files)?;
    selection.findings.extend(built.findings);
    selection.findings.sort();
    let unready = selection.skills.iter();
    let unready = unready.filter(|(_, skill)| !is_runnable(skill.metadata.as_deref()));
    Ok(Packed {
        unready: unready.map(|(name, _)| name.clone()).collect(),
        name,
        version: built.version,
        last_version: last.map(|last| last.package.version),
        skills: selection.skills.into_keys().collect(),
        not_runnable: selection.not_runnable,
        changes: built.changes,
        n_files: built.files.len(),
        n_archives: built.n_archives,
        n_written,
        findings: selection.findings,
    })
}

/// Returns a finding if skills of the last package would be removed while there are errors: a skill that is
/// broken now is not one that its author gave up.
fn losses(last: &PackageLock, selection: &Selection) -> Option<Diagnostic> {
    let names = last.skills.keys();
    let gone = names.filter(|name| !selection.skills.contains_key(*name));
    let gone: Vec<String> = gone.map(|name| format!("`{name}`")).collect();
    if gone.is_empty() || !has_errors(&selection.findings) {
        return None;
    }
    let message = format!(
        "the last package is kept: because of errors, the next one would lose {}",
        gone.join(", ")
    );
    let finding = Diagnostic::error(codes::KEPT, message).in_file(LOCK);
    Some(
        finding
            .with_help("correct the errors; the skills that are gone on purpose are removed then"),
    )
}

fn has_errors(findings: &[Diagnostic]) -> bool {
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
    findings.iter().any(is_error)
}

/// Returns the result of a run that writes nothing.
fn nothing(
    name: String,
    last: Option<PackageLock>,
    mut selection: Selection,
) -> Result<Packed, PackError> {
    selection.findings.sort();
    let last_version = last.map(|last| last.package.version);
    let version = last_version.as_deref().map(str::parse).transpose()?;
    Ok(Packed {
        name,
        version: version.unwrap_or(Version::FIRST),
        last_version,
        skills: Vec::new(),
        not_runnable: selection.not_runnable,
        unready: Vec::new(),
        changes: Vec::new(),
        n_files: 0,
        n_archives: 0,
        n_written: 0,
        findings: selection.findings,
    })
}

/// Returns the name that was asked for, or that of the last package, or that of the package that the skills
/// are from, or that of their directory.
fn name(source: &Path, last: Option<&str>, options: &PackOptions) -> Result<String, PackError> {
    if let Some(name) = &options.name {
        return match SkillName::new(&**name) {
            Ok(name) => Ok(name.as_str().to_owned()),
            Err(_) => Err(PackError::Name(name.clone())),
        };
    }
    if let Some(last) = last {
        return Ok(last.to_owned());
    }
    if let Some(name) = name_of_source(source)? {
        return Ok(name);
    }
    let directory = source.file_name().unwrap_or_default().to_string_lossy();
    let name = slug(&directory).map(|name| name.as_str().to_owned());
    Ok(name.unwrap_or_else(|| NAME.to_owned()))
}

/// Returns the name of the package that a directory of skills is: one that was written here, or by others.
fn name_of_source(source: &Path) -> Result<Option<String>, PackError> {
    const MANIFESTS: [&str; 2] = ["plugin.json", ".claude-plugin/plugin.json"];
    let root = Root::open_following(source)?;
    let names = MANIFESTS.into_iter().filter_map(|manifest| {
        let bytes = root.read(manifest, MAX_MANIFEST).ok()?;
        let manifest: Value = serde_json::from_slice(&bytes).ok()?;
        SkillName::new(manifest.get("name")?.as_str()?).ok()
    });
    Ok(names.map(|name| name.as_str().to_owned()).next())
}

fn renamed(last: &str, name: &str) -> Diagnostic {
    let message = format!("the package was called `{last}` and is now called `{name}`");
    let finding = Diagnostic::warning(codes::RENAMED, message).in_file(LOCK);
    finding.with_help("hosts that have installed it take it for another package")
}

/// Returns the `skills.lock` of a directory of skills. One that another tool wrote says nothing here.
fn source_lock(source: &Path) -> Result<Option<Lock>, PackError> {
    match Root::open_following(source)?.read(LOCK, MAX_LOCK) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(err) => Err(err.into()),
    }
}
