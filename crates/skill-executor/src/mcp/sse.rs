//! A server that speaks the HTTP of the protocol version 2024-11-05: a stream of events, and an address
//! for messages that its first event names.

use std::io::BufReader;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use serde_json::Value;

use super::http::{Requests, refused};
use super::inbox::Inbox;
use super::lines::event;
use super::session::{Connection, Wait};
use crate::envelope::{ErrorCode, Failure};
use crate::http::Address;

/// A session whose answers come in one stream.
#[derive(Debug)]
pub(super) struct Events {
    requests: Arc<Requests>,
    endpoint: Address,
}

impl Events {
    /// Opens the stream and waits for the address for messages.
    pub(super) fn open(
        requests: Requests,
        address: &Address,
        inbox: &Inbox,
        wait: &Wait<'_>,
    ) -> Result<Self, Failure> {
        let requests = Arc::new(requests);
        let (sender, receiver) = channel();
        let cancelled = sender.clone();
        let given_up = || Failure::new(ErrorCode::Cancelled, "the call was cancelled");
        let _watch = wait
            .cancel
            .on_cancel(move || drop(cancelled.send(Err(given_up()))));
        let (own, from, inbox) = (Arc::clone(&requests), address.clone(), inbox.clone());
        thread::spawn(move || {
            let first = |endpoint| drop(sender.send(endpoint));
            let failure = follow(&own, &from, &inbox, &first);
            first(Err(failure.clone()));
            inbox.end(&failure);
        });
        let late = |_| {
            Err(Failure::new(
                ErrorCode::Timeout,
                "the MCP server named no address for messages in time",
            ))
        };
        let endpoint: String = receiver.recv_timeout(wait.left()).unwrap_or_else(late)?;
        let endpoint = address
            .redirected(&endpoint)
            .map_err(|why| Failure::new(ErrorCode::Protocol, why))?;
        if endpoint.origin() != address.origin() {
            let message = format!(
                "the MCP server at {} wants messages to be sent to {}, expected its own host",
                address.origin(),
                endpoint.origin()
            );
            return Err(Failure::new(ErrorCode::Denied, message));
        }
        Ok(Self { requests, endpoint })
    }
}

impl Connection for Events {
    fn send(&self, message: &Value, wait: &Wait<'_>) -> Result<(), Failure> {
        let headers = [("content-type", "application/json")];
        let response = self.requests.send(
            "POST",
            &self.endpoint,
            &headers,
            Some(message.to_string()),
            Some(wait.left()),
        )?;
        if response.status().as_u16() >= 400 {
            return Err(refused(response));
        }
        Ok(())
    }
}

/// Reads events until the stream ends, and returns why it did.
fn follow(
    requests: &Arc<Requests>,
    address: &Address,
    inbox: &Inbox,
    first: &dyn Fn(Result<String, Failure>),
) -> Failure {
    let response = match requests.send(
        "GET",
        address,
        &[("accept", "text/event-stream")],
        None,
        None,
    ) {
        Ok(response) if response.status().as_u16() >= 400 => return refused(response),
        Ok(response) => response,
        Err(failure) => return failure,
    };
    let ended = |why: String| {
        Failure::new(
            ErrorCode::Unavailable,
            format!("the stream of the MCP server ended: {why}"),
        )
    };
    let mut reader = BufReader::new(response.into_body().into_reader());
    let mut endpoint: Option<Address> = None;
    loop {
        if let Some(ended) = inbox.ended() {
            return ended;
        }
        match event(&mut reader) {
            Ok(Some(event)) if event.name == "endpoint" && endpoint.is_none() => {
                endpoint = address
                    .redirected(event.data.trim())
                    .ok()
                    .filter(|to| to.origin() == address.origin());
                first(Ok(event.data.trim().to_owned()));
            }
            Ok(Some(event)) => {
                let answers = inbox.take_text(event.data.as_bytes());
                for answer in answers.unwrap_or_default() {
                    if let Some(to) = &endpoint {
                        let headers = [("content-type", "application/json")];
                        // A server that is gone is found by the next request.
                        let _ = requests.send(
                            "POST",
                            to,
                            &headers,
                            Some(answer.to_string()),
                            Some(super::http::ENDING),
                        );
                    }
                }
            }
            Ok(None) => return ended("the server closed it".to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                return Failure::new(
                    ErrorCode::TooLarge,
                    "the MCP server sent a message that is too long",
                );
            }
            Err(error) => return ended(error.to_string()),
        }
    }
}
