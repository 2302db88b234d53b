//! Encodes answers: as a value of the SDK, or as JSON that is sent as it is.
//!
//! **Invariant:** both encodings are equal: the JSON is that of the SDK's value, cut into pieces.

use std::sync::{Arc, PoisonError};

use rmcp::model::CallToolResult;

use super::answer::{Answer, ToolOutput, result};
use crate::bodies::Body;
use crate::reply::{CachedReply, MARK};
use crate::store::SkillFiles;

/// An encoded answer.
pub(crate) trait Encode: Send + Sized + 'static {
    /// Encodes any answer.
    fn from_answer(answer: Answer) -> Self;

    /// Encodes the text of a skill, which `make` writes for the names of the evicted skills.
    fn from_text(
        _body: &Body,
        _files: &SkillFiles,
        evicted: &[String],
        make: impl Fn(&[String]) -> ToolOutput,
    ) -> Self {
        Self::from_answer(Ok(make(evicted)))
    }

    /// Returns true if the call failed.
    fn is_error(&self) -> bool;
}

impl Encode for CallToolResult {
    fn from_answer(answer: Answer) -> Self {
        result(answer)
    }

    fn is_error(&self) -> bool {
        self.is_error == Some(true)
    }
}

/// A result as JSON.
pub(crate) enum Json {
    /// A result as the SDK writes it.
    Result(CallToolResult),
    /// A reply that was written before, and the names to insert.
    Cached(Arc<CachedReply>, Vec<String>),
}

impl Encode for Json {
    fn from_answer(answer: Answer) -> Self {
        let mut result = result(answer);
        // The older protocol has no such field.
        result.result_type = None;
        Self::Result(result)
    }

    fn from_text(
        body: &Body,
        files: &SkillFiles,
        evicted: &[String],
        make: impl Fn(&[String]) -> ToolOutput,
    ) -> Self {
        match cached_reply(body, files, &make) {
            Some(reply) => Self::Cached(reply, evicted.to_vec()),
            None => Self::from_answer(Ok(make(evicted))),
        }
    }

    fn is_error(&self) -> bool {
        matches!(self, Self::Result(result) if result.is_error == Some(true))
    }
}

impl Json {
    /// Appends the JSON to a buffer. Returns `None` if it cannot be written.
    pub(crate) fn append(&self, to: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Result(result) => serde_json::to_writer(to, result).ok(),
            Self::Cached(reply, evicted) => reply.append(evicted, to),
        }
    }

    /// Estimates the size of the JSON in bytes; 0 if it is not known.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Result(_) => 0,
            Self::Cached(reply, _) => reply.size(),
        }
    }
}

/// Returns the reply of a cached text. It is written again if the files have changed.
fn cached_reply(
    body: &Body,
    files: &SkillFiles,
    make: impl Fn(&[String]) -> ToolOutput,
) -> Option<Arc<CachedReply>> {
    let manifest = files.manifest().filter(|_| body.is_cached())?;
    let mut last = body.reply.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(reply) = last.as_ref().filter(|reply| reply.lists(manifest)) {
        return Some(reply.clone());
    }
    let Json::Result(marked) = Json::from_answer(Ok(make(&[MARK.to_owned()]))) else {
        return None;
    };
    let marked = serde_json::to_string(&marked).ok()?;
    let reply = Arc::new(CachedReply::from_marked(&marked, manifest.clone())?);
    *last = Some(reply.clone());
    Some(reply)
}
