//! The trait behind which every type of skill runs.

use skill_model::ExecutorKind;

use crate::call::Call;
use crate::envelope::{Envelope, Failure};
use crate::package::SkillPackage;

/// Runs the skills of one type.
///
/// ```
/// use skill_executor::call::Call;
/// use skill_executor::envelope::{Envelope, Meta, Success};
/// use skill_executor::{Executor, standard};
/// use skill_model::ExecutorKind;
///
/// /// Answers every call of a direct skill with its input.
/// struct Echo;
///
/// impl Executor for Echo {
///     fn kind(&self) -> ExecutorKind {
///         ExecutorKind::Direct
///     }
///
///     fn execute(&self, call: &Call<'_>) -> Envelope {
///         Envelope {
///             outcome: Ok(Success::new(call.input.clone())),
///             warnings: Vec::new(),
///             meta: Meta::default(),
///         }
///     }
/// }
///
/// let mut registry = standard();
/// registry.register(Box::new(Echo));
/// ```
pub trait Executor: Send + Sync {
    /// The type in `METADATA.yml`.
    fn kind(&self) -> ExecutorKind;

    /// Returns true if this executor runs that skill; by default, all of its type.
    fn handles(&self, skill: &SkillPackage) -> bool {
        skill.metadata.executor == self.kind()
    }

    /// Runs the call. Every outcome is an answer.
    fn execute(&self, call: &Call<'_>) -> Envelope;

    /// Starts long-lived processes, so that the first call finds them running. Returns true if
    /// there are any; by default, there are none.
    fn preload(&self, _call: &Call<'_>) -> Result<bool, Failure> {
        Ok(false)
    }

    /// Called when the caller's process ends: unfinished work of skills continues without it, as in
    /// the old host. Without this, processes that outlive a call are killed when the executor is
    /// dropped.
    fn release(&self) {}
}
