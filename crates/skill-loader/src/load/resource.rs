//! Level 3: a file of a skill.

use skill_model::Digest;
use std::borrow::Cow;

use super::select::{Excerpt, Source};
use super::{
    Limits, Lines, LoadError, LoadReport, LoadedText, Selection, SkillPlace, check_resource_path,
    cursor, observation,
};
use crate::fs::{Kind, Root};

/// Reads the file at `path` in a skill.
///
/// `path` is used literally: `/` between components, no patterns, no decoding.
///
/// # Errors
///
/// [`LoadError`] if the path is unsafe, or if the file does not exist, is not a text of an allowed
/// type, or exceeds a limit that `limits` rejects.
pub fn load_resource(
    skill: &SkillPlace,
    path: &str,
    selection: &Selection,
    limits: &Limits,
) -> Result<LoadedText, LoadError> {
    check_resource_path(path).map_err(|trick| LoadError::PathTrick {
        path: path.to_owned(),
        trick,
    })?;
    let beneath: Cow<'_, str> = match skill.dir.as_deref() {
        None => {
            return Err(LoadError::Missing {
                path: path.to_owned(),
                why: "the skill is a single file and has no resources",
            });
        }
        Some("") => path.into(),
        Some(dir) => format!("{dir}/{path}").into(),
    };
    let whole = read_whole(&skill.root, &beneath, path, limits)?;
    finish(&whole, 0, false, selection, limits)
}

/// The content of a file, with its name for messages.
pub(super) struct Whole<'p> {
    path: &'p str,
    pub(super) bytes: Vec<u8>,
}

/// Reads a regular file of an allowed type.
pub(super) fn read_whole<'p>(
    root: &Root,
    beneath: &str,
    path: &'p str,
    limits: &Limits,
) -> Result<Whole<'p>, LoadError> {
    if !limits.allows_type(path) {
        return Err(wrong_type(root, beneath, path));
    }
    let mut bytes = Vec::new();
    let info = root
        .read_into(beneath, limits.file_bytes, &mut bytes)
        .map_err(|error| LoadError::from_read(path, error))?;
    if info.n_links > 1 && !limits.hard_links {
        return Err(LoadError::LeadsOutside {
            path: path.to_owned(),
            why: "has a second hard link, which may be outside the skill",
        });
    }
    Ok(Whole { path, bytes })
}

/// Returns the error for a type that is not allowed. A link is reported as a link whatever its
/// extension, and wherever on the path it is.
fn wrong_type(root: &Root, beneath: &str, path: &str) -> LoadError {
    let path = path.to_owned();
    let ends = beneath.match_indices('/').map(|(at, _)| at);
    let is_link = |end| matches!(root.kind(&beneath[..end]), Ok(Some(Kind::Symlink)));
    if ends.chain([beneath.len()]).any(is_link) {
        return LoadError::LeadsOutside {
            path,
            why: "is or passes a symbolic link",
        };
    }
    let why = match root.kind(beneath) {
        Ok(Some(kind @ (Kind::Dir | Kind::Fifo | Kind::Socket | Kind::Device))) => {
            format!("is a {kind}")
        }
        _ => "has an extension that is not an allowed text type".to_owned(),
    };
    LoadError::NotAText { path, why }
}

/// Selects a part of the text from `start`, stores the whole if requested, and reports on it.
pub(super) fn finish(
    whole: &Whole<'_>,
    start: usize,
    is_body: bool,
    selection: &Selection,
    limits: &Limits,
) -> Result<LoadedText, LoadError> {
    let all = text(whole)?;
    let source = Source {
        path: whole.path,
        text: &all[start..],
        digest: Digest::from_content(&whole.bytes),
        is_body,
    };
    let chosen = source.choose(selection, limits)?;
    let stored = match &limits.storage {
        Some(storage) => Some(observation::keep(storage, whole.path, &whole.bytes)?),
        None => None,
    };
    Ok(loaded(&source, start, all, chosen, stored))
}

/// Returns the content as text; refuses bytes that are not UTF-8, and NUL.
fn text<'w>(whole: &'w Whole<'_>) -> Result<&'w str, LoadError> {
    let binary = |why: &str| LoadError::NotAText {
        path: whole.path.to_owned(),
        why: why.to_owned(),
    };
    let text = std::str::from_utf8(&whole.bytes).map_err(|_| binary("is not UTF-8"))?;
    if text.contains('\0') {
        return Err(binary("contains NUL characters, so it is binary"));
    }
    Ok(text)
}

fn loaded(
    source: &Source<'_>,
    start: usize,
    all: &str,
    chosen: Excerpt<'_>,
    storage_ref: Option<String>,
) -> LoadedText {
    let before = &all[..start + chosen.range.start];
    let first = before.matches('\n').count() + 1;
    let n_lines = source.text[chosen.range.clone()].lines().count();
    let report = LoadReport {
        path: source.path.to_owned(),
        sha256: source.digest,
        bytes_read: all.len() as u64,
        total_bytes: all.len() as u64,
        chars_returned: chosen.text.chars().count(),
        lines: Lines {
            first,
            last: first + n_lines - 1,
        },
        truncated: chosen.next.is_some(),
        strategy: chosen.strategy,
        section: chosen.section,
        next_cursor: chosen.next.map(|next| cursor::write(&source.digest, &next)),
        storage_ref,
    };
    LoadedText {
        text: chosen.text.into_owned(),
        report,
        sections: chosen.sections,
        findings: chosen.findings,
    }
}
