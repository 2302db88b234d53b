//! A server, a model and a key.

use std::time::Duration;

use serde_json::Value;
use skill_executor::cancel::Cancel;
use skill_executor::environment::from_process;
use skill_executor::http::{Address, Clients, Exchange, Hosts, Payload};

/// The maximum length of what a server says about an error, in characters.
const MAX_ERROR: usize = 300;

/// A part of the API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Api {
    /// The end of the address: `/chat/completions`.
    pub path: &'static str,
    /// The environment variables with the key; the first that is set counts.
    pub keys: [&'static str; 2],
    /// The time for one answer.
    pub timeout: Duration,
    /// The maximum length of an answer, in bytes.
    pub max_answer: usize,
}

/// A model on a server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    api: Api,
    address: Address,
    model: String,
    key: Option<String>,
}

/// The reason why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct NoAnswer {
    /// The reason, without the key.
    pub reason: String,
    /// True if no other question would be answered either.
    pub is_final: bool,
}

impl Endpoint {
    /// Reads an address: that of the API (`https://example.org/v1`), or the whole one. The key is that of
    /// the environment.
    ///
    /// # Errors
    ///
    /// The address cannot be requested, or a key would be sent without encryption to another machine.
    pub fn new(api: Api, url: &str, model: &str) -> Result<Self, String> {
        let environment = from_process();
        let key = api
            .keys
            .iter()
            .find_map(|name| environment.get(*name).cloned());
        Self::with_key(api, url, model, key)
    }

    /// Reads an address, with a key of its own.
    ///
    /// # Errors
    ///
    /// As [`Endpoint::new`].
    pub fn with_key(api: Api, url: &str, model: &str, key: Option<String>) -> Result<Self, String> {
        let mut address = Address::read(url)?;
        let path = address.rest.split('?').next().unwrap_or_default();
        let path = path.trim_end_matches('/');
        if !path.ends_with(api.path) {
            let version = if path.is_empty() { "/v1" } else { path };
            address.rest = format!("{version}{}", api.path);
        }
        let key = key.filter(|key| !key.trim().is_empty());
        let is_here = matches!(address.host.as_str(), "localhost" | "::1")
            || address.host.starts_with("127.");
        if key.is_some() && address.scheme == "http" && !is_here {
            return Err(format!(
                "a key would be sent to {} without encryption; use https, or unset {} and {}",
                address.origin(),
                api.keys[0],
                api.keys[1]
            ));
        }
        Ok(Self {
            api,
            address,
            model: model.to_owned(),
            key,
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Returns the address and the model, which together decide about an answer.
    pub fn identity(&self) -> String {
        format!("{}\n{}", self.address, self.model)
    }

    /// Sends a question and returns the answer.
    ///
    /// # Errors
    ///
    /// The server does not answer, answers with an error, or with something that is not JSON.
    pub fn ask(&self, question: &Value, cancel: &Cancel) -> Result<Value, NoAnswer> {
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("accept".to_owned(), "application/json".to_owned()),
        ];
        if let Some(key) = &self.key {
            headers.push(("authorization".to_owned(), format!("Bearer {key}")));
        }
        let exchange = Exchange {
            address: self.address.clone(),
            method: "POST".to_owned(),
            headers,
            payload: Payload::Bytes(Some(question.to_string().into_bytes())),
            // A question that is asked again has no effect but its cost.
            idempotent: true,
            hosts: Hosts::None.with(&self.address),
            timeout: self.api.timeout,
            max_answer: self.api.max_answer,
            long_answers: None,
            clients: Clients::default(),
        };
        let answer = exchange.run(cancel).map_err(|error| NoAnswer {
            reason: self.without_key(&error.to_string()),
            is_final: true,
        })?;
        let text = String::from_utf8_lossy(&answer.body);
        if answer.status != 200 {
            let said: String = self.without_key(&text).chars().take(MAX_ERROR).collect();
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            return Err(NoAnswer {
                reason: format!("{} answered {}: {said}", self.address, answer.status),
                is_final: matches!(answer.status, 401 | 403 | 404),
            });
        }
        serde_json::from_str(&text).map_err(|error| NoAnswer {
            reason: format!("the answer of the server is not JSON: {error}"),
            is_final: false,
        })
    }

    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => text.replace(key.as_str(), "***"),
            None => text.to_owned(),
        }
    }
}
