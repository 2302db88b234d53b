//! Calls of skills on other machines.
//!
//! A call is asked for under one id until there is an answer or its time is over: a node that
//! falls silent, a server that restarts and a node that is busy all end in asking again. Nodes see
//! to it that an id is not run twice, so asking again is always safe.

mod wait;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream;
use serde_json::Value;
use tokio::time::Instant;

use crate::catalog::{self, RemoteSkill};
use crate::error::check_name;
use crate::protocol::{self, failure};
use crate::server::Connection;
use crate::{Error, bucket};

/// How long what the catalogue says of a skill is believed.
const KEEP: Duration = Duration::from_secs(2);

/// A call that another machine is to do.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteCall {
    /// Decides what is the same call: a second one with the id gets the answer of the first. None
    /// for a new one.
    pub id: Option<String>,
    /// Name of the skill.
    pub skill: String,
    /// One of its commands.
    pub command: Option<String>,
    /// The arguments.
    pub input: Value,
    /// How long the caller waits.
    pub deadline: Duration,
}

/// What happens before there is an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// A node has it.
    Accepted {
        /// Name of the node.
        node: String,
    },
    /// The skill says how far it is.
    Progress(Value),
    /// It is asked for again.
    Again,
}

/// How patient a caller is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patience {
    /// How long a node may be silent before the call is asked for again. Nodes speak twice a
    /// second.
    pub silence: Duration,
    /// How long there may be no node at all.
    pub absence: Duration,
    /// Which node's skill is meant where two nodes differ.
    pub prefer: Vec<String>,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(2),
            absence: Duration::from_secs(5),
            prefer: Vec::new(),
        }
    }
}

/// Calls skills through one connection. Shared by tasks as it is.
#[derive(Debug)]
pub struct Caller {
    connection: Connection,
    patience: Patience,
    known: Mutex<BTreeMap<String, (Instant, RemoteSkill)>>,
}

impl Caller {
    /// A caller on this connection.
    pub fn new(connection: &Connection, patience: Patience) -> Self {
        Self {
            connection: connection.clone(),
            patience,
            known: Mutex::default(),
        }
    }

    /// Calls a skill and gives the envelope of the answer; whatever happens is an answer.
    /// `cancel` ends the call when it is ready.
    pub async fn call(
        &self,
        call: &RemoteCall,
        on: &mut (dyn FnMut(Happening) + Send),
        cancel: impl Future<Output = ()> + Send,
    ) -> Value {
        let unavailable =
            |error: &Error| failure(&call.skill, "unavailable", "server", &error.to_string());
        let id = match &call.id {
            None => new_id(&self.connection),
            Some(id) => match check_name("id of a call", id) {
                Ok(()) => id.clone(),
                Err(error) => {
                    return failure(&call.skill, "invalid-input", "id", &error.to_string());
                }
            },
        };
        let until = Instant::now() + call.deadline;
        tokio::pin!(cancel);
        let found = tokio::select! {
            found = self.find(&call.skill, until) => found,
            () = &mut cancel => return cancelled(&call.skill),
        };
        let skill = match found {
            Ok(Some(skill)) => skill,
            Ok(None) => {
                let message = format!("no node offers the skill `{}`", call.skill);
                return failure(&call.skill, "not-found", "no-node", &message);
            }
            Err(error) => return unavailable(&error),
        };
        let waiting = wait::Waiting {
            connection: &self.connection,
            patience: &self.patience,
            skill: &skill,
            call,
            id: &id,
            until,
        };
        match waiting.answer(on, cancel).await {
            Ok(answer) => answer,
            Err(error) => unavailable(&error),
        }
    }

    /// What the catalogue says of a skill; a node may be on its way back.
    async fn find(&self, name: &str, until: Instant) -> Result<Option<RemoteSkill>, Error> {
        if let Some(skill) = self.known(name) {
            return Ok(Some(skill));
        }
        let start = Instant::now();
        loop {
            let found = catalog::find(&self.connection, name, &self.patience.prefer).await;
            if let Ok(Some(skill)) = &found {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                known.insert(name.to_owned(), (Instant::now(), skill.clone()));
                return found;
            }
            if start.elapsed() >= self.patience.absence || Instant::now() >= until {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn known(&self, name: &str) -> Option<RemoteSkill> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, skill) = known.get(name)?;
        (since.elapsed() < KEEP).then(|| skill.clone())
    }
}

/// What a caller is told who gave a call up.
pub(crate) fn cancelled(skill: &str) -> Value {
    let message = "the call was cancelled";
    failure(skill, protocol::CANCELLED, "cancelled", message)
}

/// An id that nobody else gives.
fn new_id(connection: &Connection) -> String {
    let inbox = connection.client.new_inbox();
    inbox.rsplit('.').next().unwrap_or(&inbox).to_owned()
}

/// Writes down that a call is over before it began, so that no node begins it.
async fn revoke(connection: &Connection, id: &str, answer: &Value) {
    let context = jetstream::new(connection.client.clone());
    if let Ok(Some(calls)) = bucket::find(&context, protocol::CALLS).await {
        let record = protocol::Record::Done {
            answer: answer.clone(),
        };
        // A node was faster: then it is told.
        let _ = calls.create(id, protocol::encode(&record).into()).await;
    }
}
