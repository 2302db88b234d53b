//! Refuses system calls that no skill needs, or that would defeat the other restrictions, with
//! seccomp.

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op,
    SeccompCondition, SeccompFilter, TargetArch, apply_filter,
};

use super::filter::{self, Verdict, Verdicts};
use super::network_access::NetworkAccess;

mod others;
mod rules;
mod set_id;
mod sockets;
#[cfg(test)]
mod tests;

use rules::{Rules, refuse_all_of};
pub(crate) use sockets::UnixSockets;

/// Always refused: other processes' memory, mounts and namespaces, the kernel's own state, and
/// `io_uring`, which bypasses the other rules.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
];

/// Refused without a PID namespace that holds children together and hides others: leaving the
/// process group, and changes to the memory of others.
const LEAVING: &[libc::c_long] = &[
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
];

/// Refused without an IPC namespace: shared memory, semaphores and queues of the user's other
/// processes can be found by number or by name.
const SHARED: &[libc::c_long] = &[
    libc::SYS_mq_notify,
    libc::SYS_mq_open,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_unlink,
    libc::SYS_msgctl,
    libc::SYS_msgget,
    libc::SYS_msgrcv,
    libc::SYS_msgsnd,
    libc::SYS_semctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmget,
];

/// Refused without a network.
const CONNECTING: &[libc::c_long] = &[libc::SYS_connect];

/// The `ioctl` requests that type into the terminal of the caller.
const TYPING: [u64; 2] = [0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */];

/// The conditions that a filter depends on.
pub(crate) struct Restriction<'a> {
    /// The network access that was set up.
    pub(crate) network: &'a NetworkAccess,
    /// The UNIX sockets that may be created.
    pub(crate) unix: UnixSockets,
    /// Shared memory and queues belong to a private IPC namespace.
    pub(crate) own_ipc: bool,
    /// A PID namespace keeps children from leaving.
    pub(crate) alone: bool,
}

/// Installs the filter.
pub(crate) fn restrict(restriction: &Restriction<'_>) -> Vec<String> {
    match program(restriction).and_then(|program| apply_filter(&program)) {
        Ok(()) => Vec::new(),
        Err(error) => vec![format!("{NONE}: {error}")],
    }
}

/// The sentence that says that no system call is restricted.
pub(crate) const NONE: &str = "system calls are not restricted: no seccomp";

/// Builds the whole filter: decisions by the number of a call alone, and then the rules about
/// arguments.
fn program(restriction: &Restriction<'_>) -> Result<BpfProgram, seccompiler::Error> {
    let mut rules = Rules::new();
    refuse_some(&mut rules)?;
    set_id::refuse(&mut rules)?;
    if !restriction.alone {
        others::refuse(&mut rules)?;
    }
    sockets::refuse(&mut rules, restriction.network, restriction.unix)?;
    let verdicts = verdicts(&rules, restriction);
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let rest = SeccompFilter::new(rules, SeccompAction::Allow, refusal, arch)?;
    Ok(filter::by_number(&verdicts, BpfProgram::try_from(rest)?))
}

/// Returns the verdict on each call that is not simply allowed.
///
/// `clone3` fails as unknown, because its flags are in memory, where a filter cannot see them;
/// libraries fall back to `clone`.
fn verdicts(rules: &Rules, restriction: &Restriction<'_>) -> Verdicts {
    let leaving = if restriction.alone { &[] } else { LEAVING };
    let connecting = match restriction.network {
        NetworkAccess::None => CONNECTING,
        NetworkAccess::Any | NetworkAccess::Relay | NetworkAccess::Ports { .. } => &[],
    };
    let shared = if restriction.own_ipc { &[] } else { SHARED };
    let refused = [REFUSED, leaving, shared, connecting].concat();
    let mut res: Verdicts = refused
        .into_iter()
        .map(|call| (call, Verdict::Errno(libc::EPERM)))
        .collect();
    res.extend(rules.keys().map(|&call| (call, Verdict::ByArguments)));
    for call in set_id::UNKNOWN.into_iter().chain([libc::SYS_clone3]) {
        res.insert(call, Verdict::Errno(libc::ENOSYS));
    }
    res
}

fn refuse_some(rules: &mut Rules) -> Result<(), BackendError> {
    let new_user = libc::CLONE_NEWUSER.unsigned_abs().into();
    let new_user = SeccompCondition::new(0, Len::Dword, Op::MaskedEq(new_user), new_user)?;
    refuse_all_of(rules, libc::SYS_clone, vec![new_user])?;
    for request in TYPING {
        let typing = SeccompCondition::new(1, Len::Dword, Op::Eq, request)?;
        refuse_all_of(rules, libc::SYS_ioctl, vec![typing])?;
    }
    Ok(())
}
