//! Calls of skills on other machines.
//!
//! A call is announced under one id until a node claims it, and given to that node. If the node
//! falls silent or is busy, or the server restarts, the call is announced or sent again. The node of
//! a call is recorded before it gets the input, so no other node gets the call while that one may
//! have started it.

mod ledger;
mod request;
mod state;
mod wait;

pub(crate) use request::cancelled;
pub use request::{CallEvent, Patience, RemoteCall};

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::Error;
use crate::catalog::{self, RemoteSkill};
use crate::error::check_name;
use crate::protocol::{failure, random};
use crate::server::Connection;

/// The time for which an entry of the catalog is reused.
const KEEP: Duration = Duration::from_secs(2);

/// Calls skills through one connection. Tasks can share it by reference.
#[derive(Debug)]
pub struct Caller {
    connection: Connection,
    patience: Patience,
    known: Mutex<BTreeMap<String, (Instant, RemoteSkill)>>,
    ledger: OnceCell<ledger::Ledger>,
}

impl Caller {
    /// Creates a caller on this connection.
    pub fn new(connection: &Connection, patience: Patience) -> Self {
        Self {
            connection: connection.clone(),
            patience,
            known: Mutex::default(),
            ledger: OnceCell::new(),
        }
    }

    /// Calls a skill and returns the envelope of the answer. Failures are envelopes as well. The call
    /// is cancelled when `cancel` completes.
    pub async fn call(
        &self,
        call: &RemoteCall,
        on: &mut (dyn FnMut(CallEvent) + Send),
        cancel: impl Future<Output = ()> + Send,
    ) -> Value {
        let unavailable = |error: &Error| {
            let (code, reason) = error.code();
            failure(&call.skill, code, reason, &error.to_string())
        };
        let id = match &call.id {
            None => random(&self.connection),
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
        let ledger = self
            .ledger
            .get_or_try_init(|| ledger::Ledger::open(&self.connection));
        let ledger = tokio::select! {
            ledger = ledger => ledger,
            () = &mut cancel => return cancelled(&call.skill),
        };
        let ledger = match ledger {
            Ok(ledger) => ledger,
            Err(error) => return unavailable(&error),
        };
        let waiting = wait::Waiting::new(
            (&self.connection, &self.patience),
            ledger,
            skill,
            call,
            id,
            until,
        );
        match waiting.answer(on, cancel).await {
            Ok(answer) => answer,
            Err(error) => unavailable(&error),
        }
    }

    /// Returns the entry of a skill in the catalog. Waits a while, because a node may be
    /// reconnecting.
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
            if matches!(&found, Err(error) if error.is_lasting()) {
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
