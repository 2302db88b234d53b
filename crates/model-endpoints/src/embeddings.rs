//! Vectors for texts.

use std::time::Duration;

use serde_json::{Value, json};
use skill_executor::cancel::Cancel;

use crate::endpoint::{Api, Endpoint, NoAnswer};

/// The part of the API.
const API: Api = Api {
    path: "/embeddings",
    keys: ["SKILLS_EMBEDDINGS_KEY", "OPENAI_API_KEY"],
    timeout: Duration::from_mins(1),
    max_answer: 64 << 20,
};
/// The maximum number of texts in one question.
const AT_A_TIME: usize = 64;
/// The maximum number of numbers of a vector.
const MAX_DIMENSIONS: usize = 16_384;

/// A source of vectors: similar texts have similar vectors.
pub trait Embedder {
    /// Returns a name for everything that decides about the vectors, for a cache.
    fn identity(&self) -> String;

    /// Returns a vector for each text, in their order, all of one length.
    ///
    /// # Errors
    ///
    /// There are no vectors; the reason is for people.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NoAnswer>;
}

/// A model for vectors on a server with the API of `OpenAI`.
#[derive(Clone, Debug)]
pub struct Embeddings(Endpoint);

impl Embeddings {
    /// Reads an address: that of the API (`http://localhost:11434/v1`), or that of its `embeddings`. The
    /// key is in `SKILLS_EMBEDDINGS_KEY` or `OPENAI_API_KEY`.
    ///
    /// # Errors
    ///
    /// The address cannot be requested, or a key would be sent without encryption to another machine.
    pub fn new(url: &str, model: &str) -> Result<Self, String> {
        Endpoint::new(API, url, model).map(Self)
    }

    #[cfg(test)]
    pub(crate) fn with_key(url: &str, model: &str, key: Option<String>) -> Result<Self, String> {
        Endpoint::with_key(API, url, model, key).map(Self)
    }

    fn some(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NoAnswer> {
        let question = json!({"model": self.0.model(), "input": texts, "encoding_format": "float"});
        let answer = self.0.ask(&question, &Cancel::new())?;
        vectors(&answer, texts.len()).map_err(|reason| NoAnswer {
            reason,
            is_final: true,
        })
    }
}

impl Embedder for Embeddings {
    fn identity(&self) -> String {
        self.0.identity()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NoAnswer> {
        let mut res = Vec::with_capacity(texts.len());
        for some in texts.chunks(AT_A_TIME) {
            res.extend(self.some(some)?);
        }
        Ok(res)
    }
}

/// Reads `{"data": [{"index": 0, "embedding": [0.1, …]}, …]}`.
fn vectors(answer: &Value, n_texts: usize) -> Result<Vec<Vec<f32>>, String> {
    let data = answer.get("data").and_then(Value::as_array);
    let data = data.ok_or("the answer of the server has no list at `data`")?;
    let mut res = vec![Vec::new(); n_texts];
    for (place, one) in data.iter().enumerate() {
        let at = match one.get("index") {
            Some(index) => index.as_u64().and_then(|index| usize::try_from(index).ok()),
            None => Some(place),
        };
        let slot = at.and_then(|at| res.get_mut(at));
        let slot = slot.ok_or("the answer of the server has a vector for no text")?;
        *slot = vector(one)
            .ok_or("the answer of the server has a vector that is not a list of numbers")?;
    }
    let length = res.first().map_or(0, Vec::len);
    if res
        .iter()
        .any(|vector| vector.is_empty() || vector.len() != length)
    {
        return Err(format!(
            "the answer of the server has {} vectors; expected {n_texts} of one length",
            data.len()
        ));
    }
    Ok(res)
}

fn vector(one: &Value) -> Option<Vec<f32>> {
    let numbers = one.get("embedding")?.as_array()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "vectors need no more digits"
    )]
    let number = |number: &Value| Some(number.as_f64()? as f32).filter(|it| it.is_finite());
    let res: Option<Vec<f32>> = numbers.iter().map(number).collect();
    res.filter(|vector| (1..=MAX_DIMENSIONS).contains(&vector.len()))
}
