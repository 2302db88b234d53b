//! The size of the files that many skills of a package share: each skill has its own copy.

use std::collections::BTreeSet;

use plugin_model::SourceFile;
use skill_diagnostics::Diagnostic;

use crate::codes::SHARED_FILES;

use super::TextUnit;

/// The size of all copies of what the skills of a package share, in bytes.
const MAX_SHARED: u64 = 64 * 1024 * 1024;
/// The most files that a finding names.
const MAX_NAMED: usize = 4;

/// Takes the files out of those that a unit needs whose copies in all skills of the package would
/// be too large, the largest first. Returns the finding that names them.
pub(super) fn limit(unit: &TextUnit<'_>, needed: &mut BTreeSet<String>) -> Option<Diagnostic> {
    let n_units = unit.package.units.len() as u64;
    let own = unit.text.directory.as_deref();
    let is_own = |path: &str| {
        own.is_some_and(|own| {
            let rest = path.strip_prefix(own);
            own.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let shared = needed.iter().filter(|path| !is_own(path));
    let shared: Vec<&SourceFile> = shared.filter_map(|path| unit.file(path)).collect();
    let size: u64 = shared.iter().map(|file| file.bytes).sum();
    if size.saturating_mul(n_units) <= MAX_SHARED {
        return None;
    }
    let weighed = shared.into_iter().map(|file| {
        let n_copies = n_mentions(unit, &file.path);
        (file.bytes.saturating_mul(n_copies), &file.path)
    });
    let mut weighed: Vec<(u64, &String)> = weighed.collect();
    weighed.sort();
    let mut total = 0_u64;
    let mut left = Vec::new();
    for (weight, path) in weighed {
        total = total.saturating_add(weight);
        if total > MAX_SHARED {
            left.push(path.clone());
        }
    }
    for path in &left {
        needed.remove(path);
    }
    let mut names: Vec<String> = left.iter().take(MAX_NAMED).cloned().collect();
    for name in &mut names {
        *name = format!("`{}`", name.escape_debug());
    }
    let more = left.len() - names.len();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    let message = format!(
        "files of the package are not copied into the skill, because all skills that name them would have more than 64 MiB of copies: {}",
        names.join(", ")
    );
    let finding = || {
        let finding = Diagnostic::warning(SHARED_FILES, message);
        finding.with_help(
            "copy them into the skills that need them, or let these name a place that they share",
        )
    };
    (!left.is_empty()).then(finding)
}

/// Returns the number of skills that may get a copy of a file: those whose text has its name or that
/// of a directory around it; all if another file of the package has.
fn n_mentions(unit: &TextUnit<'_>, path: &str) -> u64 {
    let package = unit.package;
    let parts: Vec<&str> = path.split('/').filter(|part| *part != "..").collect();
    let mentions = |text: &str| parts.iter().any(|part| text.contains(part));
    let units: BTreeSet<&str> = package.units.iter().map(|unit| &*unit.file).collect();
    let texts = package.sources.texts.iter();
    let mut others = texts.filter(|(file, _)| !units.contains(file.as_str()) && *file != path);
    if others.any(|(_, text)| mentions(text)) {
        return package.units.len() as u64;
    }
    let texts = package.units.iter().filter_map(|unit| unit.kind.text());
    (texts.filter(|text| mentions(&text.body)).count() as u64).max(1)
}
