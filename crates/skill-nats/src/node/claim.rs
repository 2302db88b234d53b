//! From the announcement of a call to the claim of this node.

use std::sync::Arc;
use std::time::Duration;

use async_nats::service;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::time::{Instant, MissedTickBehavior};

use super::live::{Claim, Wait};
use super::shared::Shared;
use crate::protocol::{ALIVE_EVERY, Announcement, Claimed, Event, Inbox, random};
use crate::version::PROTOCOL;

/// Answers the announcement of a call with a claim when there is a place for it.
pub(super) async fn announced(node: Arc<Shared>, request: service::Request) {
    let message = &request.message;
    let inbox = message.reply.as_ref().and_then(Inbox::of_reply);
    let Some(inbox) = inbox else {
        let status = format!("a call of another protocol; this node speaks version {PROTOCOL}");
        let error = service::error::Error { status, code: 400 };
        let _ = request.respond(Err(error)).await;
        return;
    };
    let announcement = match read(&message.payload) {
        Ok(announcement) => announcement,
        Err(why) => {
            let why = json!({ "why": why });
            node.tell(&inbox, Event::Refused, &why).await;
            return;
        }
    };
    if node.calls.len() >= node.settings.slots + node.settings.queue {
        node.tell(&inbox, Event::Busy, &json!({})).await;
        return;
    }
    let rights = match node.calls.wait(&inbox) {
        Wait::Begun(rights) => rights,
        Wait::Already => return,
        Wait::TooMany => {
            node.tell(&inbox, Event::Busy, &json!({})).await;
            return;
        }
    };
    let deadline = Duration::from_millis(announcement.deadline_ms);
    let deadline = deadline.min(node.settings.max_deadline);
    let claimed = place(&node, &inbox, rights, deadline).await;
    node.calls.end_wait(&inbox);
    if let Some(claimed) = claimed {
        claim(&node, &inbox, claimed).await;
    }
}

fn read(payload: &[u8]) -> Result<Announcement, String> {
    let announcement: Announcement = serde_json::from_slice(payload)
        .map_err(|error| format!("the announcement is not understood: {error}"))?;
    if announcement.protocol == PROTOCOL {
        return Ok(announcement);
    }
    Err(format!(
        "the caller speaks version {} of the protocol and the node version {PROTOCOL}; expected the same version of the tools on both",
        announcement.protocol
    ))
}

/// Waits for the right of the owner to a claim and for a place. Reports meanwhile that the call
/// waits.
async fn place(
    node: &Shared,
    inbox: &Inbox,
    rights: Arc<Semaphore>,
    deadline: Duration,
) -> Option<Claim> {
    let until = Instant::now() + deadline;
    let mut alive = tokio::time::interval_at(Instant::now() + ALIVE_EVERY, ALIVE_EVERY);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let claim = async {
        let right = rights.acquire_owned().await.ok()?;
        let place = Arc::clone(&node.places).acquire_owned().await.ok()?;
        Some(Claim {
            place,
            _right: right,
        })
    };
    tokio::pin!(claim);
    loop {
        tokio::select! {
            claim = &mut claim => return claim,
            () = tokio::time::sleep_until(until) => return None,
            _ = alive.tick() => node.tell(inbox, Event::Alive, &json!({})).await,
        }
    }
}

/// Reserves the place for a while and sends the token to the caller.
async fn claim(node: &Shared, inbox: &Inbox, claim: Claim) {
    let claimed = Claimed {
        incarnation: node.incarnation.clone(),
        token: random(&node.connection),
    };
    node.calls.claim(&claimed.token, claim);
    node.tell(inbox, Event::Claimed, &json!(claimed)).await;
}
