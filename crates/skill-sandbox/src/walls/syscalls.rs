//! System calls that no skill needs, or that would open what the other walls close: seccomp.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use super::filter::{self, Verdict, Verdicts};
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

/// Refused where there is no network.
const CONNECTING: &[libc::c_long] = &[libc::SYS_connect];

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
    apply_filter(&program(network, alone)?)
}

/// The whole filter: what is decided by the number of a call alone, and then the rules about
/// arguments.
fn program(network: &Network, alone: bool) -> Result<BpfProgram, seccompiler::Error> {
    let mut rules = Rules::new();
    refuse_some(&mut rules)?;
    refuse_network(&mut rules, network)?;
    let verdicts = verdicts(&rules, network, alone);
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let rest = SeccompFilter::new(rules, SeccompAction::Allow, refusal, arch)?;
    Ok(filter::by_number(&verdicts, BpfProgram::try_from(rest)?))
}

/// What is done with each call that is not simply allowed.
///
/// `clone3`, whose flags lie in memory, out of a filter's sight, is unknown (libraries fall back to
/// `clone`).
fn verdicts(rules: &Rules, network: &Network, alone: bool) -> Verdicts {
    let leaving = if alone { &[] } else { LEAVING };
    let connecting = match network {
        Network::None => CONNECTING,
        Network::Any | Network::Ports { .. } => &[],
    };
    let refused = [REFUSED, leaving, connecting].concat();
    let mut res: Verdicts = refused
        .into_iter()
        .map(|call| (call, Verdict::Errno(libc::EPERM)))
        .collect();
    res.extend(rules.keys().map(|&call| (call, Verdict::ByArguments)));
    res.insert(libc::SYS_clone3, Verdict::Errno(libc::ENOSYS));
    res
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
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walls::filter::tests::outcome;

    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

    fn errno(number: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | number.unsigned_abs()
    }

    /// Checks what becomes of every call with some arguments: `refused` are those that a filter of
    /// one rule after the other would refuse, everything else is allowed.
    fn check(network: &Network, alone: bool, refused: &[libc::c_long]) {
        let program = program(network, alone).unwrap();
        let arguments = [
            [0; 6],
            [1, 1, 1, 1, 1, 1],
            [2, 2, 0, 0, 0, 0],
            [1, 5, 0, 0, 0, 0],
        ];
        for call in 0..1024 {
            let expected = if call == libc::SYS_clone3 {
                errno(libc::ENOSYS)
            } else if refused.contains(&call) {
                errno(libc::EPERM)
            } else {
                ALLOW
            };
            for arguments in arguments {
                let by_arguments = [libc::SYS_socket, libc::SYS_socketpair].contains(&call);
                if !by_arguments {
                    let found = outcome(&program, call, arguments);
                    assert_eq!(found, expected, "{call} {arguments:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_refused_is_and_all_else_is_allowed() {
        let any = Network::Any;
        check(&any, true, REFUSED);
        check(&any, false, &[REFUSED, LEAVING].concat());
        check(&Network::None, true, &[REFUSED, CONNECTING].concat());
    }

    /// What becomes of one call, in order of the arguments that are given.
    fn check_arguments(network: &Network, call: libc::c_long, cases: &[([u64; 3], bool)]) {
        let program = program(network, true).unwrap();
        for ([a, b, c], is_allowed) in cases {
            let found = outcome(&program, call, [*a, *b, *c, 0, 0, 0]);
            let expected = if *is_allowed {
                ALLOW
            } else {
                errno(libc::EPERM)
            };
            assert_eq!(found, expected, "{call} {a:#x} {b:#x} {c:#x}");
        }
    }

    #[test]
    fn arguments_decide_over_some() {
        let any = Network::Any;
        let new_user: u64 = libc::CLONE_NEWUSER.unsigned_abs().into();
        check_arguments(
            &any,
            libc::SYS_clone,
            &[([0x11, 0, 0], true), ([new_user | 0x11, 0, 0], false)],
        );
        let typing = [
            ([0, 0x5401, 0], true),
            ([0, 0x5412, 0], false),
            ([0, 0x541c, 0], false),
        ];
        check_arguments(&any, libc::SYS_ioctl, &typing);
        let modes = [
            ([0, 0o755, 0], true),
            ([0, 0o4755, 0], false),
            ([0, 0o2755, 0], false),
        ];
        check_arguments(&any, libc::SYS_fchmod, &modes);
        let modes = [([0, 0o4000, 0o755], true), ([0, 0, 0o6755], false)];
        check_arguments(&any, libc::SYS_fchmodat, &modes);
        let (unix, inet, packet) = (1, 2, 17);
        let (stream, datagram) = (1, 2);
        check_arguments(&any, libc::SYS_socket, &[([inet, datagram, 0], true)]);
        let none = [([unix, stream, 0], true), ([inet, stream, 0], false)];
        check_arguments(&Network::None, libc::SYS_socket, &none);
        check_arguments(&Network::None, libc::SYS_socketpair, &none);
        let ports = Network::Ports {
            tcp: vec![443],
            udp: false,
        };
        let cases = [
            ([inet, stream, 0], true),
            ([inet, datagram, 0], false),
            ([inet, datagram | 0o2_000_000, 0], false),
            ([packet, stream, 0], false),
            ([inet, stream, 262], false),
            ([unix, datagram, 0], true),
        ];
        check_arguments(&ports, libc::SYS_socket, &cases);
    }
}
