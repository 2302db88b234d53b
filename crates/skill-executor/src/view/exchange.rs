//! Data files that two skills share: `Calendar/entries.json`, which the calendar keeps beside its
//! program and a briefing reads.
//!
//! The reader names the file (`permissions.shared`) and the skill that keeps it (`requires.skills`). Each
//! has a file of its own, in its own place. Before a call of either, the two are brought in step: what
//! changed since the last time is copied. So no program writes where another one runs, and no file is
//! shared that could be code. Skills of one author share both ways; a skill of another author only reads,
//! and only after an approval of it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use skill_loader::fs::Kind;
use skill_loader::tree_of;
use skill_model::{Digest, PrivateKind, SharedFile, private_content};

use super::copy;
use super::layout::PLUGINS;
use super::owner::text_of_path;
use super::place::Place;
use crate::envelope::{Failure, Warning};
use crate::json;
use crate::package::SkillPackage;
use crate::state::State;

/// The skills that read the files of a skill, beneath the state directory: a record for each keeper.
const READERS: &str = "readers";
/// The record of the files that were in step, beside those of the copies of the reader.
const RECORD: &str = "shared-files.json";
/// Largest file that is shared, in bytes.
const MAX_SHARED: u64 = 16 << 20;
/// The end of the name of a file that was replaced by a newer one.
const REPLACED: &str = ".replaced";

/// Brings the files that a skill reads of others in step, and those that others read of it.
pub(super) fn exchange(
    skill: &SkillPackage,
    state: &State,
    place: &Place,
    notes: &mut Vec<Warning>,
) -> Result<(), Failure> {
    for keeper in keepers(skill) {
        let is_both_ways = is_one_author(skill, &keeper);
        if is_both_ways {
            register(skill, &keeper, state)?;
        }
        let Some(its) = Place::find(&keeper, state) else {
            continue;
        };
        let pair = Pair::new((skill, place), (&keeper, &its), is_both_ways);
        if is_both_ways || state.is_reader(&skill.dir) {
            pair.bring_in_step(state, notes)?;
        } else {
            notes.extend(pair.withheld(state));
        }
    }
    for reader in readers(skill, state) {
        if let Some(its) = Place::find(&reader, state) {
            let pair = Pair::new((&reader, &its), (skill, place), true);
            pair.bring_in_step(state, notes)?;
        }
    }
    Ok(())
}

/// Returns true if a skill names a file of a skill of another author, which it reads only after an
/// approval.
pub(crate) fn reads_of_other_authors(skill: &SkillPackage) -> bool {
    let mut keepers = keepers(skill).into_iter();
    keepers.any(|keeper| !is_one_author(skill, &keeper))
}

/// Returns the skills whose files a skill reads.
fn keepers(skill: &SkillPackage) -> Vec<SkillPackage> {
    if skill.metadata.permissions.shared_files().next().is_none() {
        return Vec::new();
    }
    // What is missing, the view of the call reports.
    let mut res = super::required::required(skill, &mut Vec::new());
    res.retain(|other| files(skill, other).next().is_some());
    res
}

/// Returns the files of `keeper` that `reader` names.
fn files(reader: &SkillPackage, keeper: &SkillPackage) -> impl Iterator<Item = SharedFile> {
    let directory = keeper.legacy_directory().to_owned();
    let named = reader.metadata.permissions.shared_files();
    named.filter(move |file| file.directory() == directory)
}

/// Returns true if both were plugins of the same author.
fn is_one_author(one: &SkillPackage, other: &SkillPackage) -> bool {
    let author = |skill: &SkillPackage| {
        let author = skill.metadata.author.as_deref().map(str::trim);
        let author = author.filter(|author| !author.is_empty());
        author.map(str::to_owned)
    };
    let is_plugin = |skill: &SkillPackage| skill.metadata.legacy.is_some();
    is_plugin(one) && is_plugin(other) && author(one).is_some() && author(one) == author(other)
}

/// Records that a skill reads files of another one, whose calls then know it.
fn register(reader: &SkillPackage, keeper: &SkillPackage, state: &State) -> Result<(), Failure> {
    let name = record_of(keeper);
    let mut known = known_readers(keeper, state);
    let dir = text_of_path(&reader.dir);
    if known.contains(&dir) {
        return Ok(());
    }
    known.push(dir);
    let text = json::stringify(&json!({"dir": text_of_path(&keeper.dir), "readers": known}));
    state.write(READERS, &name, &text)
}

fn record_of(keeper: &SkillPackage) -> String {
    let path = keeper.dir.as_os_str().as_encoded_bytes();
    format!("{}.json", Digest::from_content(path).hex())
}

fn known_readers(keeper: &SkillPackage, state: &State) -> Vec<String> {
    let record = state.read(&format!("{READERS}/{}", record_of(keeper)));
    let record = record.unwrap_or_default();
    let dirs = record["readers"].as_array().into_iter().flatten();
    dirs.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the skills that read files of a skill, and still name them.
fn readers(skill: &SkillPackage, state: &State) -> Vec<SkillPackage> {
    let known = known_readers(skill, state).into_iter();
    let is_beside = |dir: &Path| dir != skill.dir && tree_of(dir) == tree_of(&skill.dir);
    let found = known.filter_map(|dir| {
        let dir = Path::new(&dir);
        SkillPackage::read(dir).ok().filter(|_| is_beside(dir))
    });
    found
        .filter(|reader| is_one_author(reader, skill))
        .filter(|reader| keepers(reader).iter().any(|keeper| keeper.dir == skill.dir))
        .collect()
}

/// A skill and the one whose files it reads.
struct Pair<'p> {
    reader: (&'p SkillPackage, &'p Place),
    keeper: (&'p SkillPackage, &'p Place),
    is_both_ways: bool,
}

/// One of the two files: where it is, and what of it is known.
struct Side {
    dir: String,
    name: String,
    content: Option<Content>,
    is_changed: bool,
}

/// The bytes of a file, and when they were written.
#[derive(PartialEq, Eq)]
struct Content {
    bytes: Vec<u8>,
    modified: i128,
}

impl<'p> Pair<'p> {
    fn new(
        reader: (&'p SkillPackage, &'p Place),
        keeper: (&'p SkillPackage, &'p Place),
        is_both_ways: bool,
    ) -> Self {
        Self {
            reader,
            keeper,
            is_both_ways,
        }
    }

    fn bring_in_step(&self, state: &State, notes: &mut Vec<Warning>) -> Result<(), Failure> {
        let ((reader, its), (keeper, _)) = (self.reader, self.keeper);
        let records = copy::records(its);
        let record = state.read(&format!("{records}/{RECORD}"));
        let mut known = record.unwrap_or_else(|| json!({}));
        let before = known.clone();
        for file in files(reader, keeper) {
            match self.of_file(&file, &known, state) {
                Some(sides) => {
                    let digest = self.step(sides, state, notes);
                    known[file.to_string()] = digest.map_or(Value::Null, Value::from);
                }
                None => notes.push(no_data(&file)),
            }
        }
        if known == before {
            return Ok(());
        }
        state.write(&records, RECORD, &json::stringify(&known))
    }

    /// Returns the warning about the files that the keeper has and that the reader does not get.
    fn withheld(&self, state: &State) -> Option<Warning> {
        let ((reader, _), (keeper, its)) = (self.reader, self.keeper);
        let is_there = |file: &SharedFile| {
            let path = format!("{}/{}", its.plugin(keeper), file.path());
            matches!(state.root().kind(&path), Ok(Some(Kind::File(_))))
        };
        let names: Vec<String> = files(reader, keeper)
            .filter(is_there)
            .map(|file| format!("`{file}`"))
            .collect();
        let message = format!(
            "{} of `{}` is not read, because it has another author; to allow it: skills-run approve {}",
            names.join(", "),
            keeper.metadata.name,
            reader.metadata.name
        );
        (!names.is_empty()).then(|| Warning::new("shared-file-withheld", message))
    }

    /// Returns the reader's file and the keeper's; `None` if one of them is not a data file.
    fn of_file(&self, file: &SharedFile, known: &Value, state: &State) -> Option<[Side; 2]> {
        let ((_, its), (keeper, place)) = (self.reader, self.keeper);
        let last = known[file.to_string()].as_str();
        let side = |base: String, copied: BTreeMap<String, String>| {
            let path = format!("{base}/{}", file.path());
            let content = read(state, &path).ok()?;
            let digest = content.as_ref().map(digest_of);
            // What was only copied from the package is not a change.
            let is_copied = digest.is_some() && digest.as_ref() == copied.get(file.path());
            let (dir, name) = path.rsplit_once('/')?;
            Some(Side {
                dir: dir.to_owned(),
                name: name.to_owned(),
                is_changed: digest.as_deref() != last && !is_copied,
                content,
            })
        };
        let copied = copy::digests(its, state, &copy::record_of(keeper));
        let of_reader = format!("{}/{PLUGINS}/{}", its.beside(), keeper.legacy_directory());
        let own = copy::digests(place, state, copy::OWN);
        Some([side(of_reader, copied)?, side(place.plugin(keeper), own)?])
    }

    /// Copies what changed. Returns the digest of the file if both are equal then.
    fn step(
        &self,
        [reader, keeper]: [Side; 2],
        state: &State,
        notes: &mut Vec<Warning>,
    ) -> Option<String> {
        let bytes = |side: &Side| side.content.as_ref().map(|content| content.bytes.clone());
        let modified = |side: &Side| side.content.as_ref().map(|content| content.modified);
        if bytes(&reader) != bytes(&keeper) {
            let is_newer = modified(&reader) > modified(&keeper);
            let from_reader = reader.is_changed && (!keeper.is_changed || is_newer);
            if from_reader && !self.is_both_ways {
                // Its own change is not the other skill's.
                return None;
            }
            let (from, to) = if from_reader {
                (&reader, &keeper)
            } else {
                (&keeper, &reader)
            };
            if to.is_changed {
                notes.extend(put_aside(to, state));
            }
            if let Err(why) = copied(from, to, state) {
                notes.push(why);
                return None;
            }
            return from.content.as_ref().map(digest_of);
        }
        reader.content.as_ref().map(digest_of)
    }
}

/// Reads a file of data; an error for anything else, `None` if there is none.
fn read(state: &State, path: &str) -> Result<Option<Content>, ()> {
    let root = state.root();
    let info = match root.kind(path).map_err(drop)? {
        None => return Ok(None),
        Some(Kind::File(info)) => info,
        Some(_) => return Err(()),
    };
    if info.executable || info.n_links > 1 {
        return Err(());
    }
    let bytes = root.read(path, MAX_SHARED).map_err(drop)?;
    let is_secret = private_content(&bytes).is_some_and(|row| row.kind == PrivateKind::Credentials);
    // Programs begin with `#!`, or are binary.
    if is_secret || bytes.starts_with(b"#!") || bytes.contains(&0) {
        return Err(());
    }
    let modified = info.stamp.modified;
    Ok(Some(Content { bytes, modified }))
}

fn digest_of(content: &Content) -> String {
    Digest::from_content(&content.bytes).hex()
}

/// Writes what one side has to the other one, or removes it there.
fn copied(from: &Side, to: &Side, state: &State) -> Result<(), Warning> {
    let root = state.root();
    let res = match &from.content {
        Some(content) => root.write_whole(&to.dir, &to.name, &content.bytes),
        None => root.remove(&format!("{}/{}", to.dir, to.name)),
    };
    res.map_err(|error| Warning::new("shared-file-kept", error.to_string()))
}

/// Keeps what a side had under another name.
fn put_aside(side: &Side, state: &State) -> Option<Warning> {
    let content = side.content.as_ref()?;
    let name = format!("{}{REPLACED}", side.name);
    let path = state.path(&format!("{}/{name}", side.dir));
    let message = match state.root().write_whole(&side.dir, &name, &content.bytes) {
        Ok(()) => format!(
            "a file that two skills share changed in both; the older one is now {}",
            path.display()
        ),
        Err(error) => error.to_string(),
    };
    Some(Warning::new("state-replaced", message))
}

/// Returns the warning about a file that skills may not share.
fn no_data(file: &SharedFile) -> Warning {
    let message = format!(
        "`{file}` is not shared: it is a link, a program, a secret, binary, or has more than 16 MiB"
    );
    Warning::new("shared-file-kept", message)
}
