//! A skill that can be run: its directory and its metadata.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use skill_diagnostics::{Diagnostic, Severity};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::contents;
use skill_loader::fs::{Root, check_relative, resolve};
use skill_loader::load::SkillPlace;
use skill_model::{Metadata, decode, metadata_codes, missing_program, read_metadata};

use crate::envelope::{ErrorCode, Failure, Warning};

/// Largest `METADATA.yml` or legacy manifest, in bytes.
pub(crate) const MAX_METADATA: u64 = 4 << 20;
/// The path at which the migrator keeps the original manifest.
const LEGACY_MANIFEST: &str = "references/legacy-manifest.json";

/// One skill, ready to be called. The skill's own files are never written to.
#[derive(Clone, Debug)]
pub struct SkillPackage {
    /// Absolute path without links.
    pub dir: PathBuf,
    /// The directory, held open.
    pub root: Arc<Root>,
    /// The name of its place in the state, if it is not that of the directory.
    pub place: Option<String>,
    /// `METADATA.yml`.
    pub metadata: Metadata,
    /// The parts of `METADATA.yml` that were not understood.
    pub findings: Vec<Diagnostic>,
    /// The legacy manifest, if it was kept and is JSON.
    pub manifest: Option<Value>,
    /// The directory of the skills that are its neighbours, if that is not the one that it is in: it stands for
    /// a skill of it.
    pub tree: Option<PathBuf>,
    /// The names and the directories of everything that it builds on, as its catalog resolved them. If
    /// absent, it was read alone, and the skills beside it count.
    pub required: Option<Vec<(String, PathBuf)>>,
}

impl SkillPackage {
    /// Reads the skill in `dir`.
    ///
    /// # Errors
    ///
    /// The directory or its METADATA.yml cannot be read.
    pub fn read(dir: &Path) -> Result<Self, Failure> {
        let dir = resolve(dir).map_err(|error| match error.source.kind() {
            ErrorKind::NotFound => {
                let message = format!(
                    "there is no directory {}, expected that of a skill",
                    dir.display()
                );
                Failure::new(ErrorCode::NotFound, message)
            }
            _ => Failure::io(&error),
        })?;
        let root = Root::open_real(&dir).map_err(|error| {
            let message = format!("there is no skill in {}: {error}", dir.display());
            Failure::new(ErrorCode::NotFound, message)
        })?;
        let metadata = read_file(&root, "METADATA.yml").ok_or_else(|| {
            let message = format!("{} has no METADATA.yml that can be read", dir.display());
            Failure::new(ErrorCode::NotRunnable, message)
        })?;
        let (metadata, findings) = read_metadata(&metadata);
        let mut metadata = metadata.ok_or_else(|| {
            let why = findings
                .first()
                .map_or_else(String::new, |finding| finding.message.clone());
            Failure::new(
                ErrorCode::NotRunnable,
                format!(
                    "{}/METADATA.yml cannot be read: {why}; skills-validate shows where",
                    dir.display()
                ),
            )
        })?;
        if metadata.name.is_empty() {
            // The name of a skill is that of its directory (agentskills.io, `name`).
            let name = dir.file_name().map(|name| name.to_string_lossy());
            metadata.name = name.unwrap_or_default().into_owned();
        }
        let manifest = read_file(&root, LEGACY_MANIFEST);
        let manifest = manifest.and_then(|text| crate::json::parse(&text).ok());
        Ok(Self {
            dir,
            root: Arc::new(root),
            place: None,
            metadata,
            findings,
            manifest,
            tree: None,
            required: None,
        })
    }

    /// Reads a skill of a catalog, where its requirements are resolved.
    ///
    /// # Errors
    ///
    /// Its METADATA.yml cannot be read.
    pub fn from_catalog(catalog: &Catalog, skill: &CatalogSkill) -> Result<Self, Failure> {
        Ok(Self {
            required: Some(catalog.required_places(skill)),
            ..Self::from_place(&skill.place)?
        })
    }

    /// Reads a skill of a catalog alone, for what its own files say.
    ///
    /// # Errors
    ///
    /// Its METADATA.yml cannot be read.
    pub fn from_place(place: &SkillPlace) -> Result<Self, Failure> {
        let Some(dir) = &place.dir else {
            let message = "a skill that is a single file has no program";
            return Err(Failure::new(ErrorCode::NotRunnable, message));
        };
        Self::read(&place.root.path().join(dir))
    }

    /// Returns the manifest that the plugin had as the text that its author wrote, if that was kept: the copy
    /// in a skill, or the file of a plugin. Programs name its lines.
    pub(crate) fn manifest_text(&self) -> Option<String> {
        let places = [LEGACY_MANIFEST, plugin_manifest::MANIFEST_FILE];
        let mut texts = places.iter().filter_map(|path| read_file(&self.root, path));
        texts.find(|text| crate::json::parse(text).ok() == self.manifest)
    }

    /// Returns a digest of the whole skill, 64 hex digits: names, bytes and executable bits of all
    /// files, directories, and link targets.
    ///
    /// # Errors
    ///
    /// The skill cannot be read completely.
    pub fn digest(&self) -> Result<String, Failure> {
        Ok(contents::read(&self.root)?.digest())
    }

    /// Returns warnings for the parts of `METADATA.yml` that were not understood and are not merely
    /// unknown.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let findings = self.findings.iter();
        let findings = findings.filter(|finding| finding.severity > Severity::Note);
        let warning = |finding: &Diagnostic| Warning {
            code: finding.code.0,
            message: described(finding),
            pointer: None,
        };
        findings.map(warning).collect()
    }

    /// Returns the message for an unknown type, for which there is no executor.
    pub(crate) fn unknown_type(&self) -> Option<String> {
        let is_type = |finding: &&Diagnostic| {
            finding.code == metadata_codes::METADATA_WRONG_VALUE
                && finding.place.pointer.as_deref() == Some("/type")
        };
        self.findings.iter().find(is_type).map(described)
    }

    /// Returns a sentence about a program that the MCP server is started with and that the skill does not
    /// have.
    pub(crate) fn missing_program(&self) -> Option<String> {
        let entry = self.metadata.entry.as_ref()?;
        let server = entry.mcp.as_ref()?;
        if server.url.is_some() || server.package.is_some() {
            return None;
        }
        let place = |path: &str| match entry.dir.trim_end_matches('/') {
            "" | "." => path.to_owned(),
            directory => format!("{directory}/{path}"),
        };
        // A place that cannot be looked at is left to the start of the server.
        let has = |path: &str| !matches!(self.root.kind(&place(path)), Ok(None));
        let path = missing_program(server.command.as_deref(), &server.args, &has)?;
        Some(format!(
            "the program `{path}` of its MCP server is missing: expected the file `{}` in the skill; put it there, or name an installed program in `entry.mcp` of METADATA.yml",
            place(&path)
        ))
    }

    /// Returns the name in the old host, or the skill's own.
    pub fn legacy_name(&self) -> &str {
        let legacy = self.metadata.legacy.as_ref();
        legacy.map_or(&self.metadata.name, |legacy| &legacy.name)
    }

    /// Returns the plugin's directory, or the name of the skill, or of its directory: the first
    /// that is a valid directory name.
    pub fn legacy_directory(&self) -> &str {
        let legacy = self.metadata.legacy.as_ref();
        let named = legacy.map(|legacy| legacy.directory.as_str());
        let own = self.dir.file_name().and_then(|name| name.to_str());
        let names = named
            .into_iter()
            .chain([self.metadata.name.as_str()])
            .chain(own);
        let is_name = |name: &&str| check_relative(name).is_ok() && !name.contains('/');
        names.into_iter().find(is_name).unwrap_or("skill")
    }

    /// Returns the name of its place in the state.
    pub fn place_name(&self) -> Option<&str> {
        let own = self.dir.file_name().and_then(|name| name.to_str());
        self.place.as_deref().or(own)
    }

    /// Returns the type in the old manifest; empty for skills that were not plugins.
    pub fn plugin_type(&self) -> &str {
        let legacy = self.metadata.legacy.as_ref();
        legacy.map_or("", |legacy| legacy.plugin_type.as_str())
    }
}

fn described(finding: &Diagnostic) -> String {
    let pointer = finding.place.pointer.as_deref().unwrap_or_default();
    let place = if pointer.is_empty() { "" } else { " at " };
    format!("METADATA.yml{place}{pointer}: {}", finding.message)
}

fn read_file(root: &Root, path: &str) -> Option<String> {
    let bytes = root.read(path, MAX_METADATA).ok()?;
    decode(&bytes).ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_without_a_name_has_that_of_its_directory() {
        let place = tempfile::tempdir().unwrap();
        let check = |metadata: &str, expected: &str| {
            let root = Root::make(&resolve(place.path()).unwrap().join("own")).unwrap();
            root.write_whole(".", "METADATA.yml", metadata.as_bytes())
                .unwrap();
            let found = SkillPackage::read(root.path()).unwrap();
            assert_eq!(found.metadata.name, expected);
        };
        check("requires:\n  npm: [axios]\n", "own");
        check("name: other\n", "other");
    }
}
