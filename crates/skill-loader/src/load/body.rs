//! Level 2: the instructions of a skill.

use skill_diagnostics::Diagnostic;
use skill_model::{decode, parse_skill, repair_frontmatter, split};

use super::resource::{Whole, finish, read_whole};
use super::{Limits, LoadError, LoadedText, Selection, SkillPlace};

/// Reads the Markdown after the frontmatter of a skill.
///
/// As at discovery, a frontmatter that the client guide's repair fixes is accepted.
///
/// # Errors
///
/// [`LoadError::InvalidFrontmatter`] if the frontmatter is broken, and the errors of
/// [`load_resource`](super::load_resource).
pub fn load_skill_body(
    skill: &SkillPlace,
    selection: &Selection,
    limits: &Limits,
) -> Result<LoadedText, LoadError> {
    let path = skill.file.rsplit('/').next().unwrap_or(&skill.file);
    let whole = read_whole(&skill.root, &skill.file, path, limits)?;
    let start = body_start(path, &whole)?;
    finish(&whole, start, true, selection, limits)
}

/// Returns the offset of the body in the file.
fn body_start(path: &str, whole: &Whole<'_>) -> Result<usize, LoadError> {
    let invalid = |finding: Box<Diagnostic>| LoadError::InvalidFrontmatter {
        path: path.to_owned(),
        finding,
    };
    let text = decode(&whole.bytes).map_err(invalid)?;
    let (skill, findings) = parse_skill(text);
    match (skill, findings.into_iter().next()) {
        (Some(skill), _) => Ok(skill.split.body.start),
        (None, Some(finding)) => match split(text) {
            Ok(split) if repair_frontmatter(text).is_some() => Ok(split.body.start),
            _ => Err(invalid(Box::new(finding))),
        },
        (None, None) => Ok(0),
    }
}
