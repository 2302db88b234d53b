//! System calls that no skill needs, or that would open what the other walls close: seccomp.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use crate::policy::Network;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refused always: other processes' memory, mounts and namespaces, the kernel's own state, and
/// `io_uring`, which does what the other rules forbid.
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

/// Refused where no PID namespace keeps children together: leaving the process group.
const LEAVING: &[libc::c_long] = &[libc::SYS_setsid, libc::SYS_setpgid];

/// `ioctl` that types into the terminal of whoever started us.
const TYPING: [u64; 2] = [0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */];

/// Set-user-id and set-group-id bits of a mode.
const SET_ID: [u64; 2] = [0o4000, 0o2000];

/// Protocols that reach hosts as TCP does, but past Landlock's ports.
const NOT_TCP: [libc::c_int; 3] = [libc::IPPROTO_MPTCP, libc::IPPROTO_SCTP, libc::IPPROTO_DCCP];

/// Installs the filter; `alone`: children cannot leave, because a PID namespace holds them.
pub(crate) fn restrict(network: &Network, alone: bool) -> Vec<String> {
    match try_restrict(network, alone) {
        Ok(()) => Vec::new(),
        Err(error) => vec![format!("{NONE}: {error}")],
    }
}

/// The sentence that means: every system call is open.
pub(crate) const NONE: &str = "system calls are not restricted: no seccomp";

fn try_restrict(network: &Network, alone: bool) -> Result<(), seccompiler::Error> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let mut rules = Rules::new();
    for &call in REFUSED {
        refuse(&mut rules, call);
    }
    if !alone {
        for &call in LEAVING {
            refuse(&mut rules, call);
        }
    }
    refuse_some(&mut rules)?;
    refuse_network(&mut rules, network)?;
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, arch)?;
    let mut program = first_of_all();
    program.extend(BpfProgram::try_from(filter)?);
    apply_filter(&program)
}

/// What is decided before the rules: `clone3`, whose flags lie in memory, out of a filter's sight, is
/// unknown (libraries fall back to `clone`); numbers of the x32 form, a second door to every call on
/// x86-64, are refused. In the filter's own instructions, because the kernel tries every call on every
/// rule when a filter is installed, which takes longer than starting a process does.
fn first_of_all() -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    let clone3 = u32::try_from(libc::SYS_clone3).unwrap_or(u32::MAX);
    let answer =
        |errno: i32| instruction(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | errno.unsigned_abs());
    vec![
        instruction(LOAD, 0, 0, NUMBER_OFFSET),
        instruction(JUMP_EQUAL, 0, 1, clone3),
        answer(libc::ENOSYS),
        instruction(JUMP_GREATER_OR_EQUAL, 0, 1, X32),
        answer(libc::EPERM),
    ]
}

/// Codes of the classic packet filter (`linux/bpf_common.h`), and where the call's number lies.
const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_GREATER_OR_EQUAL: u16 = 0x35;
const RETURN: u16 = 0x06;
const NUMBER_OFFSET: u32 = 0;

fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

fn refuse(rules: &mut Rules, call: libc::c_long) {
    rules.insert(call, Vec::new());
}

/// Refuses `call` where an argument fits.
fn refuse_where(
    rules: &mut Rules,
    call: libc::c_long,
    argument: u8,
    op: &Op,
    value: u64,
) -> Result<(), seccompiler::BackendError> {
    let condition = SeccompCondition::new(argument, Len::Dword, op.clone(), value)?;
    let rule = SeccompRule::new(vec![condition])?;
    rules.entry(call).or_default().push(rule);
    Ok(())
}

fn refuse_some(rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
    let new_user = libc::CLONE_NEWUSER.unsigned_abs().into();
    refuse_where(rules, libc::SYS_clone, 0, &Op::MaskedEq(new_user), new_user)?;
    for request in TYPING {
        refuse_where(rules, libc::SYS_ioctl, 1, &Op::Eq, request)?;
    }
    for bit in SET_ID {
        #[cfg(target_arch = "x86_64")]
        refuse_where(rules, libc::SYS_chmod, 1, &Op::MaskedEq(bit), bit)?;
        refuse_where(rules, libc::SYS_fchmod, 1, &Op::MaskedEq(bit), bit)?;
        refuse_where(rules, libc::SYS_fchmodat, 2, &Op::MaskedEq(bit), bit)?;
    }
    Ok(())
}

/// Refuses sockets of one family and type; the type's upper bits are flags.
fn refuse_socket(
    rules: &mut Rules,
    family: u64,
    kind: u64,
) -> Result<(), seccompiler::BackendError> {
    let rule = SeccompRule::new(vec![
        SeccompCondition::new(0, Len::Dword, Op::Eq, family)?,
        SeccompCondition::new(1, Len::Dword, Op::MaskedEq(0xf), kind)?,
    ])?;
    rules.entry(libc::SYS_socket).or_default().push(rule);
    Ok(())
}

/// Without a network only UNIX sockets are made, and none is connected to a path: Landlock does not
/// look at those, and behind some of them (a container engine's) lies the whole machine.
fn refuse_network(rules: &mut Rules, network: &Network) -> Result<(), seccompiler::BackendError> {
    let unix = libc::AF_UNIX.unsigned_abs().into();
    match network {
        Network::Any => {}
        Network::Ports { udp, .. } => {
            let datagrams = libc::SOCK_DGRAM.unsigned_abs().into();
            for family in [libc::AF_INET, libc::AF_INET6] {
                let family = family.unsigned_abs().into();
                if !udp {
                    refuse_socket(rules, family, datagrams)?;
                }
            }
            for family in [libc::AF_PACKET, libc::AF_VSOCK] {
                let family = family.unsigned_abs().into();
                refuse_where(rules, libc::SYS_socket, 0, &Op::Eq, family)?;
            }
            for protocol in NOT_TCP {
                let protocol = protocol.unsigned_abs().into();
                refuse_where(rules, libc::SYS_socket, 2, &Op::Eq, protocol)?;
            }
        }
        Network::None => {
            refuse_where(rules, libc::SYS_socket, 0, &Op::Ne, unix)?;
            refuse_where(rules, libc::SYS_socketpair, 0, &Op::Ne, unix)?;
            refuse(rules, libc::SYS_connect);
        }
    }
    Ok(())
}
