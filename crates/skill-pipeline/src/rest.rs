//! The files of a package that are in no skill: not a part, not a copy, and not named by another finding.
//! Each of them is named once, by its directory.

use std::collections::BTreeSet;

use plugin_model::{Format, LeaveReason, LeftOut, Package, Unit, UnitKey, UnitKind, is_one_of};
use plugin_readers::is_home;
use rayon::prelude::*;
use skill_diagnostics::Diagnostic;
use skill_loader::fs::{Kind, WalkLimits};
use skill_migrator::migrate;
use skill_model::SkillName;

use crate::{
    context::Context,
    discover::Candidate,
    groups::{self, grouped, kind},
    not_searched::{SEARCH_DEPTH, SEARCH_ENTRIES},
    plugin_files::PluginFiles,
    reading::Reading,
    taken::paths,
    unit::is_below,
};

/// Returns the finding about the files of the package of a unit, if the report of that unit has what
/// is true of the whole package.
pub(crate) fn finding(
    context: &Context<'_>,
    found: &Candidate,
    collected: &PluginFiles,
    reading: &Reading<'_>,
) -> Option<Diagnostic> {
    // The report of one unit has it; the others need not know.
    if !reading.is_first(found) {
        return None;
    }
    let find = || find(context, found, collected, reading);
    reading.taken.finding.get_or_init(find).clone()
}

fn find(
    context: &Context<'_>,
    found: &Candidate,
    collected: &PluginFiles,
    reading: &Reading<'_>,
) -> Option<Diagnostic> {
    let package = reading.package.as_ref()?;
    // A program gets all files, and a package with some of the files of a directory names them.
    let is_partial = found.unit == UnitKey::ONLY || found.files.is_some();
    if is_partial {
        return None;
    }
    let is_private = |left: &&LeftOut| {
        let own = left.path.rsplit('/').find(|name| !name.is_empty());
        // `.github` is mostly the directory of another program, and is named by nothing else.
        let is_package = |name: &str| found.searches_inside && is_home(name) && name != ".github";
        let is_read = is_read_by_others(found, &left.path);
        // Links to parts have a finding of their own.
        let is_said = left.reason == LeaveReason::Link && kind(&left.path).is_some();
        let is_open = |name: &str| !is_of_version_control(name) && !is_package(name);
        !is_read && own.is_some_and(is_open) && !is_said
    };
    // A list of servers is read although its name says that it belongs to an agent.
    let documents = package.documents.iter().map(|it| &*it.file);
    let read = documents.chain(package.units.iter().map(|it| &*it.file));
    let read: BTreeSet<&str> = read.collect();
    let left_out = collected.left_out.iter().filter(is_private);
    let left_out = left_out.filter(|left| !read.contains(left.path.as_str()));
    let left_out: Vec<&LeftOut> = left_out.collect();
    let mut open = open_files(package, reading, found);
    if open.is_empty() && left_out.is_empty() {
        return None;
    }
    // The first unit is planned last, so most plans are known. Those of skills that are up to date are
    // made here; they cost as much as the migration, so all processors share them.
    let units = if open.is_empty() {
        &[]
    } else {
        &package.units[..]
    };
    let used = units
        .par_iter()
        .map(|unit| used(context, found, package, unit, reading));
    for path in used.collect::<Vec<_>>().concat() {
        open.remove(path.as_str());
    }
    // `.github` is mostly the directory of another program.
    let is_shared = package.format == Format::Copilot;
    let kind = |path: &str| kind(path).filter(|_| !is_shared || path.starts_with("hooks/"));
    let mut groups = grouped(&open, &kind);
    let is_part = |path: &&&str| kind(path).is_some() && groups::is_part(path);
    let is_part = open.iter().any(|path| is_part(&path));
    let is_part = is_part || left_out.iter().any(|left| is_other_home(&left.path));
    groups.extend(left_out.iter().flat_map(|left| {
        let (path, why) = (left.path.escape_debug(), left.reason.phrase());
        beside_read(found, collected, &left.path)
            .unwrap_or_else(|| vec![format!("`{path}` ({why})")])
    }));
    (!groups.is_empty()).then(|| groups::finding(&groups, is_part))
}

/// Returns the directory of a package inside of another, if the file is its manifest.
fn root_of_package(path: &str) -> Option<&str> {
    const MARKS: [&str; 6] = [
        "/.claude-plugin/plugin.json",
        "/.codex-plugin/plugin.json",
        "/.cursor-plugin/plugin.json",
        "/gemini-extension.json",
        "/plugin-manifest.json",
        "/plugin.json",
    ];
    MARKS.iter().find_map(|mark| path.strip_suffix(mark))
}

/// Returns true for the directory of a host deep inside a package of another: its parts are not migrated.
/// One directly in the package was read, and `.github` mostly has no part.
fn is_other_home(path: &str) -> bool {
    let below = path.trim_end_matches('/').rsplit_once('/');
    below.is_some_and(|(_, name)| name != ".github" && is_home(name))
}

fn is_of_version_control(name: &str) -> bool {
    name == ".git" || name.starts_with(".git") && name != ".github"
}

/// Returns the files that no part of the package is, and no other finding names.
fn open_files<'p>(
    package: &'p Package<'_>,
    reading: &Reading<'_>,
    found: &Candidate,
) -> BTreeSet<&'p str> {
    let files = package.sources.files.iter().map(|file| file.path.as_str());
    let is_own = |path: &&str| !path.starts_with("../") && !is_read_by_others(found, path);
    let mut acc: BTreeSet<&str> = files.filter(is_own).collect();
    let documents = package.documents.iter().map(|it| &*it.file);
    let units = package.units.iter().map(|it| &*it.file);
    for file in documents.chain(units) {
        acc.remove(file.split('#').next().unwrap_or(file));
    }
    for attached in &package.attached {
        acc.remove(attached.from.as_str());
    }
    if found.searches_inside {
        let roots: Vec<&str> = acc
            .iter()
            .filter_map(|path| root_of_package(path))
            .collect();
        acc.retain(|path| !roots.iter().any(|root| is_below(path, root)));
    }
    let named = reading.named_files();
    acc.retain(|path| {
        let is_named = named.iter().any(|text| text.contains(&format!("`{path}`")));
        let is_manifest = *path == found.manifest_file || (found.reader.is_manifest)(path);
        let is_own = reading.has_finding_in(path) || found.is_unit_file(path) && is_text(path);
        !is_named && !is_manifest && !is_own
    });
    acc
}

/// Returns true for a file that another package reads: a list beside the package, or the directory of a host
/// in it.
fn is_read_by_others(found: &Candidate, path: &str) -> bool {
    is_one_of(&found.read_by_others, path)
}

/// Returns the other files of a directory that was left out and of which another package reads some.
fn beside_read(found: &Candidate, collected: &PluginFiles, path: &str) -> Option<Vec<String>> {
    let directory = path.strip_suffix('/')?;
    let mut read = found.read_by_others.iter();
    if !read.any(|it| it.starts_with(path)) {
        return None;
    }
    let limits = WalkLimits {
        depth: SEARCH_DEPTH,
        entries: SEARCH_ENTRIES,
    };
    let listing = collected.root.walk(directory, &limits, &|_| false).ok()?;
    let files = listing.entries.iter();
    let files = files.filter(|entry| matches!(entry.kind, Kind::File(_)));
    let files = files.map(|entry| entry.path.as_str());
    let files: BTreeSet<&str> = files.filter(|it| !is_read_by_others(found, it)).collect();
    Some(groups::groups(&files))
}

/// Returns true for the endings of parts, which are rejected by their names if they cannot be read.
fn is_text(path: &str) -> bool {
    path.ends_with("/SKILL.md")
}

/// Returns the files that the skill of a unit has.
fn used(
    context: &Context<'_>,
    found: &Candidate,
    package: &Package<'_>,
    unit: &Unit,
    reading: &Reading<'_>,
) -> Vec<String> {
    let Some(name) = found.calls.of_texts().units.get(&unit.key) else {
        return own_directory(package, unit);
    };
    planned(context, found, package, unit, reading, name).unwrap_or_default()
}

/// Returns the files of a skill that is left out on request, as all agents can be.
fn own_directory(package: &Package<'_>, unit: &Unit) -> Vec<String> {
    let directory = unit.kind.text().and_then(|text| text.directory.as_deref());
    let Some(directory) = directory.filter(|directory| !directory.is_empty()) else {
        return Vec::new();
    };
    let files = package.sources.files.iter().map(|file| &file.path);
    let files = files.filter(|path| is_below(path, directory));
    files.cloned().collect()
}

fn planned(
    context: &Context<'_>,
    found: &Candidate,
    package: &Package<'_>,
    unit: &Unit,
    reading: &Reading<'_>,
    name: &SkillName,
) -> Option<Vec<String>> {
    if matches!(unit.kind, UnitKind::Hook(_)) {
        return Some(printed(package, unit));
    }
    if matches!(unit.kind, UnitKind::Program(_) | UnitKind::Api(_)) {
        let files = package.sources.files.iter();
        return Some(files.map(|file| file.path.clone()).collect());
    }
    if let Some(paths) = reading.taken.of(&unit.key) {
        return Some(paths);
    }
    let source = found.source(package, unit, &reading.mentions);
    let options = context.options.texts;
    let migration = migrate(&source, name, Vec::new(), context.templates, options).ok()?;
    Some(paths(&migration))
}

/// Returns the files whose text the skill of a hook has: the programs that its document names, and what
/// they name.
fn printed(package: &Package<'_>, unit: &Unit) -> Vec<String> {
    let texts = package.sources.texts;
    let mut acc: Vec<String> = Vec::new();
    let mut open = vec![unit.file.to_string()];
    while let Some(path) = open.pop() {
        let Some(text) = texts.get(&path) else {
            continue;
        };
        for file in package.sources.files {
            if text.contains(&file.path) && !acc.contains(&file.path) {
                acc.push(file.path.clone());
                open.push(file.path.clone());
            }
        }
    }
    acc
}
