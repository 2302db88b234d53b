//! `internal`: functions of the host itself, by the name of the skill.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use serde_json::Value;
use skill_model::ExecutorKind;

use crate::arguments;
use crate::call::Call;
use crate::envelope::{Envelope, ErrorCode, Failure, Meta, Success};
use crate::registry::Executor;

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
        let started = Instant::now();
        let name = &call.skill.metadata.name;
        let mut warnings = Vec::new();
        let outcome = match self.functions.get(name) {
            Some(function) => arguments::prepared(call).and_then(|prepared| {
                warnings = prepared.warnings;
                function(call, &prepared.input)
            }),
            None => {
                let message = format!("no function is registered for skill `{name}`");
                Err(Failure::new(ErrorCode::NotRunnable, message))
            }
        };
        Envelope {
            outcome,
            warnings,
            meta: Meta {
                skill: name.clone(),
                command: call.command.map(str::to_owned),
                executor: self.kind().word().to_owned(),
                elapsed_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
                ..Meta::default()
            },
        }
    }
}
