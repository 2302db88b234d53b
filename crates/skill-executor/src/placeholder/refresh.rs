//! Values that are computed again by a cron expression.

use std::time::{Duration, Instant};

use super::cron::Schedule;
use super::once::execute_once;
use skill_model::ExecutorKind;

use crate::call::Call;
use crate::clock;
use crate::envelope::Envelope;

/// Runs a static skill at every moment of its schedule until `until` (without end for `None`) and
/// gives each answer to `each`, which returns whether to continue. Runs never overlap: a moment
/// that passes during a run is left out.
pub fn follow(call: &Call<'_>, until: Option<Instant>, each: &mut dyn FnMut(Envelope) -> bool) {
    let Some(schedule) = schedule(call) else {
        return;
    };
    let zone = &call.host.zone;
    while let Some(next) = schedule.next(clock::now_ms().div_euclid(1_000), zone) {
        let left = next * 1_000 - clock::now_ms();
        let left = Duration::from_millis(u64::try_from(left).unwrap_or_default());
        if let Some(until) = until
            && until.saturating_duration_since(Instant::now()) < left
        {
            return;
        }
        call.options.cancel.sleep(left);
        if call.options.cancel.is_cancelled() {
            return;
        }
        if !each(execute_once(call)) {
            return;
        }
    }
}

/// Returns the schedule of a skill; `None` if it never runs.
pub fn schedule(call: &Call<'_>) -> Option<Schedule> {
    let metadata = &call.skill.metadata;
    debug_assert!(
        metadata.executor == ExecutorKind::Static,
        "only static skills are refreshed"
    );
    Schedule::read(&metadata.refresh.as_ref()?.cron, &call.host.zone)
}
