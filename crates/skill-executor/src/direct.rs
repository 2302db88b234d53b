//! `direct`: a child process for each call, JSON in, JSON out.
//!
//! Source: `docs/design/legacy-host.md` §1.3 and §1.4. The call ends when the process exits, or,
//! for an asynchronous skill, at its first reply. Children that hold the pipe neither delay it nor
//! are killed.

mod asynchronous;
mod finish;
mod first;
mod reply;

use serde_json::Value;
use skill_model::{ExecutorKind, Transport};

use finish::{finished, stdin};
pub(crate) use finish::{lost, note};

pub use asynchronous::{NO_REPLY_GRACE, NO_REPLY_TIMEOUT};
pub use first::first_reply;
pub use reply::{Ending, as_reply, reply};

use crate::answer::answer;
use crate::arguments;
use crate::call::{Call, DEFAULT_TIMEOUT};
use crate::envelope::{Envelope, Failure, Meta, Success};
use crate::executor::Executor;
use crate::package::SkillPackage;
use crate::view::View;
use crate::{environment, policy, program};

/// Runs `direct` skills that talk JSON over their standard streams.
#[derive(Debug, Default)]
pub struct Direct;

impl Executor for Direct {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Direct
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        let metadata = &skill.metadata;
        metadata.executor == self.kind() && metadata.transport == Some(Transport::StdioJson)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        answer(call, |meta, warnings| {
            let prepared = arguments::prepare(call)?;
            meta.command = prepared.command.map(str::to_owned);
            *warnings = prepared.warnings;
            run(call, &prepared.input, meta)
        })
    }
}

fn run(call: &Call<'_>, input: &Value, meta: &mut Meta) -> Result<Success, Failure> {
    let view = View::prepare(call)?;
    if call.skill.metadata.asynchronous.is_some() {
        return asynchronous::run(call, input, &view, meta);
    }
    let env = environment::for_tool(call, &view)?;
    let timeout = call.timeout(DEFAULT_TIMEOUT);
    let started = program::start(call, &view, &env, stdin(input), Some(timeout))?;
    policy::note(&mut meta.extra, call, started.child.confinement());
    let _watch = started.killed_by(&call.options.cancel);
    let through = started.through_shell();
    let outcome = started.child.finish().map_err(|error| lost(&error))?;
    let ending = program::ending(outcome.exit, through);
    finished(call, input, &outcome, ending, meta)
}
