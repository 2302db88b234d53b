//! The endpoints of a node.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{self, kv, object_store::ObjectStore};
use async_nats::service::{self, Service, ServiceExt as _};
use async_nats::{Message, Subject};
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::live::Calls;
use super::run::{Answer, Incoming, handle};
use super::{LocalCall, NodeSettings, Offer, SharedRunner, beat};
use crate::ask::ask;
use crate::error::check_name;
use crate::protocol::{
    self, Beat, Body, DEADLINE, EVENTS, Event, ID, encode, node_subject, run_subject,
};
use crate::server::Connection;
use crate::{Error, bucket, catalog};

/// Endpoints of one micro service: its answer to INFO stays well below the size of a message.
const PER_SERVICE: usize = 500;
/// How long a server may take to confirm what is written, before it is written again.
const CONFIRM: Duration = Duration::from_secs(2);
/// Skills that one node offers.
const MAX_OFFERS: usize = 20_000;
/// Time for a call that does not say how long it may take.
const DEFAULT_DEADLINE: Duration = Duration::from_mins(1);

/// A node that serves. Dropped, it goes without a word, as if it had been killed.
#[derive(Debug)]
pub struct Node {
    shared: Arc<Shared>,
    services: Vec<Service>,
    tasks: JoinSet<Result<(), Error>>,
}

/// What all calls of a node share.
pub(super) struct Shared {
    pub(super) connection: Connection,
    pub(super) settings: NodeSettings,
    pub(super) grace: Duration,
    pub(super) incarnation: String,
    pub(super) offers: BTreeMap<String, Offer>,
    pub(super) runner: SharedRunner,
    pub(super) stores: Stores,
    pub(super) calls: Calls,
    pub(super) slots: Semaphore,
}

/// Where a node writes things down.
pub(super) struct Stores {
    pub(super) nodes: kv::Store,
    pub(super) calls: kv::Store,
    pub(super) results: ObjectStore,
    pub(super) catalog: kv::Store,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("node", &self.settings.name)
            .finish_non_exhaustive()
    }
}

impl Node {
    /// Offers skills under the name of a node.
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
            incarnation: incarnation(connection),
            slots: Semaphore::new(settings.slots.max(1)),
            settings,
            offers,
            runner,
            stores,
            calls: Calls::default(),
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

    /// Waits until the node cannot go on, and says why.
    pub async fn failed(&mut self) -> Error {
        while let Some(ended) = self.tasks.join_next().await {
            if let Ok(Err(error)) = ended {
                return error;
            }
        }
        Error::refused("serve")("the connection was closed")
    }

    /// Leaves properly: takes no more calls, waits for those that run, at most so long, and takes
    /// its skills from the catalogue.
    pub async fn stop(mut self, patience: Duration) {
        for service in self.services.drain(..) {
            let _ = service.stop().await;
        }
        let until = tokio::time::Instant::now() + patience;
        while self.shared.calls.len() > 0 && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.tasks.abort_all();
        let shared = &self.shared;
        let name = &shared.settings.name;
        let _ = catalog::withdraw(&shared.stores.catalog, name).await;
        let _ = shared.stores.nodes.delete(name).await;
        let _ = shared.connection.client.flush().await;
    }

    /// Says that the node is alive, and what it offers.
    async fn announce(&mut self) -> Result<(), Error> {
        let shared = &self.shared;
        let name = shared.settings.name.clone();
        let sign = Beat {
            incarnation: shared.incarnation.clone(),
            skills: shared.offers.len(),
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

    /// One endpoint for each skill.
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
                let queue = format!("skills-{}", protocol::short(&offer.digest));
                let mut endpoint = service
                    .endpoint_builder()
                    .name(offer.skill.clone())
                    .queue_group(queue)
                    .add(run_subject(&offer.skill, &offer.digest))
                    .await
                    .map_err(Error::refused(action))?;
                let shared = Arc::clone(&self.shared);
                self.tasks.spawn(async move {
                    while let Some(request) = endpoint.next().await {
                        tokio::spawn(serve(Arc::clone(&shared), request));
                    }
                    Ok(())
                });
            }
            self.services.push(service);
        }
        Ok(())
    }

    /// What is asked of this node and no other.
    async fn serve_self(&mut self) -> Result<(), Error> {
        let action = "register the node";
        let shared = &self.shared;
        let subject = node_subject(&shared.settings.name, "*");
        let mut messages = shared
            .connection
            .client
            .subscribe(subject)
            .await
            .map_err(Error::refused(action))?;
        let shared = Arc::clone(shared);
        self.tasks.spawn(async move {
            while let Some(message) = messages.next().await {
                tokio::spawn(direct(Arc::clone(&shared), message));
            }
            Ok(())
        });
        Ok(())
    }
}

/// Makes what nodes and callers keep on the server, where they may not do that themselves.
pub async fn prepare(connection: &Connection, grace: Duration) -> Result<(), Error> {
    Box::pin(Stores::open(connection, grace)).await.map(|_| ())
}

/// Another one for every start of a node, on every machine.
fn incarnation(connection: &Connection) -> String {
    let inbox = connection.client.new_inbox();
    inbox.rsplit('.').next().unwrap_or(&inbox).to_owned()
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

impl Stores {
    async fn open(connection: &Connection, grace: Duration) -> Result<Self, Error> {
        let mut context = jetstream::new(connection.client.clone());
        context.set_timeout(CONFIRM);
        let limits = protocol::nodes_limits(grace);
        Ok(Self {
            nodes: bucket::key_value(&context, protocol::NODES, limits).await?,
            calls: bucket::key_value(&context, protocol::CALLS, protocol::CALLS_LIMITS).await?,
            results: bucket::objects(&context, protocol::RESULTS, protocol::RESULTS_LIMITS).await?,
            catalog: bucket::key_value(&context, protocol::CATALOG, protocol::CATALOG_LIMITS)
                .await?,
        })
    }
}

/// A call through the micro service, which counts it.
async fn serve(node: Arc<Shared>, request: service::Request) {
    let incoming = match Incoming::read(&node, &request.message) {
        Ok(incoming) => incoming,
        Err(status) => {
            let error = service::error::Error { status, code: 400 };
            let _ = request.respond(Err(error)).await;
            return;
        }
    };
    if let Some(answer) = handle(&node, &incoming).await {
        let payload = answer.payload.into();
        let headers = answer.event.headers();
        let _ = request.respond_with_headers(Ok(payload), headers).await;
    }
}

/// Something for this node alone.
async fn direct(node: Arc<Shared>, message: Message) {
    match message.subject.rsplit('.').next() {
        Some("run") => {
            if let Ok(incoming) = Incoming::read(&node, &message)
                && let Some(answer) = handle(&node, &incoming).await
                && let Some(listener) = &message.reply
            {
                node.send(listener, &answer).await;
            }
        }
        Some("cancel") => node
            .calls
            .cancel(&String::from_utf8_lossy(&message.payload)),
        Some("file") => {
            if let Some(listener) = &message.reply {
                let (event, payload) =
                    catalog::answer_file(&*node.runner, &node.offers, &message.payload);
                node.send(listener, &Answer { event, payload }).await;
            }
        }
        _ => {}
    }
}

impl Incoming {
    fn read(node: &Shared, message: &Message) -> Result<Self, String> {
        let header = |name: &str| {
            let headers = message.headers.as_ref()?;
            Some(headers.get(name)?.as_str().to_owned())
        };
        let id = header(ID).unwrap_or_else(|| incarnation(&node.connection));
        check_name("id of a call", &id).map_err(|error| error.to_string())?;
        let deadline = match header(DEADLINE).map(|text| text.parse()) {
            None => DEFAULT_DEADLINE,
            Some(Ok(ms)) => Duration::from_millis(ms),
            Some(Err(_)) => return Err(format!("{DEADLINE} is no number")),
        };
        let body: Body =
            serde_json::from_slice(&message.payload).map_err(|error| error.to_string())?;
        if !node.offers.contains_key(&body.skill) {
            return Err("this node does not offer the skill".to_owned());
        }
        Ok(Self {
            call: LocalCall {
                id,
                skill: body.skill,
                command: body.command,
                input: body.input,
                deadline: deadline.min(node.settings.max_deadline),
            },
            listener: message.reply.clone(),
            wants_events: header(EVENTS).is_some(),
            body: message.payload.to_vec(),
        })
    }
}

impl Shared {
    /// Sends an answer.
    pub(super) async fn send(&self, listener: &Subject, answer: &Answer) {
        let (headers, payload) = (answer.event.headers(), answer.payload.clone());
        let client = &self.connection.client;
        // An answer that does not arrive is asked for again.
        let _ = client
            .publish_with_headers(listener.clone(), headers, payload.into())
            .await;
    }

    /// Tells one caller something on the way.
    pub(super) async fn tell(&self, listener: Option<&Subject>, event: Event, value: &Value) {
        if let Some(listener) = listener {
            let payload = encode(value);
            self.send(listener, &Answer { event, payload }).await;
        }
    }

    /// Tells everybody who listens to a call.
    pub(super) async fn tell_all(&self, id: &str, event: Event, value: &Value) {
        for listener in self.calls.listeners(id) {
            self.tell(Some(&listener), event, value).await;
        }
    }
}
