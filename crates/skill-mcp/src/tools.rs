//! The tools: for hosts that hide resources from the model.
//!
//! - [`Given`], [`Refusal`]: how a call ends; a refusal is an answer that the model reads, never
//!   an error of the protocol.
//! - one file for each tool.

mod arguments;
mod describe;
mod form;
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
pub(crate) use form::{Form, Json, Kept};

use crate::names::ToolKind;
use crate::server::Shared;
use crate::session::Session;
use crate::store::Warmth;

/// What a tool gives: a text for models, and the same for programs.
pub(crate) struct Given {
    pub(crate) text: String,
    pub(crate) data: Value,
}

/// Why a tool gives nothing.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The word for programs.
    pub(crate) code: &'static str,
    /// One sentence, with what to do about it if that is known.
    pub(crate) message: String,
    /// Names that were perhaps meant, best first.
    pub(crate) nearest: Vec<String>,
}

pub(crate) type Answer = Result<Given, Refusal>;

/// Everything that a call may look at.
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: Arc<Mutex<Session>>,
    pub(crate) arguments: Arguments,
}

impl Call {
    /// Answers a call of a tool that only reads.
    pub(crate) fn told<F: Form>(&self, kind: ToolKind) -> F {
        F::of(match kind {
            ToolKind::ListSkills => list::answer(self),
            ToolKind::ReadSkill => return read::told(self),
            ToolKind::ReadSkillResource => resource::answer(self),
            ToolKind::UnloadSkill => unload::answer(self),
            ToolKind::SearchSkills => search::answer(self),
            ToolKind::DescribeSkill => describe::answer(self),
            ToolKind::RunSkill => Err(Refusal::new("not-offered", "that tool does not only read")),
        })
    }

    /// What an answer has to wait for.
    pub(crate) fn warmth(&self, kind: ToolKind) -> Warmth {
        match self.skill() {
            _ if kind == ToolKind::SearchSkills => Warmth::Due,
            Some(skill) => self.shared.store.warmth(&skill),
            None => Warmth::Warm,
        }
    }

    /// Looks at what an answer needs. Blocks on the disk.
    pub(crate) fn look(&self) {
        if let Some(skill) = self.skill() {
            self.shared.store.look_at(&skill);
        }
    }

    /// The skill that is asked for, if there is one.
    fn skill(&self) -> Option<Arc<CatalogSkill>> {
        self.shared.store.skill(self.name()).ok()
    }

    /// The name of a skill that was passed, or nothing.
    pub(crate) fn name(&self) -> &str {
        let name = self.arguments.text("skill_name").ok().flatten();
        name.unwrap_or_default()
    }

    /// The session, for as long as nothing is awaited.
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
        let mut res = Self::new(error.code().0, words(&error));
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

/// The message without a place in the file system.
fn words(error: &LoadError) -> String {
    match error {
        LoadError::Io(inner) => format!("cannot {} the file: {}", inner.action, inner.source),
        other => other.to_string(),
    }
}

/// The form of the protocol.
pub(crate) fn result(answer: Answer) -> CallToolResult {
    match answer {
        Ok(given) => {
            let mut res = CallToolResult::success(vec![ContentBlock::text(given.text)]);
            res.structured_content = Some(given.data);
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
