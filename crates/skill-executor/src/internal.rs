//! `internal`: functions of the host itself, by the name of the skill.

mod functions;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use skill_model::ExecutorKind;

use crate::answer::answer;
use crate::arguments;
use crate::call::Call;
use crate::envelope::{Envelope, ErrorCode, Failure, Success};
use crate::executor::Executor;

pub use functions::functions;

/// A function of the host: arguments in, value out.
pub type Function = Box<dyn Fn(&Call<'_>, &Value) -> Result<Success, Failure> + Send + Sync>;

/// Runs `internal` skills that a function was registered for.
#[derive(Default)]
pub struct Internal {
    functions: BTreeMap<String, Function>,
}

impl fmt::Debug for Internal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.functions.keys()).finish()
    }
}

impl Internal {
    /// Adds the function of a skill, in place of the one that it had.
    pub fn register(&mut self, skill: &str, function: Function) {
        self.functions.insert(skill.to_owned(), function);
    }
}

impl Executor for Internal {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Internal
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        let name = &call.skill.metadata.name;
        answer(call, |_, warnings| {
            let Some(function) = self.functions.get(name) else {
                let message = format!("no function is registered for skill `{name}`");
                return Err(Failure::new(ErrorCode::NotRunnable, message));
            };
            let prepared = arguments::prepare(call)?;
            *warnings = prepared.warnings;
            function(call, &prepared.input)
        })
    }
}
