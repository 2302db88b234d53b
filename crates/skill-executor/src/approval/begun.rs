//! A call that begins: what was approved is what is started.
//!
//! What a skill's earlier calls left running could change its code between the look at it and its start.
//! So a call that depends on an approval begins when no other process of its skill is there, looks at
//! the code then, and keeps others from beginning until it is started. Two files beneath `running/` of
//! the state, where no skill can write, tell who is there by their locks:
//!
//! - `<key>.alive` is locked for sharing by the launcher of each call, until none of its processes is left.
//! - `<key>.start` is locked while a call begins: for sharing, or alone where the code is looked at.
//!   Launchers that only wait for what was left behind end it when they see that.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use skill_sandbox::Lease;

use crate::call::Call;
use crate::cancel;
use crate::envelope::{ErrorCode, Failure};
use crate::state::failed;
use crate::{gate, view};

/// The locks of all skills, beneath the state directory.
const DIR: &str = "running";
/// How long other processes of the skill are waited for at most.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often it is looked whether they are gone.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// While it lives, no call of the skill that depends on an approval looks at its code.
#[derive(Debug)]
pub(crate) struct Begun {
    _start: OwnedFd,
    /// For the launcher.
    pub(crate) lease: Lease,
}

/// Begins a call whose view is prepared: it is the only one of its skill, and approved as it is now,
/// where it depends on an approval. To be kept until the program is started.
///
/// Only within walls: without, a program can change the approvals themselves.
pub(crate) fn begin(call: &Call<'_>) -> Result<Begun, Failure> {
    let (state, is_bound) = (&call.host.state, super::is_bound(call));
    let key = view::key(call.skill, state).ok_or_else(|| {
        let message = format!(
            "no state belongs to the skill in {}",
            call.skill.dir.display()
        );
        Failure::new(ErrorCode::Io, message)
    })?;
    let open = |name: &str| {
        let opened = state.root().open_lock(&format!("{DIR}/{key}.{name}"));
        opened.map_err(|error| failed(&error))
    };
    let (start, alive, ending) = (open("start")?, open("alive")?, open("start")?);
    let (shared, alone) = (
        FlockOperation::NonBlockingLockShared,
        FlockOperation::NonBlockingLockExclusive,
    );
    let until = Instant::now() + call.timeout(PATIENCE).min(PATIENCE);
    lock(call, &start, if is_bound { alone } else { shared }, until)?;
    if is_bound {
        lock(call, &alive, alone, until)?;
        gate::approved(call)?;
    }
    // In the moment between the two locks nobody else takes it: whoever would has to begin first.
    lock(call, &alive, shared, until)?;
    Ok(Begun {
        _start: start,
        lease: Lease {
            alive: Arc::new(alive),
            ending: Arc::new(ending),
        },
    })
}

/// Takes a lock as soon as it can be had.
fn lock(
    call: &Call<'_>,
    file: &OwnedFd,
    how: FlockOperation,
    until: Instant,
) -> Result<(), Failure> {
    loop {
        match flock(file, how) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) if Instant::now() < until => {
                call.options.cancel.sleep(LOOK_EVERY);
            }
            Err(Errno::WOULDBLOCK) => return Err(busy(call)),
            Err(Errno::INTR) => {}
            Err(error) => return Err(failed(&error)),
        }
        if call.options.cancel.is_cancelled() {
            return Err(cancel::failure(call));
        }
    }
}

fn busy(call: &Call<'_>) -> Failure {
    let name = &call.skill.metadata.name;
    let message = format!(
        "an earlier call of `{name}` still runs and could change what was approved; wait until it has ended, or approve this call alone (`--approve`)"
    );
    Failure::new(ErrorCode::Denied, message)
}
