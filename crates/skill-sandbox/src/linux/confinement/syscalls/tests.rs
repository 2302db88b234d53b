use super::*;
use crate::linux::confinement::filter::tests::outcome;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

fn errno(number: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | number.unsigned_abs()
}

fn filter_of(network: &NetworkAccess, unix: UnixSockets, alone: bool) -> BpfProgram {
    let restriction = Restriction {
        network,
        unix,
        own_ipc: alone,
        alone,
    };
    program(&restriction).unwrap()
}

/// Checks the result of every call for any arguments. `refused` are the calls that a filter of one
/// rule after the other would refuse; calls with rules about arguments are left out; everything
/// else is allowed.
#[track_caller]
fn check(network: &NetworkAccess, alone: bool, refused: &[libc::c_long]) {
    let program = filter_of(network, UnixSockets::All, alone);
    let mut rules = Rules::new();
    refuse_some(&mut rules).unwrap();
    set_id::refuse(&mut rules).unwrap();
    if !alone {
        others::refuse(&mut rules).unwrap();
    }
    sockets::refuse(&mut rules, network, UnixSockets::All).unwrap();
    for call in (0..1024).filter(|call| !rules.contains_key(call)) {
        let expected = if call == libc::SYS_clone3 || set_id::UNKNOWN.contains(&call) {
            errno(libc::ENOSYS)
        } else if refused.contains(&call) {
            errno(libc::EPERM)
        } else {
            ALLOW
        };
        for arguments in [[0; 6], [1; 6], [u64::MAX; 6]] {
            let found = outcome(&program, call, arguments);
            assert_eq!(found, expected, "{call} {arguments:?}");
        }
    }
}

#[test]
fn what_is_refused_is_and_all_else_is_allowed() {
    check(&NetworkAccess::Any, true, REFUSED);
    check(&NetworkAccess::Relay, true, REFUSED);
    check(
        &NetworkAccess::Any,
        false,
        &[REFUSED, LEAVING, SHARED].concat(),
    );
    check(&NetworkAccess::None, true, &[REFUSED, CONNECTING].concat());
}

/// Checks the result of a call for the given arguments.
#[track_caller]
fn decide(
    network: &NetworkAccess,
    unix: UnixSockets,
    call: libc::c_long,
    is_allowed: bool,
    cases: &[&[libc::c_int]],
) {
    let program = filter_of(network, unix, true);
    for case in cases {
        let mut arguments = [0; 6];
        for (place, value) in arguments.iter_mut().zip(*case) {
            *place = value.unsigned_abs().into();
        }
        let found = outcome(&program, call, arguments);
        let expected = if is_allowed {
            ALLOW
        } else {
            errno(libc::EPERM)
        };
        assert_eq!(found, expected, "{call} {case:#x?}");
    }
}

#[track_caller]
fn allowed(call: libc::c_long, cases: &[&[libc::c_int]]) {
    decide(&NetworkAccess::Any, UnixSockets::All, call, true, cases);
}

#[track_caller]
fn refused(call: libc::c_long, cases: &[&[libc::c_int]]) {
    decide(&NetworkAccess::Any, UnixSockets::All, call, false, cases);
}

#[test]
fn namespaces_and_terminals() {
    allowed(libc::SYS_clone, &[&[0x11]]);
    refused(libc::SYS_clone, &[&[libc::CLONE_NEWUSER | 0x11]]);
    allowed(libc::SYS_ioctl, &[&[0, 0x5401]]);
    refused(libc::SYS_ioctl, &[&[0, 0x5412], &[0, 0x541c]]);
}

/// If other processes can be named, they cannot be changed.
#[test]
fn limits_and_priorities_of_others() {
    let of = |call, arguments: [u64; 3], alone, expected| {
        let program = filter_of(&NetworkAccess::None, UnixSockets::All, alone);
        let [first, second, third] = arguments;
        let found = outcome(&program, call, [first, second, third, 0, 0, 0]);
        assert_eq!(found, expected, "{call} {arguments:?}");
    };
    let refused = errno(libc::EPERM);
    for (call, arguments) in [
        (libc::SYS_prlimit64, [1, 7, 0x7fff_0000_0000]),
        (libc::SYS_sched_setaffinity, [1, 8, 0x7fff_0000]),
        (libc::SYS_sched_setattr, [1, 0x7fff_0000, 0]),
        (libc::SYS_sched_setparam, [1, 0x7fff_0000, 0]),
        (libc::SYS_sched_setscheduler, [1, 5, 0x7fff_0000]),
        (libc::SYS_migrate_pages, [1, 1, 0]),
        (libc::SYS_move_pages, [1, 1, 0]),
        (libc::SYS_setpriority, [0, 1, 19]),
        (libc::SYS_setpriority, [1, 1, 19]),
        (libc::SYS_setpriority, [2, 0, 19]),
        (libc::SYS_ioprio_set, [1, 1, 0]),
        (libc::SYS_ioprio_set, [3, 0, 0]),
        (libc::SYS_process_madvise, [5, 0, 0]),
        (libc::SYS_process_mrelease, [5, 0, 0]),
    ] {
        of(call, arguments, false, refused);
        of(call, arguments, true, ALLOW);
    }
    for (call, arguments) in [
        (libc::SYS_prlimit64, [0, 7, 0x7fff_0000_0000]),
        (libc::SYS_prlimit64, [1, 7, 0]),
        (libc::SYS_sched_setaffinity, [0, 8, 0x7fff_0000]),
        (libc::SYS_setpriority, [0, 0, 19]),
        (libc::SYS_setpriority, [1, 0, 19]),
        (libc::SYS_ioprio_set, [1, 0, 0]),
    ] {
        of(call, arguments, false, ALLOW);
    }
}

#[test]
fn modes_that_make_a_program_run_as_another() {
    allowed(libc::SYS_fchmod, &[&[0, 0o755], &[0, 0o1777]]);
    refused(libc::SYS_fchmod, &[&[0, 0o4755], &[0, 0o2755]]);
    allowed(libc::SYS_fchmodat, &[&[0, 0o4000, 0o755]]);
    refused(libc::SYS_fchmodat, &[&[0, 0, 0o6755]]);
    let (new, unnamed) = (libc::O_CREAT | libc::O_RDWR, libc::O_TMPFILE | libc::O_RDWR);
    allowed(
        libc::SYS_openat,
        &[
            &[0, 0, new, 0o1755],
            &[0, 0, unnamed, 0o600],
            // No file is created, and the value in the register is not a mode.
            &[0, 0, libc::O_RDONLY, 0o6755],
            &[0, 0, libc::O_DIRECTORY, 0o6755],
        ],
    );
    refused(
        libc::SYS_openat,
        &[
            &[0, 0, new, 0o4755],
            &[0, 0, new, 0o2755],
            &[0, 0, unnamed, 0o4755],
        ],
    );
    let kinds = [libc::S_IFREG, libc::S_IFIFO, libc::S_IFSOCK];
    for kind in kinds.map(u32::cast_signed) {
        allowed(libc::SYS_mknodat, &[&[0, 0, kind | 0o644]]);
        refused(libc::SYS_mknodat, &[&[0, 0, kind | 0o4755]]);
    }
    for kind in [libc::S_IFCHR, libc::S_IFBLK].map(u32::cast_signed) {
        refused(libc::SYS_mknodat, &[&[0, 0, kind | 0o644]]);
    }
}

/// The calls without a directory argument, which newer architectures do not have.
#[cfg(target_arch = "x86_64")]
#[test]
fn modes_of_the_older_calls() {
    refused(libc::SYS_chmod, &[&[0, 0o4755], &[0, 0o2755]]);
    refused(libc::SYS_creat, &[&[0, 0o4755], &[0, 0o2755]]);
    refused(libc::SYS_open, &[&[0, libc::O_CREAT, 0o4755]]);
    allowed(libc::SYS_open, &[&[0, libc::O_RDONLY, 0o4755]]);
    refused(libc::SYS_mknod, &[&[0, 0o104_755], &[0, 0o60_644]]);
}

const STREAM: libc::c_int = libc::SOCK_STREAM;
const DATAGRAM: libc::c_int = libc::SOCK_DGRAM;
const PACKETS: libc::c_int = libc::SOCK_SEQPACKET;
const FLAGS: libc::c_int = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;

/// Datagram sockets are refused, because each datagram names its receiver.
#[test]
fn without_a_network() {
    let unix = libc::AF_UNIX;
    let pairs: &[&[_]] = &[&[unix, STREAM], &[unix, STREAM | FLAGS], &[unix, PACKETS]];
    let datagrams: &[&[_]] = &[
        &[unix, DATAGRAM],
        &[unix, DATAGRAM | FLAGS],
        &[unix, libc::SOCK_RAW],
        &[libc::AF_INET, STREAM],
        &[libc::AF_NETLINK, libc::SOCK_RAW],
        &[libc::AF_VSOCK, STREAM],
    ];
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        decide(&NetworkAccess::None, UnixSockets::All, call, true, pairs);
        decide(
            &NetworkAccess::None,
            UnixSockets::All,
            call,
            false,
            datagrams,
        );
    }
}

#[test]
fn with_the_relay() {
    let relay = |is_allowed, unix, call, cases: &[&[_]]| {
        decide(&NetworkAccess::Relay, unix, call, is_allowed, cases);
    };
    let unix = libc::AF_UNIX;
    let internet: &[&[_]] = &[
        &[libc::AF_INET, STREAM],
        &[libc::AF_INET6, DATAGRAM | FLAGS],
        &[libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE],
    ];
    relay(true, UnixSockets::PairsOnly, libc::SYS_socket, internet);
    relay(
        true,
        UnixSockets::All,
        libc::SYS_socket,
        &[&[unix, DATAGRAM]],
    );
    let others: &[&[_]] = &[
        &[libc::AF_VSOCK, STREAM],
        &[libc::AF_ALG, PACKETS],
        &[libc::AF_PACKET, libc::SOCK_RAW],
        &[libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_AUDIT],
    ];
    relay(false, UnixSockets::All, libc::SYS_socket, others);
    let sockets: &[&[_]] = &[&[unix, STREAM], &[unix, DATAGRAM], &[unix, PACKETS]];
    relay(false, UnixSockets::PairsOnly, libc::SYS_socket, sockets);
    let pair: &[&[_]] = &[&[unix, STREAM | FLAGS], &[unix, PACKETS]];
    relay(true, UnixSockets::PairsOnly, libc::SYS_socketpair, pair);
    let datagrams: &[&[_]] = &[&[unix, DATAGRAM], &[unix, libc::SOCK_RAW]];
    relay(
        false,
        UnixSockets::PairsOnly,
        libc::SYS_socketpair,
        datagrams,
    );
    // The namespace contains it, however it connects.
    let fast = libc::MSG_FASTOPEN;
    relay(
        true,
        UnixSockets::All,
        libc::SYS_sendto,
        &[&[0, 0, 0, fast]],
    );
}

#[test]
fn with_ports_alone() {
    let ports = |udp| NetworkAccess::Ports {
        tcp: vec![443],
        udp,
    };
    let check = |udp, is_allowed, call, cases: &[&[_]]| {
        decide(&ports(udp), UnixSockets::PairsOnly, call, is_allowed, cases);
    };
    let (inet, inet6) = (libc::AF_INET, libc::AF_INET6);
    check(true, true, libc::SYS_socket, &[&[inet, DATAGRAM]]);
    let datagrams: &[&[_]] = &[&[inet, DATAGRAM | FLAGS], &[inet6, DATAGRAM]];
    check(false, false, libc::SYS_socket, datagrams);
    let others: &[&[_]] = &[
        &[libc::AF_PACKET, STREAM],
        &[inet, STREAM, libc::IPPROTO_MPTCP],
        &[libc::AF_UNIX, STREAM],
    ];
    check(false, false, libc::SYS_socket, others);
    let fast = libc::MSG_FASTOPEN | libc::MSG_NOSIGNAL;
    check(true, true, libc::SYS_sendto, &[&[3, 0, 9]]);
    check(true, false, libc::SYS_sendto, &[&[3, 0, 9, fast]]);
    check(true, false, libc::SYS_sendmsg, &[&[3, 0, fast]]);
    check(true, false, libc::SYS_sendmmsg, &[&[3, 0, 1, fast]]);
    let option = &[3, libc::IPPROTO_TCP, libc::TCP_FASTOPEN_CONNECT];
    check(true, false, libc::SYS_setsockopt, &[option]);
    let no_delay = &[3, libc::IPPROTO_TCP, libc::TCP_NODELAY];
    check(true, true, libc::SYS_setsockopt, &[no_delay]);
}
