//! The skills of all nodes as a directory of skills, which every tool searches after the local
//! directories.
//!
//! The skills in it can be read and searched, and their calls go to a node: their type is
//! `distributed`. The code of a node and its permissions are not written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skill_loader::Digest;
use skill_loader::store::{State, Store, StoreError};
use skill_model::{
    ExecutorKind, Frontmatter, LockedSkill, LockedSource, Metadata, Permissions, Transport,
    parse_skill, read_metadata, yaml,
};

use super::fetch::{Deadlines, PATIENCE, files};
use super::{MalformedEntry, RemoteSkill, Shadowed, read};
use crate::Error;
use crate::server::Connection;

/// The version of the files that are written for a remote skill.
const RECIPE: &str = "mirror 1";
/// The directory of a skill with files that are read and never run.
const REFERENCES: &str = "references/";

/// The result of mirroring the skills of all nodes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Mirrored {
    /// The skills that were written, new or in a new version.
    pub written: Vec<String>,
    /// The skills that are unchanged.
    pub unchanged: Vec<String>,
    /// The skills that were removed, because no living node has them.
    pub removed: Vec<String>,
    /// The skills that were left as they are, with the reason: they were edited, or their node sent
    /// other files.
    pub refused: BTreeMap<String, String>,
    /// The skills that another skill of their name hides.
    pub shadowed: Vec<Shadowed>,
    /// The entries of the catalog that cannot be used.
    pub malformed: Vec<MalformedEntry>,
}

/// Updates the directory `out` to the skills of living nodes. `local` are names that are taken.
///
/// # Errors
///
/// If the server does not answer, or the directory cannot be written. A failure of one skill is part
/// of the result.
pub async fn mirror(
    connection: &Connection,
    out: &Path,
    local: &BTreeSet<String>,
    prefer: &[String],
) -> Result<Mirrored, Error> {
    let action = "mirror the skills of the nodes";
    let union = read(connection, local, prefer).await?;
    let store = Store::open(out).map_err(Error::refused(action))?;
    let mut res = Mirrored {
        shadowed: union.shadowed,
        malformed: union.malformed,
        ..Mirrored::default()
    };
    let refused = union.refused.iter();
    res.refused = refused
        .map(|(name, error)| (name.clone(), error.to_string()))
        .collect();
    let mut deadlines = Deadlines::default();
    for (name, skill) in &union.skills {
        match one(connection, &store, skill, &mut deadlines).await {
            Ok(true) => res.written.push(name.clone()),
            Ok(false) => res.unchanged.push(name.clone()),
            Err(error) => {
                res.refused.insert(name.clone(), error.to_string());
            }
        }
    }
    let is_there = |name: &str| union.skills.contains_key(name);
    remove_others(&store, is_there, &mut res).map_err(Error::refused(action))?;
    store.finish().map_err(Error::refused(action))?;
    Ok(res)
}

/// Removes the skills that [`mirror`] wrote to `out`, except those that were edited.
///
/// # Errors
///
/// If the directory cannot be written.
pub fn forget(out: &Path) -> Result<(), Error> {
    let action = "take the skills of the nodes away";
    let store = Store::open(out).map_err(Error::refused(action))?;
    remove_others(&store, |_| false, &mut Mirrored::default()).map_err(Error::refused(action))?;
    store.finish().map_err(Error::refused(action))?;
    Ok(())
}

/// Removes the skills that no node has any more, and reports them.
fn remove_others(
    store: &Store,
    is_there: impl Fn(&str) -> bool,
    report: &mut Mirrored,
) -> Result<(), StoreError> {
    for name in store.lock().skills.keys().filter(|name| !is_there(name)) {
        match store.state(name)? {
            State::Clean | State::Absent => {
                store.remove(name)?;
                report.removed.push(name.clone());
            }
            _ => {
                let why = "no node has it any more, and it was edited here".to_owned();
                report.refused.insert(name.clone(), why);
            }
        }
    }
    Ok(())
}

/// Writes one skill. Returns false if it is unchanged.
async fn one(
    connection: &Connection,
    store: &Store,
    skill: &RemoteSkill,
    deadlines: &mut Deadlines,
) -> Result<bool, Error> {
    let action = "write a skill of another node";
    let state = store.state(&skill.name).map_err(Error::refused(action))?;
    let source = LockedSource {
        directory: skill.nodes.join(","),
        manifest: "nats".to_owned(),
        digest: skill.digest.clone(),
    };
    let known = store.locked(&skill.name);
    let is_same = known.is_some_and(|entry| entry.source == source && entry.recipe == RECIPE);
    match state {
        State::Clean if is_same => return Ok(false),
        State::Clean | State::Absent => {}
        _ => return Err(Error::refused(action)("it was edited here")),
    }
    let mut problem = Error::refused(action)("no node has it");
    for node in &skill.nodes {
        if deadlines.is_over(node) {
            problem = Error::Silent {
                node: node.clone(),
                waited_s: PATIENCE.as_secs(),
            };
            continue;
        }
        match files(connection, skill, node, deadlines).await {
            Ok((_, bytes)) => {
                let written = write(store, skill, source, &bytes);
                return written.map(|()| true).map_err(Error::refused(action));
            }
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

fn write(
    store: &Store,
    skill: &RemoteSkill,
    source: LockedSource,
    theirs: &BTreeMap<String, Vec<u8>>,
) -> Result<(), StoreError> {
    let text = |path: &str| {
        let bytes = theirs.get(path)?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    };
    let mut ours = BTreeMap::new();
    let instructions = instructions(skill, &text("SKILL.md").unwrap_or_default());
    ours.insert("SKILL.md", instructions.into_bytes());
    let metadata = metadata(skill, text("METADATA.yml").as_deref());
    ours.insert("METADATA.yml", metadata.to_yaml().into_bytes());
    for (path, bytes) in theirs {
        if path.starts_with(REFERENCES) {
            ours.insert(path, bytes.clone());
        }
    }
    let mut staging = store.stage(&skill.name)?;
    let mut files = BTreeMap::new();
    for (path, bytes) in ours {
        staging.write(path, &bytes, false)?;
        files.insert(path.to_owned(), Digest::from_content(&bytes).to_string());
    }
    let entry = LockedSkill {
        source,
        recipe: RECIPE.to_owned(),
        files,
        base: None,
        conflicts: Vec::new(),
        hosted: false,
    };
    store.commit(staging, entry)?;
    Ok(())
}

/// Returns the instructions of the node's skill below a frontmatter with its name, description and
/// origin only.
fn instructions(skill: &RemoteSkill, theirs: &str) -> String {
    let (parsed, _) = parse_skill(theirs);
    let body = parsed.map_or("", |parsed| parsed.body(theirs));
    let description = if skill.description.trim().is_empty() {
        "A skill of another machine."
    } else {
        skill.description.trim()
    };
    let frontmatter = Frontmatter {
        name: skill.name.clone(),
        description: description.to_owned(),
        metadata: BTreeMap::from([
            ("nodes".to_owned(), skill.nodes.join(", ")),
            ("digest".to_owned(), skill.digest.clone()),
        ]),
        ..Frontmatter::default()
    };
    frontmatter.emit(&tamed(body))
}

/// Disables commands that some agents run while they read a skill: a line in back quotes, or a
/// fence, with an exclamation mark.
fn tamed(body: &str) -> String {
    body.replace("!`", "! `").replace("```!", "``` !")
}

/// Returns the metadata of the skill, changed for a skill that runs on another machine.
fn metadata(skill: &RemoteSkill, theirs: Option<&str>) -> Metadata {
    let plain = yaml::to_string(&serde_json::json!({
        "schema": 1,
        "name": skill.name,
        "version": skill.version,
        "type": "distributed",
    }));
    let read = |text: &str| read_metadata(text).0;
    let theirs = theirs
        .and_then(read)
        .or_else(|| read(&plain))
        .expect("the plain one can be read");
    Metadata {
        name: skill.name.clone(),
        description: skill.description.clone(),
        executor: ExecutorKind::Distributed,
        transport: Some(Transport::Nats),
        enabled: true,
        runnable: true,
        prompt: None,
        entry: None,
        asynchronous: None,
        placeholders: Vec::new(),
        refresh: None,
        config: skill_model::Config::default(),
        requires: skill_model::Requires::default(),
        host_requires: Vec::new(),
        host_answered: Vec::new(),
        host_modules: Vec::new(),
        routes: None,
        push: None,
        permissions: Permissions {
            network: "none".to_owned(),
            network_allowlist: Vec::new(),
            filesystem: "none".to_owned(),
            shared: Vec::new(),
            environment: Vec::new(),
            admin: false,
            approval: "none".to_owned(),
            approval_for: Vec::new(),
        },
        legacy: None,
        files: Vec::new(),
        findings: Vec::new(),
        ..theirs
    }
}
