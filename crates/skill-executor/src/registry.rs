//! Selects the executor of a skill.

use skill_model::Metadata;

use crate::answer::NO_NEW_VALUE;
use crate::cache;
use crate::call::Call;
use crate::envelope::{Envelope, ErrorCode, Failure};
use crate::environment;
use crate::executor::Executor;
use crate::guards;
use crate::hints;
use crate::metrics;
use crate::package::SkillPackage;
use crate::redact::Redactor;

/// All executors of a process; [`Runner`](crate::Runner) runs calls with them. Those registered later are asked first, so that a custom one can
/// take over what a built-in one handles.
#[derive(Default)]
pub struct Registry {
    executors: Vec<Box<dyn Executor>>,
}

impl Registry {
    /// An empty registry; [`crate::standard`] gives the built-in ones.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an executor, which is asked before the others.
    pub fn register(&mut self, executor: Box<dyn Executor>) {
        self.executors.push(executor);
    }

    /// Returns the executor of a skill.
    pub fn executor_for(&self, skill: &SkillPackage) -> Option<&dyn Executor> {
        let mut latest = self.executors.iter().rev();
        let found = latest.find(|executor| executor.handles(skill))?;
        Some(found.as_ref())
    }

    /// Starts what a skill keeps running between calls, if its executor has such a thing and the
    /// call would be let through.
    pub fn preload(&self, call: &Call<'_>) -> Result<bool, Failure> {
        crate::preflight::conditions(call)?;
        self.executor_for(call.skill)
            .map_or(Ok(false), |executor| executor.preload(call))
    }

    /// Notifies every executor that the caller's process ends: [`Executor::release`].
    pub fn release(&self) {
        for executor in &self.executors {
            executor.release();
        }
    }

    /// Runs a call with the executor of its skill, or returns the cached answer. A cancelled call
    /// never returns a result.
    ///
    /// The warnings list the parts of METADATA.yml that were not understood, withheld variables of
    /// the caller's environment, and problems with the skill's state.
    pub fn execute(&self, call: &Call<'_>) -> Envelope {
        let mut envelope = Redactor::redact_code(call, self.answer(call));
        let warnings = call.skill.warnings().into_iter();
        let warnings = warnings
            .chain(environment::warnings(call))
            .chain(guards::warnings(call));
        envelope.warnings.splice(0..0, warnings);
        let notes = call.host.state.notes(&call.skill.dir);
        envelope.warnings.extend(notes);
        if let Some(failure) = failure_of(&envelope) {
            envelope.warnings.extend(hints::all(call, &failure));
        }
        envelope
    }

    fn answer(&self, call: &Call<'_>) -> Envelope {
        let metadata = &call.skill.metadata;
        let begun = if call.options.cancel.is_cancelled() {
            Err(call.cancelled())
        } else {
            crate::preflight::check(call)
        };
        if let Err(failure) = begun {
            return Envelope::failed(
                (&*metadata.name, call.command),
                metadata.executor.word(),
                failure,
            );
        }
        let key = cache::key(call);
        if let Some(kept) = key.as_ref().and_then(|key| cache::find(call, key)) {
            return kept;
        }
        let Some(executor) = self.executor_for(call.skill) else {
            let kind = metadata.executor.word();
            let message = nothing_runs(metadata);
            let failure = Failure::new(ErrorCode::NotRunnable, message);
            return Envelope::failed((&*metadata.name, call.command), kind, failure);
        };
        let envelope = call.unless_cancelled(executor.execute(call));
        metrics::record(&call.host.state, &envelope);
        if let Some(key) = key {
            cache::keep(call, &key, &envelope);
        }
        envelope
    }
}

/// Returns the reason why no executor takes a skill.
fn nothing_runs(metadata: &Metadata) -> String {
    let kind = metadata.executor.word();
    match (&metadata.entry, metadata.transport) {
        (None, _) => format!(
            "nothing here runs this skill of type {kind}: METADATA.yml has no `entry`, which names its program"
        ),
        (Some(_), None) => format!(
            "nothing here runs this skill of type {kind}: METADATA.yml has no `transport`, which says how its program is called"
        ),
        _ => format!("nothing here runs skills of type {kind} of this shape"),
    }
}

/// Returns the failure of a call; of a static skill that only has its last value, the one that its program
/// reported.
fn failure_of(envelope: &Envelope) -> Option<Failure> {
    let mut codes = envelope.warnings.iter().map(|warning| warning.code);
    match (&envelope.outcome, &envelope.meta.stderr) {
        (Err(failure), _) => Some(failure.clone()),
        (Ok(_), Some(said)) if codes.any(|code| code == NO_NEW_VALUE) => {
            Some(Failure::new(ErrorCode::ExitCode, said.clone()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        for (text, expected) in [
            ("type: direct", "METADATA.yml has no `entry`"),
            (
                "type: direct\nentry: {argv: [x]}",
                "METADATA.yml has no `transport`",
            ),
            (
                "type: direct\nentry: {argv: [x]}\ntransport: module",
                "of this shape",
            ),
        ] {
            let metadata = skill_model::read_metadata(text).0.expect("this is a map");
            let why = nothing_runs(&metadata);
            assert!(why.contains(expected), "{why}");
        }
    }
}
