//! Directories of hosts inside a package, such as `.claude`: packages of their own, although the package has
//! all of its directory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plugin_readers::{homes, is_home};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Kind, Root};

use crate::collect::names::folded;
use crate::unit::{PackageDirectory, path_in};

/// Returns true if the directories inside a directory with these packages are not searched. One with some files
/// of the directory decides only if it is alone there.
pub(crate) fn is_closed(path: &str, packages: &[PackageDirectory]) -> bool {
    let own = || packages.iter().filter(|it| it.directory == path);
    let is_alone = own().count() == 1;
    own().any(|it| !it.claim.searches_inside && (is_alone || it.claim.files.is_none()))
}

/// Returns the directories of hosts in a directory whose packages have all of it.
pub(crate) fn inner_homes(input: &Root, path: &str, packages: &[PackageDirectory]) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !is_closed(path, packages) || is_home(name) {
        return Vec::new();
    }
    let all: BTreeSet<String> = homes().map(|home| path_in(path, home)).collect();
    let is_there = |home: &String| matches!(input.kind(home), Ok(Some(Kind::Dir)));
    all.into_iter().filter(is_there).collect()
}

/// Tells each package which files and directories in it others read: lists beside it, and the directories of
/// hosts.
pub(crate) fn tell_others(packages: &mut [PackageDirectory]) {
    let mut read: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in &*packages {
        let directory = package.directory.as_str();
        if let Some(files) = &package.claim.files {
            let own = read.entry(directory.to_owned()).or_default();
            own.extend(files.iter().cloned());
            own.insert(package.claim.manifest_file.clone());
        }
        let (parent, name) = directory.rsplit_once('/').unwrap_or(("", directory));
        if is_home(name) {
            let around = read.entry(parent.to_owned()).or_default();
            match &package.claim.files {
                None => _ = around.insert(format!("{name}/")),
                Some(files) => {
                    let files = files.iter().chain([&package.claim.manifest_file]);
                    around.extend(files.map(|file| format!("{name}/{file}")));
                }
            }
        }
    }
    let read: BTreeMap<String, Arc<BTreeSet<String>>> = read
        .into_iter()
        .map(|(directory, all)| (directory, Arc::new(all)))
        .collect();
    for package in packages {
        if let Some(all) = read.get(&package.directory) {
            package.read_by_others = Arc::clone(all);
        }
    }
}

/// A name that some systems cannot tell from another one.
const NAME_CLASH: Code = Code("name-clash");

/// Returns the findings about packages whose directories differ from another one by case or Unicode form only:
/// some systems store one of the two, so that the result is another one there.
pub(crate) fn clashes(packages: &[PackageDirectory]) -> Vec<Diagnostic> {
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut acc = Vec::new();
    for package in packages {
        let directory = package.directory.as_str();
        if !seen.insert(directory) {
            continue;
        }
        let known = first.entry(folded(directory)).or_insert(directory);
        if *known == directory {
            continue;
        }
        let message = format!(
            "the directory differs from `{}` by case or by the form of its characters only, and some systems store one of the two",
            known.escape_debug()
        );
        let finding = Diagnostic::warning(NAME_CLASH, message).in_file(directory);
        acc.push(finding.with_help("both are migrated here; rename one of the two"));
    }
    acc
}
