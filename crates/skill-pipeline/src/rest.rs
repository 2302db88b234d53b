//! The files of a package that are in no skill: not a part, not a copy, and not named by another finding.
//! Each of them is named once, by its directory.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::{Format, LeaveReason, LeftOut, Package, Unit, UnitKey, UnitKind};
use plugin_readers::is_home;
use rayon::prelude::*;
use skill_diagnostics::{Code, Diagnostic};
use skill_migrator::migrate;
use skill_model::SkillName;

use crate::{
    context::Context, discover::Candidate, plugin_files::PluginFiles, reading::Reading,
    taken::paths, unit::is_below,
};

/// Files of a package are in no skill.
pub(crate) const FILES_LEFT: Code = Code("files-not-migrated");

/// The most directories at two levels that a finding names; more are named by their first level.
const MAX_GROUPS: usize = 12;

/// The meaning for a host of the directories at the top of a package.
const KINDS: [(&str, &str); 24] = [
    ("output-styles", "output styles"),
    ("rules", "rules"),
    ("themes", "themes"),
    ("theme", "themes"),
    ("monitors", "monitors"),
    ("workflows", "workflows"),
    ("policies", "policies"),
    ("hooks", "hooks"),
    (".lsp.json", "language servers"),
    (".app.json", "apps"),
    ("settings.json", "settings"),
    ("tool", "code tools"),
    ("tools", "code tools"),
    ("plugin", "code plugins"),
    ("plugins", "code plugins"),
    ("mode", "modes"),
    ("modes", "modes"),
    ("agents", "other agents"),
    ("agent", "other agents"),
    ("commands", "other commands"),
    ("command", "other commands"),
    ("prompts", "other prompts"),
    ("skills", "without SKILL.md"),
    ("skill", "without SKILL.md"),
];

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
        let is_package = |name: &str| found.searches_inside && is_home(name);
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
    let is_part = open.iter().any(|path| kind(path).is_some());
    let is_part = is_part || left_out.iter().any(|left| is_other_home(&left.path));
    groups.extend(left_out.iter().map(|left| {
        let (path, why) = (left.path.escape_debug(), left.reason.phrase());
        format!("`{path}` ({why})")
    }));
    (!groups.is_empty()).then(|| finding_about(&groups, is_part))
}

/// Returns the finding about these files of a package that has no skill.
pub(crate) fn left(open: &BTreeSet<&str>) -> Option<Diagnostic> {
    let is_part = open.iter().any(|path| kind(path).is_some());
    let groups = grouped(open, &kind);
    (!groups.is_empty()).then(|| finding_about(&groups, is_part))
}

fn finding_about(groups: &[String], is_part: bool) -> Diagnostic {
    let message = format!(
        "files of the package are in no skill: {}",
        groups.join(", ")
    );
    let help = "a file that a skill needs must be named in its text; set up in your agent what else you need";
    let finding = if is_part {
        Diagnostic::warning(FILES_LEFT, message)
    } else {
        Diagnostic::note(FILES_LEFT, message)
    };
    finding.with_help(help)
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
    let mut above = path.match_indices('/').map(|(at, _)| &path[..=at]);
    found.read_by_others.contains(path) || above.any(|it| found.read_by_others.contains(it))
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

/// Returns the kind of the part of a host that a file is by its place.
fn kind(path: &str) -> Option<&'static str> {
    let first = path.split('/').next().unwrap_or_default();
    let row = KINDS.iter().find(|(name, _)| *name == first);
    row.map(|(_, kind)| *kind)
}

/// Returns each file at the top, and each directory with the number of its files, at most at two levels.
pub(crate) fn groups(paths: &BTreeSet<&str>) -> Vec<String> {
    grouped(paths, &|_| None)
}

/// Returns each file at the top, and each directory with the number of its files.
fn grouped(paths: &BTreeSet<&str>, kind: &dyn Fn(&str) -> Option<&'static str>) -> Vec<String> {
    let by = |levels: usize| {
        let mut groups: BTreeMap<String, (usize, Option<&'static str>)> = BTreeMap::new();
        for path in paths {
            let parts: Vec<&str> = path.split('/').collect();
            let n_directories = (parts.len() - 1).min(levels);
            let group = match n_directories {
                0 => (*path).to_owned(),
                n => format!("{}/", parts[..n].join("/")),
            };
            let group = groups.entry(group).or_insert((0, kind(path)));
            group.0 += 1;
        }
        groups
    };
    let groups = Some(by(2)).filter(|it| it.len() <= MAX_GROUPS);
    let groups = groups.unwrap_or_else(|| by(1));
    let groups = groups.into_iter().map(|(group, (n_files, kind))| {
        let path = group.escape_debug();
        let files = if n_files == 1 { "file" } else { "files" };
        match (group.ends_with('/'), kind) {
            (true, Some(kind)) => format!("`{path}` ({n_files} {files}: {kind})"),
            (true, None) => format!("`{path}` ({n_files} {files})"),
            (false, Some(kind)) => format!("`{path}` ({kind})"),
            (false, None) => format!("`{path}`"),
        }
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(paths: &[&str], expected: &[&str]) {
        let paths: BTreeSet<&str> = paths.iter().copied().collect();
        assert_eq!(grouped(&paths, &kind), expected);
    }

    #[test]
    fn files_are_named_by_their_directories() {
        check(
            &[
                "README.md",
                "themes/a.json",
                "themes/b.json",
                "src/a/b/c.rs",
            ],
            &[
                "`README.md`",
                "`src/a/` (1 file)",
                "`themes/` (2 files: themes)",
            ],
        );
        check(&[".lsp.json"], &["`.lsp.json` (language servers)"]);
        let many: Vec<String> = (0..20).map(|n| format!("docs/{n}/a.md")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, &["`docs/` (20 files)"]);
    }
}
