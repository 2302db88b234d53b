//! The endpoints of a node.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Message;
use async_nats::jetstream;
use async_nats::service::{Service, ServiceExt as _};
use futures_util::StreamExt as _;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::claim::announced;
use super::live::{CANCEL_GRACE, Calls, Share, Taken};
use super::run::{Incoming, run_and_answer};
use super::shared::{Answer, Shared, Stores};
use super::{LocalCall, NodeSettings, Offer, SharedRunner, beat};
use crate::ask::ask;
use crate::error::check_name;
use crate::protocol::{
    self, Beat, Body, Claimed, Event, Inbox, QUEUE, call_subject, node_subject, random,
};
use crate::server::Connection;
use crate::version::PROTOCOL;
use crate::{Error, bucket, catalog};

/// The number of endpoints of one micro service, so that its answer to INFO fits into a message.
const PER_SERVICE: usize = 500;
/// The maximum number of skills that one node offers.
const MAX_OFFERS: usize = 20_000;
/// The interval at which expired claims are removed.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The time limit for each farewell step of a stopping node, because the server may be gone.
const FAREWELL: Duration = Duration::from_secs(3);

/// A running node. If it is dropped, it ends without a farewell, as if it had been killed.
#[derive(Debug)]
pub struct Node {
    shared: Arc<Shared>,
    services: Vec<Service>,
    tasks: JoinSet<Result<(), Error>>,
}

/// Cancels the calls of a node that is being stopped.
#[derive(Clone, Debug)]
pub struct Hurry(Arc<Shared>);

impl Hurry {
    /// Cancels every call that runs.
    pub fn cancel_calls(&self) {
        self.0.calls.cancel_all();
    }
}

impl Node {
    /// Starts a node that offers skills.
    ///
    /// # Errors
    ///
    /// If the name of the node or of a skill is invalid, or the server refuses.
    pub async fn start(
        connection: &Connection,
        settings: NodeSettings,
        offers: Vec<Offer>,
        runner: SharedRunner,
    ) -> Result<Self, Error> {
        check_name("name of a node", &settings.name)?;
        let offers = checked(offers)?;
        let stores = Box::pin(Stores::open(connection, settings.grace)).await?;
        let status = ask("read the settings of the nodes", || stores.nodes.status()).await?;
        let grace = status.max_age();
        let shared = Arc::new(Shared {
            connection: connection.clone(),
            grace,
            incarnation: random(connection),
            places: Arc::new(Semaphore::new(settings.slots.max(1) * 2)),
            slots: Semaphore::new(settings.slots.max(1)),
            calls: Calls::new(Share::of(settings.slots.max(1), settings.queue)),
            settings,
            offers,
            runner,
            stores,
        });
        let mut node = Self {
            shared,
            services: Vec::new(),
            tasks: JoinSet::new(),
        };
        Box::pin(node.announce()).await?;
        Box::pin(node.serve_skills()).await?;
        node.serve_self().await?;
        let flushed = connection.client.flush().await;
        flushed.map_err(Error::refused("register the node"))?;
        Ok(node)
    }

    /// Waits until the node cannot continue, and returns the reason.
    pub async fn failed(&mut self) -> Error {
        while let Some(ended) = self.tasks.join_next().await {
            if let Ok(Err(error)) = ended {
                return error;
            }
        }
        Error::refused("serve")("the connection was closed")
    }

    /// Stops the node: accepts no more calls, waits at most `patience` for running calls, cancels the
    /// rest, and removes its skills from the catalog. Ends at most a few seconds after `patience`,
    /// even if the server does not answer.
    pub async fn stop(mut self, patience: Duration) {
        self.shared.places.close();
        let services = std::mem::take(&mut self.services);
        let silenced = async {
            for service in services {
                let _ = service.stop().await;
            }
        };
        let _ = timeout(FAREWELL, silenced).await;
        self.drain(patience).await;
        self.cancel().await;
        self.tasks.abort_all();
        let _ = timeout(FAREWELL, self.farewell()).await;
    }

    /// Returns a handle that cancels the calls of this node while it stops.
    pub fn hurry(&self) -> Hurry {
        Hurry(Arc::clone(&self.shared))
    }

    /// Cancels all running calls, and waits briefly until they end.
    async fn cancel(&self) {
        self.shared.calls.cancel_all();
        self.drain(CANCEL_GRACE).await;
    }

    /// Waits until no call runs, at most `patience`.
    async fn drain(&self, patience: Duration) {
        let until = Instant::now() + patience;
        while self.shared.calls.n_begun() > 0 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Removes the entries of the node and of its skills.
    async fn farewell(&self) {
        let shared = &self.shared;
        let name = &shared.settings.name;
        let _ = shared.stores.nodes.delete(name).await;
        let _ = catalog::withdraw(&shared.stores.catalog, name).await;
        let _ = shared.connection.client.flush().await;
    }

    /// Writes the entries of the node and of its skills, and keeps renewing them.
    async fn announce(&mut self) -> Result<(), Error> {
        let shared = &self.shared;
        let name = shared.settings.name.clone();
        let sign = Beat {
            incarnation: shared.incarnation.clone(),
            skills: shared.offers.len(),
            protocol: PROTOCOL,
        };
        beat::put(&shared.stores.nodes, &name, &sign).await?;
        let nodes = shared.stores.nodes.clone();
        self.tasks
            .spawn(beat::beat(nodes, name.clone(), sign, shared.grace));
        let bucket = shared.stores.catalog.clone();
        let offers: Vec<Offer> = shared.offers.values().cloned().collect();
        catalog::publish(&bucket, &name, &offers).await?;
        self.tasks
            .spawn(async move { catalog::renew(&bucket, &name, &offers).await });
        Ok(())
    }

    /// Adds an endpoint for each skill.
    async fn serve_skills(&mut self) -> Result<(), Error> {
        let action = "register the skills";
        let offers: Vec<Offer> = self.shared.offers.values().cloned().collect();
        for offers in offers.chunks(PER_SERVICE) {
            let service = self
                .shared
                .connection
                .client
                .service_builder()
                .description(format!("skills of the node {}", self.shared.settings.name))
                .start("skills", env!("CARGO_PKG_VERSION"))
                .await
                .map_err(Error::refused(action))?;
            for offer in offers {
                let mut endpoint = service
                    .endpoint_builder()
                    .name(offer.skill.clone())
                    .queue_group(QUEUE)
                    .add(call_subject(&offer.skill, &offer.digest))
                    .await
                    .map_err(Error::refused(action))?;
                let shared = Arc::clone(&self.shared);
                self.tasks.spawn(async move {
                    while let Some(request) = endpoint.next().await {
                        tokio::spawn(announced(Arc::clone(&shared), request));
                    }
                    Ok(())
                });
            }
            self.services.push(service);
        }
        Ok(())
    }

    /// Serves the requests to this node.
    async fn serve_self(&mut self) -> Result<(), Error> {
        let action = "register the node";
        let shared = &self.shared;
        let subject = node_subject(&shared.settings.name, ">");
        let mut messages = shared
            .connection
            .client
            .subscribe(subject)
            .await
            .map_err(Error::refused(action))?;
        let serving = Arc::clone(shared);
        self.tasks.spawn(async move {
            while let Some(message) = messages.next().await {
                tokio::spawn(direct(Arc::clone(&serving), message));
            }
            Ok(())
        });
        let shared = Arc::clone(&self.shared);
        self.tasks.spawn(async move {
            loop {
                tokio::time::sleep(LOOK_EVERY).await;
                shared.calls.forget_claims();
            }
        });
        Ok(())
    }
}

/// Creates the buckets of nodes and callers, which may lack the permission.
///
/// # Errors
///
/// If the server refuses or does not answer.
pub async fn prepare(connection: &Connection, grace: Duration) -> Result<(), Error> {
    Box::pin(Stores::open(connection, grace)).await?;
    let context = jetstream::new(connection.client.clone());
    bucket::key_value(&context, protocol::CALLS, protocol::CALLS_LIMITS).await?;
    Ok(())
}

fn checked(offers: Vec<Offer>) -> Result<BTreeMap<String, Offer>, Error> {
    if offers.len() > MAX_OFFERS {
        return Err(Error::refused("serve")(format!(
            "{} skills are more than the {MAX_OFFERS} of one node",
            offers.len()
        )));
    }
    let mut res = BTreeMap::new();
    for offer in offers {
        if skill_model::SkillName::new(offer.skill.clone()).is_err() {
            return Err(Error::Name {
                what: "name of a skill",
                name: offer.skill.escape_debug().to_string(),
            });
        }
        res.insert(offer.skill.clone(), offer);
    }
    Ok(res)
}

/// Handles a message to this node: `skills.node.<node>.<verb>` and, for requests, the inbox.
async fn direct(node: Arc<Shared>, message: Message) {
    let mut tokens = message.subject.splitn(5, '.').skip(3);
    let verb = tokens.next().unwrap_or_default();
    let inbox = tokens.next().and_then(Inbox::of_tokens);
    match (verb, inbox) {
        ("run", Some(inbox)) => take(&node, inbox, &message.payload).await,
        ("file", Some(inbox)) => {
            let (event, payload) =
                catalog::answer_file(&*node.runner, &node.offers, &message.payload);
            node.send(&inbox, &Answer { event, payload }).await;
        }
        ("cancel", None) => node
            .calls
            .cancel(&String::from_utf8_lossy(&message.payload)),
        _ => {}
    }
}

/// Handles the input of a call that this node claimed.
async fn take(node: &Arc<Shared>, inbox: Inbox, payload: &[u8]) {
    let incoming = match Incoming::read(node, inbox.owner.clone(), payload) {
        Ok(incoming) => incoming,
        Err(why) => {
            let why = json!({ "why": why });
            node.tell(&inbox, Event::Refused, &why).await;
            return;
        }
    };
    match node.calls.take(&incoming.token, inbox.clone()) {
        Taken::Begun(handle) => run_and_answer(node, &incoming, handle).await,
        Taken::Joined => node.tell(&inbox, Event::Accepted, &json!({})).await,
        Taken::Unknown => {
            let claimed = Claimed {
                incarnation: node.incarnation.clone(),
                token: incoming.token,
            };
            node.tell(&inbox, Event::Unknown, &json!(claimed)).await;
        }
    }
}

impl Incoming {
    fn read(node: &Shared, owner: String, payload: &[u8]) -> Result<Self, String> {
        let body: Body = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
        check_name("id of a call", &body.id).map_err(|error| error.to_string())?;
        if !node.offers.contains_key(&body.skill) {
            return Err("this node does not offer the skill".to_owned());
        }
        let deadline = Duration::from_millis(body.deadline_ms);
        Ok(Self {
            call: LocalCall {
                id: body.id,
                skill: body.skill,
                command: body.command,
                input: body.input,
                deadline: deadline.min(node.settings.max_deadline),
            },
            owner,
            token: body.token,
        })
    }
}
