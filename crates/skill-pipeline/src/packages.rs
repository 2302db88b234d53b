//! Finds the packages of a directory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use plugin_readers::{Reader, is_home, recognize, recognize_all, remarks};
use skill_diagnostics::{Code, Diagnostic};
use skill_loader::fs::{Listing, Root, WalkLimits};
use skill_migrator::leave_directory;

use crate::error::Error;
use crate::homes::{clashes, inner_homes, is_closed, tell_others};
use crate::input_directory::{InputDirectory, Markets};
use crate::linked_parts::{Links, linked_parts};
use crate::not_searched::{SEARCH_DEPTH, SEARCH_ENTRIES, not_searched};
use crate::options::MigrateOptions;
use crate::outside;
use crate::packed;
use crate::unit::{PackageDirectory, is_below, outermost, path_in};

/// Returns every directory that a reader claims. The directories inside a package are searched only
/// if its reader says so; those of hosts, such as `.claude`, are always read. An input without a package may be one by the names in it.
pub(crate) fn packages(
    input: &Root,
    options: &MigrateOptions,
) -> Result<(Vec<PackageDirectory>, Vec<Diagnostic>), Error> {
    if let Some(file) = options.only_file.as_deref() {
        return Ok(alone(input, file, options.format));
    }
    let claim =
        |directory: &InputDirectory<'_>, path: &str| claimed(directory, path, options.format);
    let markets = Markets::default();
    let notes = Mutex::new(Vec::new());
    let links = Mutex::new(Vec::new());
    // Directories that are packages if there is no other.
    let likely = Mutex::new(Vec::new());
    let package = |path: &str| {
        let directory = InputDirectory::new(input, path).with_markets(&markets);
        let remarks = remarks(&directory, options.format).into_iter();
        let in_directory = |finding: Diagnostic| match finding.place.file.clone() {
            Some(file) if !path.is_empty() => finding.in_file(format!("{path}/{file}")),
            _ => finding,
        };
        let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.extend(remarks.map(in_directory));
        let found = claim(&directory, path);
        if let Some(found) = linked_parts(input, path, !found.is_empty()) {
            let mut links = links.lock().unwrap_or_else(PoisonError::into_inner);
            links.push(found);
        }
        if found.iter().all(has_some_files) {
            let last = InputDirectory::last_resort(input, path).with_markets(&markets);
            let mut last = claim(&last, path);
            // What is a package already is not likely to be one: it would hide the directories in it.
            last.retain(|it| {
                found
                    .iter()
                    .all(|known| known.reader.name != it.reader.name)
            });
            let mut likely = likely.lock().unwrap_or_else(PoisonError::into_inner);
            likely.extend(last);
        }
        found
    };
    let with_homes = |path: &str| {
        let mut found = package(path);
        let homes = inner_homes(input, path, &found).into_iter();
        found.extend(homes.flat_map(|home| package(&home)).collect::<Vec<_>>());
        found
    };
    let top = with_homes("");
    let (mut res, mut not_searched, listing) = if is_closed("", &top) {
        Default::default()
    } else {
        search(input, &with_homes, options.format)?
    };
    res.extend(top);
    not_searched.extend(leave_empty(&mut res));
    let likely = outermost(likely.into_inner().unwrap_or_else(PoisonError::into_inner));
    if res.is_empty() {
        res = likely;
    } else {
        let has_others = !res.iter().all(has_some_files);
        let is_left = |it: &PackageDirectory| has_others || has_some_files(it);
        let (left, read): (Vec<_>, Vec<_>) = likely.into_iter().partition(is_left);
        not_searched.extend(unclaimed(input, &left, &res));
        res.extend(read);
    }
    let links = links.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut read = skills_of(input, &res, &links);
    let followed = follow(input, &links, &read, options.format);
    read.extend(followed.keys().cloned());
    res.extend(followed.into_values().flatten());
    res.sort_by(|a, b| a.directory.cmp(&b.directory));
    not_searched.extend(clashes(&res));
    not_searched.extend(outside::finding(input, &listing, &res));
    not_searched.extend(outside::texts(&listing, &res));
    tell_others(&mut res);
    let res = res.into_iter().flat_map(PackageDirectory::each).collect();
    let mut notes = notes.into_inner().unwrap_or_else(PoisonError::into_inner);
    notes.sort();
    for links in &links {
        notes.extend(links.findings(&|target| read.contains(target)));
    }
    // A link of which more is known is named once.
    let named: BTreeSet<&str> = links
        .iter()
        .flat_map(|it| &it.all)
        .map(|(link, _)| link.as_str())
        .collect();
    not_searched.retain(|it| {
        let file = it.place.file.as_deref();
        file.is_none_or(|file| !named.contains(file))
    });
    not_searched.extend(notes);
    Ok((res, not_searched))
}

/// Returns the package that a file alone is, and remarks about one that is none.
fn alone(
    input: &Root,
    file: &str,
    format: Option<&str>,
) -> (Vec<PackageDirectory>, Vec<Diagnostic>) {
    if packed::is_packed(file) {
        return match packed::bundle(input, file, format) {
            Ok(package) => (package.into_iter().collect(), Vec::new()),
            Err(finding) => (Vec::new(), vec![*finding]),
        };
    }
    let directory = InputDirectory::new(input, "").only(Some(file));
    let found = recognize(&directory, format);
    let package = found.map(|(reader, claim)| PackageDirectory {
        directory: String::new(),
        reader,
        claim,
        unpacked: None,
        read_by_others: Arc::default(),
    });
    let notes = match &package {
        Some(_) => Vec::new(),
        None => remarks(&directory, format),
    };
    (package.into_iter().collect(), notes)
}

/// Returns the packages that readers claim in a directory.
fn claimed(
    directory: &InputDirectory<'_>,
    path: &str,
    format: Option<&str>,
) -> Vec<PackageDirectory> {
    let found = recognize_all(directory, format).into_iter();
    let found = found.map(|(reader, claim)| PackageDirectory {
        directory: path.to_owned(),
        reader,
        claim,
        unpacked: None,
        read_by_others: Arc::default(),
    });
    found.collect()
}

/// Follows links to skills that no package has: each is a package, by its directory.
fn follow(
    input: &Root,
    links: &[Links],
    read: &BTreeSet<String>,
    format: Option<&str>,
) -> BTreeMap<String, Vec<PackageDirectory>> {
    let targets = links.iter().flat_map(|it| &it.all);
    let targets: BTreeSet<&str> = targets.filter_map(|(_, it)| it.as_deref()).collect();
    let open = targets.into_iter().filter(|it| !read.contains(*it));
    let found = open.map(|target| {
        let directory = InputDirectory::last_resort(input, target);
        (target.to_owned(), claimed(&directory, target, format))
    });
    found.filter(|(_, packages)| !packages.is_empty()).collect()
}

/// Returns the directories of the skills of packages that links can lead to.
fn skills_of(input: &Root, packages: &[PackageDirectory], links: &[Links]) -> BTreeSet<String> {
    let targets = links.iter().flat_map(|it| &it.all);
    let targets: Vec<&str> = targets.filter_map(|(_, it)| it.as_deref()).collect();
    let is_above = |it: &&PackageDirectory| {
        let mut targets = targets.iter();
        targets.any(|target| is_below(target, &it.directory))
    };
    let mut acc = BTreeSet::new();
    for package in packages.iter().filter(is_above) {
        for head in package.heads(input) {
            let directory = head.file.strip_suffix("SKILL.md");
            let Some(directory) = directory.map(|it| it.trim_end_matches('/')) else {
                continue;
            };
            let parts = [package.directory.as_str(), directory];
            let parts: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
            acc.insert(parts.join("/"));
        }
    }
    acc
}

/// Returns true for a package that has some of the files of its directory only, such as a list of servers.
fn has_some_files(package: &PackageDirectory) -> bool {
    package.claim.files.is_some()
}

/// Removes packages whose manifests name nothing, if there are packages inside of them, and returns
/// findings about them: the root of a collection often has a manifest that only describes it.
fn leave_empty(packages: &mut Vec<PackageDirectory>) -> Vec<Diagnostic> {
    let directories: Vec<String> = packages.iter().map(|it| it.directory.clone()).collect();
    let has_package = |outer: &str| {
        let mut inner = directories.iter().filter(|inner| *inner != outer);
        inner.any(|inner| is_below(inner, outer))
    };
    let left = packages.extract_if(.., |it| it.claim.is_empty && has_package(&it.directory));
    let finding = |package: PackageDirectory| {
        let message =
            "the manifest names no skill, command or agent; the packages below it are read";
        let file = match package.directory.as_str() {
            "" => package.claim.manifest_file,
            directory => format!("{directory}/{}", package.claim.manifest_file),
        };
        Diagnostic::note(ONLY_BELOW, message).in_file(file)
    };
    left.map(finding).collect()
}

const ONLY_BELOW: Code = Code("packages-below");

/// Returns findings about directories that have parts of a host and are not packages.
fn unclaimed(
    input: &Root,
    likely: &[PackageDirectory],
    packages: &[PackageDirectory],
) -> Vec<Diagnostic> {
    let is_around = |package: &&PackageDirectory| {
        let mut inner = likely.iter();
        inner.any(|it| is_below(&it.directory, &package.directory))
    };
    // A package around a directory can have read its parts.
    let around = packages.iter().filter(is_around);
    let around = around.cloned().flat_map(PackageDirectory::each);
    let read = around.flat_map(|package| {
        let heads = package.heads(input).into_iter();
        let files = heads.filter(|head| !head.file.is_empty());
        files
            .map(|head| path_in(&package.directory, &head.file))
            .collect::<Vec<_>>()
    });
    let read: BTreeSet<String> = read.collect();
    let is_read = |directory: &str| read.iter().any(|file| is_below(file, directory));
    // The home of a host is a package of its own, beside the parts of the directory that it is in.
    let is_home_of = |inner: &str, outer: &str| {
        let name = inner.rsplit('/').next().unwrap_or(inner);
        let parent = inner.rsplit_once('/').map_or("", |(parent, _)| parent);
        is_home(name) && parent == outer
    };
    let has_package = |outer: &str| {
        let inner = packages.iter().map(|it| it.directory.as_str());
        let mut inner = inner.filter(|inner| !is_home_of(inner, outer));
        inner.any(|inner| is_below(inner, outer))
    };
    let others = likely
        .iter()
        .filter(|it| !has_package(&it.directory) && !is_read(&it.directory));
    let findings = others.map(|it| {
        let Reader { name, marks, .. } = it.reader;
        let message = format!("the directory has parts of the format {name}, but not its mark");
        let help = format!("expected {marks}; without one, migrate the directory on its own");
        Diagnostic::warning(NOT_RECOGNIZED, message)
            .in_file(&it.directory)
            .with_help(help)
    });
    findings.collect()
}

const NOT_RECOGNIZED: Code = Code("not-recognized");

/// Returns the packages below the input, and what was searched.
fn search(
    input: &Root,
    package: &(dyn Fn(&str) -> Vec<PackageDirectory> + Sync),
    format: Option<&str>,
) -> Result<(Vec<PackageDirectory>, Vec<Diagnostic>, Listing), Error> {
    let found = Mutex::new(Vec::new());
    let prune = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        if leave_directory(name).is_some_and(|_| !is_searched_anyway(name)) {
            return true;
        }
        let package = package(path);
        let is_closed = is_closed(path, &package);
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(package);
        is_closed
    };
    let limits = WalkLimits {
        depth: SEARCH_DEPTH,
        entries: SEARCH_ENTRIES,
    };
    let listing = input.walk("", &limits, &prune)?;
    let mut not_searched = not_searched(&listing)?;
    let mut res = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (bundles, refused) = packed::bundles(input, &listing, format);
    res.extend(bundles);
    not_searched.extend(refused);
    Ok((res, not_searched, listing))
}

/// Returns true for directories that are searched although they are never copied. A plugin
/// directory may have a name that is not portable, because only files keep their names. A directory
/// `target` that contains plugins is not a compiler's, and hosts have directories of their own in a
/// project, such as `.claude`.
fn is_searched_anyway(name: &str) -> bool {
    !skill_model::is_portable_name(name) || name.eq_ignore_ascii_case("target") || is_home(name)
}
