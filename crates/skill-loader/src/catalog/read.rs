//! Reading one skill at level 1.

use std::sync::Arc;

use skill_diagnostics::Diagnostic;
use skill_model::{
    Digest, Frontmatter, Metadata, decode, parse_skill, read_metadata, repair_frontmatter,
};

use super::Bounds;
use super::scan::Candidate;
use super::skill::CatalogSkill;
use crate::fs::{FileInfo, shown};
use crate::load::{LoadError, codes};

/// Maximum length of a name in bytes. The specification allows 64 characters; the client guide asks to
/// load longer ones with a warning.
const MAX_NAME: usize = 256;

/// `Ok(None)` if the file is not a skill; `Err` explains why a skill could not be read.
type Read = Result<Option<Arc<CatalogSkill>>, Box<Diagnostic>>;

/// Reads a candidate, or returns `last` if it is unchanged.
pub(super) fn read(
    candidate: &Candidate,
    bounds: &Bounds,
    last: Option<&Arc<CatalogSkill>>,
) -> Read {
    let stamps = [candidate.file, candidate.metadata];
    if let Some(last) = last
        && last.stamps == stamps
    {
        return Ok(Some(last.clone()));
    }
    let bytes = bytes(candidate, &candidate.place.file, bounds)?;
    let digest = Digest::from_content(&bytes);
    let same_metadata = |last: &&Arc<CatalogSkill>| last.stamps[1] == candidate.metadata;
    if let Some(last) = last.filter(same_metadata)
        && last.digest == digest
    {
        let mut skill = CatalogSkill::clone(last);
        skill.stamps = stamps;
        return Ok(Some(Arc::new(skill)));
    }
    let Some(header) = header(candidate, &bytes)? else {
        return Ok(None);
    };
    let read = metadata(candidate, candidate.metadata, bounds);
    let (read, metadata_flaw) = match read {
        Ok(read) => (read, None),
        Err(flaw) => (None, Some(flaw)),
    };
    let (metadata, metadata_digest) = read.unzip();
    Ok(Some(Arc::new(CatalogSkill {
        name: name(candidate, &header.name)?,
        description: header.description,
        source: candidate.source,
        place: candidate.place.clone(),
        metadata,
        digest,
        metadata_digest,
        metadata_flaw,
        stamps,
    })))
}

fn bytes(candidate: &Candidate, path: &str, bounds: &Bounds) -> Result<Vec<u8>, Box<Diagnostic>> {
    let read = candidate.place.root.read(path, bounds.file_bytes);
    read.map_err(|error| {
        let error = LoadError::from_read(path, error);
        let finding = Diagnostic::error(error.code(), error.to_string());
        Box::new(finding.in_file(candidate.path()))
    })
}

/// Parses the frontmatter leniently; `None` for a single file without frontmatter.
fn header(candidate: &Candidate, bytes: &[u8]) -> Result<Option<Frontmatter>, Box<Diagnostic>> {
    let is_single = candidate.place.dir.is_none();
    let text = decode(bytes).map_err(|finding| invalid(candidate, &finding))?;
    let (skill, findings) = parse_skill(text);
    let skill = skill.or_else(|| parse_skill(&repair_frontmatter(text)?).0);
    let header = match (skill, findings.first()) {
        (Some(skill), _) => skill.frontmatter(),
        (None, _) if is_single => return Ok(None),
        (None, Some(finding)) => return Err(invalid(candidate, finding)),
        (None, None) => Frontmatter::default(),
    };
    match header.description.trim() {
        "" if is_single => Ok(None),
        "" => {
            let finding = Diagnostic::error(codes::INVALID_FRONTMATTER, "there is no description");
            Err(invalid(candidate, &finding))
        }
        _ => Ok(Some(header)),
    }
}

fn invalid(candidate: &Candidate, finding: &Diagnostic) -> Box<Diagnostic> {
    let mut finding = finding.clone().in_file(candidate.path());
    finding.code = codes::INVALID_FRONTMATTER;
    Box::new(finding)
}

/// Returns the name in the frontmatter, or else the name of the directory or file.
fn name(candidate: &Candidate, written: &str) -> Result<String, Box<Diagnostic>> {
    let name = match written.trim() {
        "" => own_name(candidate),
        written => written.to_owned(),
    };
    let is_fine = (1..=MAX_NAME).contains(&name.len()) && !name.contains(char::is_control);
    if is_fine {
        return Ok(name);
    }
    let message = format!("`{}` is not a valid skill name", name.escape_debug());
    let finding = Diagnostic::error(codes::INVALID_FRONTMATTER, message);
    Err(Box::new(finding.in_file(candidate.path())))
}

/// Returns the name that a skill has by its location.
pub(super) fn own_name(candidate: &Candidate) -> String {
    let place = &candidate.place;
    let path = match place.dir.as_deref() {
        None => place.file.trim_end_matches(".md"),
        Some("") => {
            let name = place.root.path().file_name().unwrap_or_default();
            return name.to_string_lossy().into_owned();
        }
        Some(dir) => dir,
    };
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Reads `METADATA.yml`, or says why nothing of it can be used; other problems in it are left to validation.
fn metadata(
    candidate: &Candidate,
    info: Option<FileInfo>,
    bounds: &Bounds,
) -> Result<Option<(Box<Metadata>, Digest)>, Box<Diagnostic>> {
    let (Some(_), Some(dir)) = (info, candidate.place.dir.as_deref()) else {
        return Ok(None);
    };
    let path = match dir {
        "" => "METADATA.yml".to_owned(),
        dir => format!("{dir}/METADATA.yml"),
    };
    let full = shown(&candidate.place.root.path().join(&path)).to_string();
    let flaw = |finding: &Diagnostic| Box::new(finding.clone().in_file(full.clone()));
    let bytes = bytes(candidate, &path, bounds).map_err(|finding| flaw(&finding))?;
    let text = decode(&bytes).map_err(|finding| flaw(&finding))?;
    match read_metadata(text) {
        (Some(metadata), _) => {
            let digest = Digest::from_content(&bytes);
            Ok(Some((Box::new(metadata), digest)))
        }
        (None, findings) => findings.first().map_or(Ok(None), |it| Err(flaw(it))),
    }
}
