//! The tools, for hosts that hide resources from the model.
//!
//! - [`ToolOutput`], [`Refusal`]: the result of a call. A refusal is an answer that the model
//!   reads, not an error of the protocol.
//! - One file for each tool.

mod arguments;
mod describe;
mod encode;
mod list;
mod read;
mod resource;
mod search;
mod unload;

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::LoadError;

pub(crate) use arguments::Arguments;
pub(crate) use encode::{CachedReply, Encode, Json};

use crate::names::ToolKind;
use crate::server::Shared;
use crate::session::Session;
use crate::store::Freshness;

/// The output of a tool: a text for models and the same as data for programs.
pub(crate) struct ToolOutput {
    pub(crate) text: String,
    pub(crate) data: Value,
}

/// The reason why a call failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The error code.
    pub(crate) code: &'static str,
    /// One sentence that says what is wrong and, if known, what to do about it.
    pub(crate) message: String,
    /// Names that may have been meant, best first.
    pub(crate) nearest: Vec<String>,
}

pub(crate) type Answer = Result<ToolOutput, Refusal>;

/// A call of a tool that only reads.
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: Arc<Mutex<Session>>,
    pub(crate) arguments: Arguments,
}

impl Call {
    /// Answers the call and encodes the answer.
    pub(crate) fn answer<E: Encode>(&self, kind: ToolKind) -> E {
        E::from_answer(match kind {
            ToolKind::ListSkills => list::answer(self),
            ToolKind::ReadSkill => return read::answer(self),
            ToolKind::ReadSkillResource => resource::answer(self),
            ToolKind::UnloadSkill => unload::answer(self),
            ToolKind::SearchSkills => search::answer(self),
            ToolKind::DescribeSkill => describe::answer(self),
            ToolKind::RunSkill => Err(Refusal::new(
                "not-offered",
                "`run_skill` is not a tool that only reads",
            )),
        })
    }

    /// Returns the state of what the answer needs from the disk.
    pub(crate) fn freshness(&self, kind: ToolKind) -> Freshness {
        match self.skill() {
            _ if kind == ToolKind::SearchSkills => Freshness::Stale,
            Some(skill) => self.shared.store.freshness(&skill),
            None => Freshness::Fresh,
        }
    }

    /// Checks what the answer needs from the disk. Blocks on the disk.
    pub(crate) fn revalidate(&self) {
        if let Some(skill) = self.skill() {
            self.shared.store.revalidate(&skill);
        }
    }

    /// Returns the skill that was asked for, if it exists.
    fn skill(&self) -> Option<Arc<CatalogSkill>> {
        self.shared.store.skill(self.name()).ok()
    }

    /// Returns the name of the skill that was passed, or an empty string.
    pub(crate) fn name(&self) -> &str {
        let name = self.arguments.text("skill_name").ok().flatten();
        name.unwrap_or_default()
    }

    /// Runs `work` with the session, which stays locked for that time only.
    fn session<T>(&self, work: impl FnOnce(&mut Session) -> T) -> T {
        work(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            nearest: Vec::new(),
        }
    }
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        let mut res = Self::new(error.code().0, message(&error));
        match error {
            LoadError::SkillNotFound { nearest, .. } => res.nearest = nearest,
            other => {
                if let Some(help) = other.help() {
                    res.message = format!("{}; {help}", res.message);
                }
            }
        }
        res
    }
}

/// Returns the message without a path of this machine.
fn message(error: &LoadError) -> String {
    match error {
        LoadError::Io(inner) => format!("cannot {} the file: {}", inner.action, inner.source),
        other => other.to_string(),
    }
}

/// Converts an answer to the result type of the protocol.
pub(crate) fn result(answer: Answer) -> CallToolResult {
    match answer {
        Ok(output) => {
            let mut res = CallToolResult::success(vec![ContentBlock::text(output.text)]);
            res.structured_content = Some(output.data);
            res
        }
        Err(refusal) => {
            let mut text = format!("error[{}]: {}", refusal.code, refusal.message);
            if !refusal.nearest.is_empty() {
                text = format!("{text}; did you mean {}?", refusal.nearest.join(", "));
            }
            let mut res = CallToolResult::error(vec![ContentBlock::text(text)]);
            res.structured_content = Some(json!({"error": {
                "code": refusal.code,
                "message": refusal.message,
                "nearest": refusal.nearest,
            }}));
            res
        }
    }
}
