//! The files of a remote skill: requested one by one, verified, stored.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use async_nats::Message;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_loader::Digest;
use skill_loader::store::{State, Store};
use skill_model::{LockedSkill, LockedSource};
use tokio::time::Instant;

use super::{RemoteSkill, digest_of_skill};
use crate::Error;
use crate::node::{LocalRunner, Offer};
use crate::protocol::{Event, Inbox, decode, encode, sender, short};
use crate::server::Connection;

/// The maximum size of a piece of a file in one message, in bytes.
const PIECE: usize = 256 << 10;
/// The maximum size of a skill that is fetched, in bytes.
const MAX_BYTES: usize = 64 << 20;
/// The maximum number of files of a skill that is fetched.
const MAX_FILES: usize = 20_000;
/// The time for which a node may delay a reader, for all its skills together.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// The part of an answer's time that does not count, because a distant node is not a silent one.
const EARNED: Duration = Duration::from_millis(100);
/// The time limit for all requests to a node. The remaining skills are fetched the next time.
const WHOLE: Duration = Duration::from_mins(2);

/// The remaining time of each node, for all its skills.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    nodes: BTreeMap<String, Deadline>,
}

#[derive(Clone, Copy, Debug)]
struct Deadline {
    /// The rest of [`PATIENCE`].
    left: Duration,
    /// The rest of [`WHOLE`].
    whole: Duration,
}

impl Default for Deadline {
    fn default() -> Self {
        Self {
            left: PATIENCE,
            whole: WHOLE,
        }
    }
}

impl Deadlines {
    /// Returns true if a node has used up its time.
    pub(super) fn is_over(&self, node: &str) -> bool {
        self.left(node).is_zero()
    }

    /// Returns the time limit of the next answer of a node.
    fn left(&self, node: &str) -> Duration {
        let deadline = self.nodes.get(node).copied().unwrap_or_default();
        deadline.left.min(deadline.whole)
    }

    /// Counts the time of an answer, or of the silence if there was none.
    fn count(&mut self, node: &str, took: Duration, is_answer: bool) {
        let deadline = self.nodes.entry(node.to_owned()).or_default();
        let earned = if is_answer {
            took.min(EARNED)
        } else {
            Duration::ZERO
        };
        deadline.left = (deadline.left + earned).saturating_sub(took);
        deadline.whole = deadline.whole.saturating_sub(took);
    }
}

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
    /// Digest of all that runs, published or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
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
        let program = runner.program(&question.skill);
        return (Event::Result, encode(&Listing { files, program }));
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
    let mut deadlines = Deadlines::default();
    for node in &skill.nodes {
        match files(connection, skill, node, &mut deadlines).await {
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
    deadlines: &mut Deadlines,
) -> Result<Files, Error> {
    let wrong = |problem: String| Error::NotAsListed {
        node: node.to_owned(),
        skill: skill.name.clone(),
        problem,
    };
    let (event, bytes) = ask(connection, skill, node, (None, 0), deadlines).await?;
    if event != Some(Event::Result) {
        return Err(wrong(String::from_utf8_lossy(&bytes).into_owned()));
    }
    let Listing { files, program } = decode("the list of files", &bytes)?;
    let listing: Vec<(String, String)> = files;
    if listing.len() > MAX_FILES {
        return Err(wrong(format!("it has more than {MAX_FILES} files")));
    }
    if digest_of_skill(&listing, program.as_deref()) != skill.digest {
        return Err(wrong("the list of files has another digest".to_owned()));
    }
    let mut res = BTreeMap::new();
    let mut left = MAX_BYTES;
    for (path, digest) in &listing {
        let mut file = Vec::new();
        loop {
            let place = (Some(&**path), file.len());
            let (event, piece) = ask(connection, skill, node, place, deadlines).await?;
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
        if Digest::from_content(&file).to_string() != *digest {
            return Err(wrong(format!("{path} has another digest")));
        }
        res.insert(path.clone(), file);
    }
    Ok((listing, res))
}

/// Asks for a piece of a file, or for the list of files.
async fn ask(
    connection: &Connection,
    skill: &RemoteSkill,
    node: &str,
    (path, offset): (Option<&str>, usize),
    deadlines: &mut Deadlines,
) -> Result<(Option<Event>, Vec<u8>), Error> {
    let question = encode(&Question {
        skill: skill.name.clone(),
        digest: skill.digest.clone(),
        path: path.map(str::to_owned),
        offset,
    });
    let start = Instant::now();
    let asked = answer_of(connection, node, question);
    let answer = tokio::time::timeout(deadlines.left(node), asked).await;
    deadlines.count(node, start.elapsed(), answer.is_ok());
    let answer = answer.map_err(|_| Error::Silent {
        node: node.to_owned(),
        waited_s: PATIENCE.as_secs(),
    })??;
    let event = Event::of(answer.headers.as_ref());
    Ok((event, answer.payload.to_vec()))
}

/// The answer of this node and of no other.
async fn answer_of(
    connection: &Connection,
    node: &str,
    question: Vec<u8>,
) -> Result<Message, Error> {
    let action = "fetch a skill";
    let (client, inbox) = (&connection.client, Inbox::new(connection));
    let answers = client.subscribe(inbox.listen()).await;
    let mut answers = answers.map_err(Error::refused(action))?;
    let subject = inbox.question(node, "file");
    let sent = client.publish_with_reply(subject, inbox.reply(), question.into());
    sent.await.map_err(Error::refused(action))?;
    while let Some(answer) = answers.next().await {
        match sender(&answer.subject) {
            None => return Err(Error::refused(action)("the node does not listen")),
            Some(sender) if sender == node => return Ok(answer),
            Some(_) => {}
        }
    }
    Err(Error::refused(action)("the connection was closed"))
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
        hosted: false,
    };
    store.commit(staging, entry)?;
    store.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the number of answers that a node can give before its time is over, up to 100,000. Each
    /// takes `took_ms` milliseconds; `is_answer` is false for silence.
    #[track_caller]
    fn check(took_ms: u64, is_answer: bool, expected: usize) {
        let mut deadlines = Deadlines::default();
        let mut n = 0;
        while !deadlines.is_over("slow") && n < 100_000 {
            let (took, left) = (Duration::from_millis(took_ms), deadlines.left("slow"));
            deadlines.count("slow", took.min(left), is_answer && took < left);
            n += 1;
        }
        assert_eq!(n, expected);
        assert!(!deadlines.is_over("other"));
    }

    #[test]
    fn a_node_has_one_deadline_for_all_its_skills() {
        check(1_000_000, false, 1); // it never answers
        check(9_000, true, 2); // it answers each time in the last moment
        check(600, true, 20);
        check(50, true, 2_400); // two minutes in all
        check(1, true, 100_000);
    }
}
