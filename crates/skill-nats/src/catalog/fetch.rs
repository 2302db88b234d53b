//! The files of a remote skill: asked for one by one, verified, kept.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use async_nats::Message;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_loader::Digest;
use skill_loader::store::{State, Store};
use skill_model::{LockedSkill, LockedSource};

use super::{RemoteSkill, digest_of_files};
use crate::Error;
use crate::node::{LocalRunner, Offer};
use crate::protocol::{Event, decode, encode, node_subject, short};
use crate::server::Connection;

/// Largest piece of a file in one message, in bytes.
const PIECE: usize = 256 << 10;
/// Largest skill that is fetched, in bytes.
const MAX_BYTES: usize = 64 << 20;
/// Most files of a skill that is fetched.
const MAX_FILES: usize = 20_000;
/// How long a node may take for one piece.
const PATIENCE: Duration = Duration::from_secs(10);

/// A question: the list of files, or a piece of one.
#[derive(Debug, Serialize, Deserialize)]
struct Question {
    skill: String,
    digest: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    offset: usize,
}

/// The list of files.
#[derive(Debug, Serialize, Deserialize)]
struct Listing {
    files: Vec<(String, String)>,
}

/// The answer of a node to such a question.
pub(crate) fn answer_file(
    runner: &dyn LocalRunner,
    offers: &BTreeMap<String, Offer>,
    question: &[u8],
) -> (Event, Vec<u8>) {
    let refused = |why: &str| (Event::Refused, encode(&json!({ "why": why })));
    let Ok(question) = serde_json::from_slice::<Question>(question) else {
        return refused("the question is not understood");
    };
    let is_offered = offers
        .get(&question.skill)
        .is_some_and(|offer| offer.digest == question.digest);
    if !is_offered {
        return refused("this node does not offer the skill");
    }
    let files = runner.files(&question.skill);
    let Some(path) = question.path else {
        return (Event::Result, encode(&Listing { files }));
    };
    if !files.iter().any(|(listed, _)| *listed == path) {
        return refused("the skill has no such file");
    }
    match runner.file(&question.skill, &path) {
        Some(bytes) => {
            let start = question.offset.min(bytes.len());
            let end = (start + PIECE).min(bytes.len());
            (Event::Chunk, bytes[start..end].to_vec())
        }
        None => refused("the file cannot be read"),
    }
}

/// Gets a skill from one of its nodes into `cache`, unless it is there, and gives its name below
/// the directory that is given back. Every file is compared with the digest of the skill.
pub async fn fetch(
    connection: &Connection,
    skill: &RemoteSkill,
    cache: &Path,
) -> Result<std::path::PathBuf, Error> {
    let directory = cache.join(short(&skill.digest));
    let action = "keep a skill of another node";
    if is_kept(&directory, skill)? {
        return Ok(directory);
    }
    let mut problem = None;
    for node in &skill.nodes {
        match files(connection, skill, node).await {
            Ok((listing, bytes)) => {
                keep(&directory, skill, listing, &bytes).map_err(Error::refused(action))?;
                return Ok(directory);
            }
            Err(error) => problem = Some(error),
        }
    }
    Err(problem.unwrap_or_else(|| Error::refused("fetch a skill")("no node has it")))
}

fn is_kept(directory: &Path, skill: &RemoteSkill) -> Result<bool, Error> {
    let store = Store::open_read_only(directory).map_err(Error::refused("look into the cache"))?;
    let is_it = store
        .locked(&skill.name)
        .is_some_and(|entry| entry.source.digest == skill.digest);
    let state = store.state(&skill.name);
    Ok(is_it && matches!(state, Ok(State::Clean)))
}

pub(super) type Files = (Vec<(String, String)>, BTreeMap<String, Vec<u8>>);

pub(super) async fn files(
    connection: &Connection,
    skill: &RemoteSkill,
    node: &str,
) -> Result<Files, Error> {
    let wrong = |problem: String| Error::NotAsListed {
        node: node.to_owned(),
        skill: skill.name.clone(),
        problem,
    };
    let (event, bytes) = ask(connection, skill, node, None, 0).await?;
    if event != Some(Event::Result) {
        return Err(wrong(String::from_utf8_lossy(&bytes).into_owned()));
    }
    let listing = decode::<Listing>("the list of files", &bytes)?.files;
    if listing.len() > MAX_FILES {
        return Err(wrong(format!("it has more than {MAX_FILES} files")));
    }
    if digest_of_files(&listing) != skill.digest {
        return Err(wrong("the list of files has another digest".to_owned()));
    }
    let mut res = BTreeMap::new();
    let mut left = MAX_BYTES;
    for (path, digest) in &listing {
        let mut file = Vec::new();
        loop {
            let (event, piece) = ask(connection, skill, node, Some(path), file.len()).await?;
            if event != Some(Event::Chunk) {
                let why = String::from_utf8_lossy(&piece).into_owned();
                return Err(wrong(format!("{path}: {why}")));
            }
            left = left.saturating_sub(piece.len());
            if left == 0 {
                return Err(wrong(format!("it has more than {MAX_BYTES} bytes")));
            }
            file.extend_from_slice(&piece);
            if piece.len() < PIECE {
                break;
            }
        }
        if Digest::of(&file).to_string() != *digest {
            return Err(wrong(format!("{path} has another digest")));
        }
        res.insert(path.clone(), file);
    }
    Ok((listing, res))
}

async fn ask(
    connection: &Connection,
    skill: &RemoteSkill,
    node: &str,
    path: Option<&str>,
    offset: usize,
) -> Result<(Option<Event>, Vec<u8>), Error> {
    let question = Question {
        skill: skill.name.clone(),
        digest: skill.digest.clone(),
        path: path.map(str::to_owned),
        offset,
    };
    let action = "fetch a skill";
    let subject = node_subject(node, "file");
    let asked = connection.client.request(subject, encode(&question).into());
    let answer: Message = tokio::time::timeout(PATIENCE, asked)
        .await
        .map_err(Error::refused(action))?
        .map_err(Error::refused(action))?;
    let event = Event::of(answer.headers.as_ref());
    Ok((event, answer.payload.to_vec()))
}

fn keep(
    directory: &Path,
    skill: &RemoteSkill,
    listing: Vec<(String, String)>,
    bytes: &BTreeMap<String, Vec<u8>>,
) -> Result<(), skill_loader::store::StoreError> {
    let store = Store::open(directory)?;
    let mut staging = store.stage(&skill.name)?;
    for (path, bytes) in bytes {
        staging.write(path, bytes, false)?;
    }
    let entry = LockedSkill {
        source: LockedSource {
            directory: String::new(),
            manifest: String::new(),
            digest: skill.digest.clone(),
        },
        recipe: String::new(),
        files: listing.into_iter().collect(),
        base: None,
        conflicts: Vec::new(),
    };
    store.commit(staging, entry)?;
    store.finish()?;
    Ok(())
}
