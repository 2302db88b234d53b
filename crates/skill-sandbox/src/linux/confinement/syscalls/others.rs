//! Protects limits, priorities and processors of other processes where no PID namespace hides them.
//!
//! The process is an argument, and 0 is the caller. The caller's own id is refused too, because a
//! filter does not know it. Programs that use it (`pthread_setaffinity_np`) continue with what they
//! have.

use seccompiler::{
    BackendError, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
};

use super::rules::{Rules, refuse_all_of};

/// Calls whose first argument is the process that they change.
const CHANGING: [libc::c_long; 6] = [
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Calls whose first argument is the kind of the second one, with the kind that means a whole user:
/// with 0, the caller's (`PRIO_USER`, `IOPRIO_WHO_USER`).
const OF_A_KIND: [(libc::c_long, u64); 2] = [(libc::SYS_setpriority, 2), (libc::SYS_ioprio_set, 3)];

pub(super) fn refuse(rules: &mut Rules) -> Result<(), BackendError> {
    for call in CHANGING {
        refuse_all_of(rules, call, vec![is_another(0)?])?;
    }
    for (call, user) in OF_A_KIND {
        refuse_all_of(rules, call, vec![is_another(1)?])?;
        let is_user = Condition::new(0, Len::Dword, Op::Eq, user)?;
        refuse_all_of(rules, call, vec![is_user])?;
    }
    // Without new limits the call only reads.
    let is_new = Condition::new(2, Len::Qword, Op::Ne, 0)?;
    refuse_all_of(rules, libc::SYS_prlimit64, vec![is_another(0)?, is_new])
}

/// Matches an argument that is not the caller.
fn is_another(argument: u8) -> Result<Condition, BackendError> {
    Condition::new(argument, Len::Dword, Op::Ne, 0)
}
