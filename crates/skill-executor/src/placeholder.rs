//! `static`: a command whose output is the value of placeholders.
//!
//! Source: `docs/design/legacy-host.md` §1.5.

mod cron;
pub(crate) mod feed;
mod fold;
pub(crate) mod known;
mod once;
mod refresh;

use std::time::Instant;

use skill_model::ExecutorKind;

pub use cron::{Fields, Schedule};
pub use fold::value_of;
use once::execute_once;
pub use refresh::{follow, schedule};

use crate::call::Call;
use crate::envelope::Envelope;
use crate::executor::Executor;

/// Runs `static` skills.
#[derive(Debug, Default)]
pub struct Static;

impl Executor for Static {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Static
    }

    /// One run; with [`Options::watch`](crate::call::Options::watch), further ones by the cron
    /// text for so long, and the last answer.
    fn execute(&self, call: &Call<'_>) -> Envelope {
        let until = call.options.watch.map(|watch| Instant::now() + watch);
        let mut res = execute_once(call);
        if until.is_some() {
            follow(call, until, &mut |envelope| {
                res = envelope;
                true
            });
        }
        res
    }
}
