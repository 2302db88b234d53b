//! The copy of a skill's files, and the record of what was copied.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use skill_loader::fs::{CopiedFile, MirrorResult, MirrorRules, Prefer};
use skill_model::{INSTALLED, PrivateKind, UPSTREAM_SKILL, skill_file};

use super::host_file::put;
use super::layout::{CONFIG, MANIFEST, PLUGINS};
use super::place::Place;
use crate::envelope::{Failure, Warning};
use crate::json;
use crate::package::SkillPackage;
use crate::state::State;

/// The records of what was copied, beneath the state directory: a directory for each place.
const RECORDS: &str = "copies";
/// The record of a skill's own files.
pub(super) const OWN: &str = "own.json";
/// The directory in which the migrator puts modules of the old host.
const MODULES: &str = "legacy";
/// The directory in which the migrator puts programs.
const SCRIPTS: &str = "scripts";

/// Returns the part of the skill that is copied, and the directory in it where the program runs.
pub(super) fn source(skill: &SkillPackage) -> (&'static str, &str) {
    let dir = skill
        .metadata
        .entry
        .as_ref()
        .map_or("", |entry| entry.dir.as_str());
    let dir = dir.trim_matches('/').trim_start_matches("./");
    match dir.strip_prefix(SCRIPTS) {
        Some("") => (SCRIPTS, ""),
        Some(rest) if rest.starts_with('/') => (SCRIPTS, &rest[1..]),
        _ if dir == "." => ("", ""),
        _ => ("", dir),
    }
}

/// Returns the directory of the records of a place, beneath the state directory.
pub(super) fn records(place: &Place) -> String {
    format!("{RECORDS}/{}", place.key())
}

/// The digests of what was copied, by the paths in the copy.
pub(super) fn digests(place: &Place, state: &State, record: &str) -> BTreeMap<String, String> {
    let known = state.read(&format!("{}/{record}", records(place)));
    let known = known.map_or_else(BTreeMap::new, |known| read(&known));
    let known = known
        .into_iter()
        .map(|(path, copied)| (path, copied.digest));
    known.collect()
}

/// Brings the copy of the skill's own files up to date.
pub(super) fn own(
    skill: &SkillPackage,
    state: &State,
    place: &Place,
    prefer: Prefer,
    notes: &mut Vec<Warning>,
) -> Result<(), Failure> {
    let rules = MirrorRules {
        link: &is_linked,
        skip: &|_| false,
        prefer,
    };
    let target = place.plugin(skill);
    let from = source(skill).0;
    let Some(mirrored) = mirror((skill, from), state, (place, OWN), &target, &rules)? else {
        // A command line without files of its own.
        return state.make_dir(&target);
    };
    notes.extend(warnings(&target, &mirrored, state));
    Ok(())
}

/// Returns the name of the record of another skill's files.
pub(super) fn record_of(other: &SkillPackage) -> String {
    format!("beside-{}.json", other.legacy_directory())
}

/// Returns the links that a copy in `target` may have to packages that are installed in the skill.
pub(super) fn package_links(skill: &SkillPackage, target: &str) -> Vec<(String, String)> {
    let installed = skill.dir.join(source(skill).0);
    let links = INSTALLED.iter().map(|name| {
        let to = installed.join(name).to_string_lossy().into_owned();
        (format!("{target}/{name}"), to)
    });
    links.collect()
}

/// Brings a copy of another skill's files up to date; gives the directories that are links into its
/// package. A file that changed in both is that of the package.
pub(super) fn other(
    skill: &SkillPackage,
    state: &State,
    place: &Place,
    target: &str,
    notes: &mut Vec<Warning>,
) -> Result<Vec<String>, Failure> {
    let rules = MirrorRules {
        link: &is_linked,
        skip: &is_private,
        prefer: Prefer::Source,
    };
    let record = record_of(skill);
    let from = source(skill).0;
    let mirrored = mirror((skill, from), state, (place, &record), target, &rules)?;
    let Some(mirrored) = mirrored else {
        return Ok(Vec::new());
    };
    notes.extend(replaced(target, &mirrored, state));
    Ok(mirrored.linked)
}

/// Brings the copy of the old host's modules that a skill has up to date: in the directory `target`,
/// which replaces the old host's.
pub(super) fn host_modules(
    skill: &SkillPackage,
    state: &State,
    (place, record): (&Place, &str),
    target: &str,
    notes: &mut Vec<Warning>,
) -> Result<(), Failure> {
    let rules = MirrorRules {
        link: &|_| false,
        skip: &|path| path == PLUGINS || skill_model::SHARED_DIRECTORIES.contains(&path),
        prefer: Prefer::Source,
    };
    if let Some(mirrored) = mirror((skill, MODULES), state, (place, record), target, &rules)? {
        notes.extend(warnings(target, &mirrored, state));
    }
    Ok(())
}

/// Copies what changed of a directory of the skill, and keeps the record; `None` for a skill without
/// that directory.
fn mirror(
    (skill, source): (&SkillPackage, &str),
    state: &State,
    (place, record): (&Place, &str),
    target: &str,
    rules: &MirrorRules<'_>,
) -> Result<Option<MirrorResult>, Failure> {
    let root = &skill.root;
    if root
        .kind(source)
        .map_err(|error| Failure::io(&error))?
        .is_none()
    {
        return Ok(None);
    }
    let dir = records(place);
    let known = state.read(&format!("{dir}/{record}"));
    let known = known.map_or_else(BTreeMap::new, |known| read(&known));
    let mirrored = state.root().mirror(target, (root, source), &known, rules);
    let mirrored = mirrored.map_err(|error| Failure::io(&error))?;
    if mirrored.files != known {
        state.write(&dir, record, &json::stringify(&written(&mirrored.files)))?;
    }
    name_nested(state, target, &mirrored.files)?;
    Ok(Some(mirrored))
}

/// Gives skills inside a skill their own name again, beside the one under which they are carried: programs
/// look for it.
fn name_nested(
    state: &State,
    target: &str,
    files: &BTreeMap<String, CopiedFile>,
) -> Result<(), Failure> {
    for path in files.keys() {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        if name == UPSTREAM_SKILL {
            let dir = format!("{target}/{dir}");
            let text = state.read_text(&format!("{target}/{path}"));
            put(state, dir.trim_end_matches('/'), skill_file(false), text)?;
        }
    }
    Ok(())
}

/// Turns the record of an older version, which had no digests, into one of ours.
pub(super) fn adopt(state: &State, place: &Place, old: &Value) -> Result<(), Failure> {
    let files = old_files(old).into_iter();
    let files = files.map(|(path, source)| {
        let digest = String::new();
        (path, CopiedFile { source, digest })
    });
    let text = json::stringify(&written(&files.collect()));
    state.write(&records(place), OWN, &text)
}

/// Reads the files of an old record: path and stamp of the source.
fn old_files(record: &Value) -> Vec<(String, String)> {
    let files = record["files"].as_object().into_iter().flatten();
    let files = files.filter_map(|(path, stamp)| Some((path.clone(), stamp.as_str()?.to_owned())));
    files.collect()
}

fn read(record: &Value) -> BTreeMap<String, CopiedFile> {
    let files = record["files"].as_object().into_iter().flatten();
    let files = files.map(|(path, file)| {
        let text = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
        let copied = CopiedFile {
            source: text("source"),
            digest: text("sha256"),
        };
        (path.clone(), copied)
    });
    files.collect()
}

fn written(files: &BTreeMap<String, CopiedFile>) -> Value {
    let files = files.iter().map(|(path, copied)| {
        let file = json!({"source": copied.source, "sha256": copied.digest});
        (path.clone(), file)
    });
    json!({"files": files.collect::<Map<_, _>>()})
}

/// Returns the warnings for the user about an update.
fn warnings(target: &str, mirrored: &MirrorResult, state: &State) -> Vec<Warning> {
    let mut res = Vec::new();
    let dir = state.path(target);
    let dir = dir.display();
    let kept = mirrored.kept.iter();
    let kept = kept.filter(|path| !matches!(path.as_str(), CONFIG | MANIFEST));
    for path in kept {
        let message = format!(
            "`{path}` changed in the skill and in its state, and stays as it is in {dir}; \
             --state-from skill takes the skill's file, --state-from copy keeps the state's"
        );
        res.push(Warning::new("state-kept", message));
    }
    res.extend(replaced(target, mirrored, state));
    if !mirrored.left_out.is_empty() {
        let names = mirrored.left_out.join("`, `");
        let message = format!(
            "not copied into {dir}, because it is a link that leads elsewhere, no regular file, too deep, too much, or has a name that not every system can store: `{names}`"
        );
        res.push(Warning::new("not-copied", message));
    }
    res
}

/// Returns the warnings about files of the state that were renamed.
fn replaced(target: &str, mirrored: &MirrorResult, state: &State) -> Vec<Warning> {
    let dir = state.path(target);
    let dir = dir.display();
    let replaced = mirrored.replaced.iter().map(|path| {
        let message = format!("the state's file gave way to the skill's and is now {dir}/{path}");
        Warning::new("state-replaced", message)
    });
    replaced.collect()
}

/// Returns true if a directory is linked instead of copied: its packages are large and are only read.
fn is_linked(path: &str) -> bool {
    INSTALLED.contains(&name(path))
}

/// Returns true for settings and credentials, which those that may read a skill's program may not
/// read. Its data is not among them: skills that name each other share it.
fn is_private(path: &str) -> bool {
    let kind = skill_model::private_path(path).map(|row| row.kind);
    matches!(kind, Some(PrivateKind::Settings | PrivateKind::Credentials))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}
