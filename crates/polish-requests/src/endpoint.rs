//! A server with the API of `OpenAI`: `POST …/chat/completions`.

use std::time::Duration;

use serde_json::{Value, json};
use skill_executor::cancel::Cancel;
use skill_executor::environment::from_process;
use skill_executor::http::{Address, Exchange, Hosts, Payload};
use skill_polish::{Answer, Job, reply};

/// The time for one answer.
const TIMEOUT: Duration = Duration::from_mins(5);
/// The maximum length of an answer, in bytes.
const MAX_ANSWER: usize = 4 << 20;
/// The maximum length of what a server says about an error, in characters.
const MAX_ERROR: usize = 300;

/// The environment variables with the key, the first that is set.
const KEYS: [&str; 2] = ["SKILLS_POLISH_KEY", "OPENAI_API_KEY"];

/// A model on a server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    address: Address,
    model: String,
    key: Option<String>,
}

/// The reason why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NoAnswer {
    pub(crate) reason: String,
    /// True if no other question would be answered either.
    pub(crate) is_final: bool,
}

impl Endpoint {
    /// Reads an address: that of the API (`https://example.org/v1`), or of its `chat/completions`. The key
    /// is that of the environment.
    ///
    /// # Errors
    ///
    /// The address cannot be requested, or a key would be sent without encryption to another machine.
    pub fn new(url: &str, model: &str) -> Result<Self, String> {
        let environment = from_process();
        let key = KEYS.iter().find_map(|name| environment.get(*name).cloned());
        Self::with_key(url, model, key)
    }

    pub(crate) fn with_key(url: &str, model: &str, key: Option<String>) -> Result<Self, String> {
        let mut address = Address::read(url)?;
        let path = address.rest.split('?').next().unwrap_or_default();
        let path = path.trim_end_matches('/');
        if !path.ends_with("/chat/completions") {
            let version = if path.is_empty() { "/v1" } else { path };
            address.rest = format!("{version}/chat/completions");
        }
        let key = key.filter(|key| !key.trim().is_empty());
        let is_here = matches!(address.host.as_str(), "localhost" | "::1")
            || address.host.starts_with("127.");
        if key.is_some() && address.scheme == "http" && !is_here {
            return Err(format!(
                "a key would be sent to {} without encryption; use https, or unset {} and {}",
                address.origin(),
                KEYS[0],
                KEYS[1]
            ));
        }
        Ok(Self {
            address,
            model: model.to_owned(),
            key,
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Asks the model for the texts of one skill.
    pub(crate) fn ask(&self, job: &Job, cancel: &Cancel) -> Result<Answer, NoAnswer> {
        let body = json!({ "model": self.model, "messages": job.messages() });
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
            payload: Payload::Bytes(Some(body.to_string().into_bytes())),
            // A question that is asked again has no effect but its cost.
            idempotent: true,
            hosts: Hosts::None.with(&self.address),
            timeout: TIMEOUT,
            max_answer: MAX_ANSWER,
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
        let slots = content(&text).and_then(|content| reply(&content));
        let slots = slots.map_err(|reason| NoAnswer {
            reason,
            is_final: false,
        })?;
        Ok(Answer {
            skill: job.skill.clone(),
            digest: job.sources.digest(),
            model: Some(self.model.clone()),
            slots,
        })
    }

    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => text.replace(key.as_str(), "***"),
            None => text.to_owned(),
        }
    }
}

/// Returns the text of the first choice.
fn content(text: &str) -> Result<String, String> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("the answer of the server is not JSON: {error}"))?;
    let content = value.pointer("/choices/0/message/content");
    let content = content.and_then(Value::as_str).map(str::to_owned);
    content.ok_or_else(|| {
        "the answer of the server has no text at choices[0].message.content".to_owned()
    })
}
