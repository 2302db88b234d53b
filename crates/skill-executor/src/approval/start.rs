//! The start of a call: what was approved is what is started.
//!
//! Processes that earlier calls of a skill left running could change its code between its check and
//! its start. So a call that depends on an approval waits until no other process of its skill runs.
//! Then it checks the code, and blocks other starts until it is started. Two files beneath
//! `running/` of the state, where no skill can write, show by their locks what is running:
//!
//! - `<key>.alive` has a shared lock, held by the launcher of each call until all its processes
//!   have ended.
//! - `<key>.start` is locked while a call starts: shared, or exclusive if the code is checked.
//!   Launchers that only wait for leftover processes end them when they see the exclusive lock.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use skill_sandbox::Lease;

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::{preflight, view};

/// The directory of the locks, beneath the state directory.
const DIR: &str = "running";
/// The maximum time to wait for other processes of the skill.
const PATIENCE: Duration = Duration::from_mins(1);
/// The interval of checking whether they have ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// While this value exists, no call of the skill that depends on an approval checks its code.
#[derive(Debug)]
pub(crate) struct StartGuard {
    _start: File,
    /// The lease for the launcher.
    pub(crate) lease: Lease,
}

/// Starts a call whose view is prepared. If it depends on an approval, it waits to be the only call
/// of its skill, and checks that the skill is approved as it is now. To be kept until the program
/// is started.
///
/// This works only with a sandbox: without one, a program can change the approvals themselves.
pub(crate) fn begin(call: &Call<'_>) -> Result<StartGuard, Failure> {
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
        opened.map_err(|error| Failure::io(&error))
    };
    let (start, alive, ending) = (open("start")?, open("alive")?, open("start")?);
    let (shared, alone) = (File::try_lock_shared, File::try_lock);
    let until = Instant::now() + call.timeout(PATIENCE).min(PATIENCE);
    lock(call, &start, if is_bound { alone } else { shared }, until)?;
    if is_bound {
        lock(call, &alive, alone, until)?;
        preflight::check_approval(call)?;
    }
    // Nobody else takes the lock between these two calls, because a call has to hold the start lock
    // first.
    lock(call, &alive, shared, until)?;
    Ok(StartGuard {
        _start: start,
        lease: Lease {
            alive: Arc::new(alive),
            ending: Arc::new(ending),
        },
    })
}

/// Takes a lock as soon as it is available.
fn lock(
    call: &Call<'_>,
    file: &File,
    how: fn(&File) -> Result<(), TryLockError>,
    until: Instant,
) -> Result<(), Failure> {
    loop {
        match how(file) {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                call.options.cancel.sleep(LOOK_EVERY);
            }
            Err(TryLockError::WouldBlock) => return Err(busy(call)),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return Err(Failure::io(&error)),
        }
        if call.options.cancel.is_cancelled() {
            return Err(call.cancelled());
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
