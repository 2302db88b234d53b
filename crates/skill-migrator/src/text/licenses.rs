//! The license of the package, in every skill that is made of it.

use plugin_model::SourceFile;
use skill_diagnostics::Diagnostic;

use crate::{codes::NO_LICENSE, plan::CopiedFile};

use super::TextUnit;

/// Returns the files of the package with its license or notices.
pub(crate) fn files<'a>(unit: &TextUnit<'a>) -> Vec<&'a SourceFile> {
    let own = unit.text.directory.as_deref().filter(|own| !own.is_empty());
    let files = unit.package.sources.files.iter();
    let is_own = |kind: &str| {
        let own_files = own.map_or(&[][..], |own| unit.files_below(own));
        let mut names = own_files
            .iter()
            .filter_map(|file| file.path.strip_prefix(own?)?.strip_prefix('/'));
        names.any(|name| kind_of(name) == Some(kind))
    };
    files
        .filter(|file| {
            let name = file.path.trim_start_matches("../");
            kind_of(name).is_some_and(|kind| !is_own(kind))
        })
        .collect()
}

/// Returns the kind of a file at the top of a directory: `license` or `notice`.
pub(crate) fn kind_of(name: &str) -> Option<&'static str> {
    if name.contains('/') {
        return None;
    }
    let stem = name.split(['.', '-', '_']).next().unwrap_or_default();
    match stem.to_ascii_lowercase().as_str() {
        "license" | "licence" | "copying" | "unlicense" => Some("license"),
        "notice" => Some("notice"),
        _ => None,
    }
}

/// Returns true for a file at the top of a directory that has a license or notices.
pub fn is_license_file(name: &str) -> bool {
    kind_of(name).is_some()
}

/// Copies the licenses and notices at the top of a package to the top of a skill, sorted.
pub(crate) fn license_copies(files: &[SourceFile]) -> Vec<CopiedFile> {
    let names = files.iter().map(|file| file.path.trim_start_matches("../"));
    let licenses = files.iter().zip(names);
    let licenses = licenses.filter(|(_, name)| is_license_file(name));
    let mut res: Vec<CopiedFile> = licenses
        .map(|(file, name)| CopiedFile {
            to: name.to_owned(),
            from: file.path.clone(),
            executable: false,
            bytes: file.bytes,
            sha256: file.sha256.clone(),
        })
        .collect();
    res.sort();
    res.dedup_by(|a, b| a.to == b.to);
    res
}

/// Returns the value of `license` for a text without its own, and a finding if there is no license.
pub(crate) fn license(unit: &TextUnit<'_>) -> (Option<String>, Option<Diagnostic>) {
    if let Some(license) = &unit.package.identity.license {
        return (Some(license.value.clone()), None);
    }
    let all = unit.package.sources.files.iter();
    let all = all.filter(|file| {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        kind_of(name) == Some("license")
    });
    let mut names = all.filter_map(|file| {
        let own = unit.target(&file.path);
        (kind_of(&own) == Some("license")).then_some(own)
    });
    if let Some(name) = names.next() {
        return (Some(format!("See {name}")), None);
    }
    (None, Some(no_license()))
}

/// Returns the finding about a package without a license.
pub(crate) fn no_license() -> Diagnostic {
    let message = "the package names no license, so nobody but its author may pass the skill on";
    let finding = Diagnostic::warning(NO_LICENSE, message);
    finding.with_help("ask its author, or add a LICENSE file to the package")
}
