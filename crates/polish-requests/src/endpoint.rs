//! A server with the API of `OpenAI`: `POST …/chat/completions`.

use std::time::Duration;

use model_endpoints::{Api, NoAnswer};
use serde_json::{Value, json};
use skill_executor::cancel::Cancel;
use skill_polish::{Answer, Job, reply};

/// The part of the API.
const API: Api = Api {
    path: "/chat/completions",
    keys: ["SKILLS_POLISH_KEY", "OPENAI_API_KEY"],
    timeout: Duration::from_mins(5),
    max_answer: 4 << 20,
};

/// A model on a server.
#[derive(Clone, Debug)]
pub struct Endpoint(model_endpoints::Endpoint);

impl Endpoint {
    /// Reads an address: that of the API (`https://example.org/v1`), or of its `chat/completions`. The key
    /// is that of the environment.
    ///
    /// # Errors
    ///
    /// The address cannot be requested, or a key would be sent without encryption to another machine.
    pub fn new(url: &str, model: &str) -> Result<Self, String> {
        model_endpoints::Endpoint::new(API, url, model).map(Self)
    }

    #[cfg(test)]
    pub(crate) fn with_key(url: &str, model: &str, key: Option<String>) -> Result<Self, String> {
        model_endpoints::Endpoint::with_key(API, url, model, key).map(Self)
    }

    /// Returns the model.
    pub fn model(&self) -> &str {
        self.0.model()
    }

    /// Asks the model for the texts of one skill.
    pub(crate) fn ask(&self, job: &Job, cancel: &Cancel) -> Result<Answer, NoAnswer> {
        let question = json!({ "model": self.model(), "messages": job.messages() });
        let answer = self.0.ask(&question, cancel)?;
        let slots = content(&answer).and_then(|content| reply(&content));
        let slots = slots.map_err(|reason| NoAnswer {
            reason,
            is_final: false,
        })?;
        Ok(Answer {
            skill: job.skill.clone(),
            digest: job.sources.digest(),
            model: Some(self.model().to_owned()),
            slots,
        })
    }
}

/// Returns the text of the first choice.
fn content(answer: &Value) -> Result<String, String> {
    let content = answer.pointer("/choices/0/message/content");
    let content = content.and_then(Value::as_str).map(str::to_owned);
    content.ok_or_else(|| {
        "the answer of the server has no text at choices[0].message.content".to_owned()
    })
}
