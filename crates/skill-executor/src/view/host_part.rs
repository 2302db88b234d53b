//! The parts of the old host around a program: its modules, which the skill brings, and the files
//! that answer in place of its centre.
//!
//! Code finds both where they were: `require('../../modules/x')`, `require('../../Plugin.js')`. What
//! answers is [`ANSWERS`], the same code that a module gets as its dependencies.

use std::collections::BTreeMap;

use skill_loader::Digest;
use skill_loader::fs::Kind;
use skill_model::Runtime;

use super::copy;
use super::host_file::put;
use super::layout::NODE_MODULES;
use super::place::Place;
use crate::envelope::{Failure, Warning};
use crate::module::ANSWERS;
use crate::package::SkillPackage;
use crate::state::State;

/// The file with the answers, in the directory that replaces the old host's.
const ANSWERS_FILE: &str = ".skills-run-host.js";

/// The record of the modules that were copied.
const RECORD: &str = "host.json";

/// The files of the old host's centre, and the member of the answers that replaces each.
const CENTRE: [(&str, &str); 5] = [
    ("KnowledgeBaseManager.js", "knowledgeBaseManager"),
    ("Plugin.js", "pluginManager"),
    ("TDBKnowledge.js", "tdbKnowledgeManager"),
    ("VectorDBManager.js", "knowledgeBaseManager"),
    ("WebSocketServer.js", "webSocketServer"),
];

/// Lays out the parts for a skill in `target`. `user` is the skill that uses it: itself, or one that
/// requires it.
pub(super) fn lay_out(
    skill: &SkillPackage,
    user: &SkillPackage,
    state: &State,
    (place, target): (&Place, &str),
    notes: &mut Vec<Warning>,
) -> Result<(), Failure> {
    let record = record(skill, user);
    copy::host_modules(skill, state, (place, &record), target, notes)?;
    packages(skill, state, target)?;
    for (file, text) in answers(skill) {
        put(state, target, file, Some(text))?;
    }
    Ok(())
}

/// Returns the name of the record of the modules that were copied.
fn record(skill: &SkillPackage, user: &SkillPackage) -> String {
    if skill.dir == user.dir {
        return RECORD.to_owned();
    }
    format!("beside-{}-{RECORD}", skill.legacy_directory())
}

/// Returns the files that answer in place of the host's centre, for a skill that uses it.
fn answers(skill: &SkillPackage) -> Vec<(&'static str, String)> {
    let runtime = skill.metadata.entry.as_ref().map(|entry| entry.runtime);
    if skill.metadata.host_answered.is_empty() || runtime != Some(Runtime::Node) {
        return Vec::new();
    }
    let centre = CENTRE.iter().map(|(file, member)| {
        let text = format!(
            "// Written by skills-run in place of a part of the old host.\nmodule.exports = require('./{ANSWERS_FILE}').shared().{member};\n"
        );
        (*file, text)
    });
    centre.chain([(ANSWERS_FILE, ANSWERS.to_owned())]).collect()
}

/// Returns the digests of all files that were laid out in `target`, by their path beneath the state
/// directory. `user` is the skill that uses them.
pub(super) fn laid_for(
    skill: &SkillPackage,
    user: &SkillPackage,
    state: &State,
    (place, target): (&Place, &str),
) -> BTreeMap<String, String> {
    let at = |file: &str| format!("{target}/{file}");
    let modules = copy::digests(place, state, &record(skill, user)).into_iter();
    let modules = modules.map(|(path, digest)| (at(&path), digest));
    let answers = answers(skill).into_iter();
    let answers =
        answers.map(|(file, text)| (at(file), Digest::from_content(text.as_bytes()).hex()));
    modules.chain(answers).collect()
}

/// Lets modules of the host find the packages that are installed beside the program: Node.js looks for
/// them above each file.
fn packages(skill: &SkillPackage, state: &State, target: &str) -> Result<(), Failure> {
    let installed = format!("{}/{NODE_MODULES}", copy::source(skill).0);
    let is_there = matches!(skill.root.kind(&installed), Ok(Some(Kind::Dir)));
    if skill.metadata.host_modules.is_empty() || !is_there {
        return Ok(());
    }
    let (at, to) = packages_link(skill, target);
    // Something else of that name is the skill's own, and stays.
    let linked = state.root().link(&at, &to);
    linked.map(drop).map_err(|error| Failure::io(&error))
}

/// Returns the link to the packages of a skill: its path, and its target.
pub(super) fn packages_link(skill: &SkillPackage, base: &str) -> (String, String) {
    let installed = skill.dir.join(copy::source(skill).0).join(NODE_MODULES);
    let at = format!("{base}/{NODE_MODULES}");
    (at, installed.to_string_lossy().into_owned())
}
