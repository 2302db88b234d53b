//! Restricts the sockets that can be created and their use.

use seccompiler::{
    BackendError, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
};

use super::rules::{Rules, refuse_all_of};
use crate::linux::confinement::network_access::NetworkAccess;

/// The UNIX sockets that may be created besides pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnixSockets {
    /// None: sockets of others are visible by path, and some of them (a container engine's) give
    /// access to the whole machine.
    PairsOnly,
    /// Any: sockets of others are not visible, or may be used.
    All,
}

/// Protocols that reach hosts as TCP does, but bypass Landlock's port rules.
const NOT_TCP: [libc::c_int; 3] = [libc::IPPROTO_MPTCP, libc::IPPROTO_SCTP, libc::IPPROTO_DCCP];

/// Calls that send, with the index of their flags.
const SENDING: [(libc::c_long, u8); 3] = [
    (libc::SYS_sendto, 3),
    (libc::SYS_sendmsg, 2),
    (libc::SYS_sendmmsg, 3),
];

/// The internet families, and the one that queries the addresses of this machine.
const INTERNET: [libc::c_int; 3] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// The bits of a socket type that are not flags.
const KIND: u64 = 0xf;

pub(super) fn refuse(
    rules: &mut Rules,
    network: &NetworkAccess,
    unix: UnixSockets,
) -> Result<(), BackendError> {
    let pairs = vec![condition(0, Op::Ne, libc::AF_UNIX)?];
    refuse_all_of(rules, libc::SYS_socketpair, pairs)?;
    match network {
        NetworkAccess::Any => {}
        NetworkAccess::None => {
            only_families(rules, &[libc::AF_UNIX])?;
            refuse_datagrams(rules, libc::SYS_socket, libc::AF_UNIX)?;
            refuse_datagrams(rules, libc::SYS_socketpair, libc::AF_UNIX)?;
        }
        NetworkAccess::Relay => only_internet(rules)?,
        NetworkAccess::Ports { udp, .. } => {
            only_internet(rules)?;
            only_connect(rules)?;
            if !udp {
                refuse_datagrams(rules, libc::SYS_socket, libc::AF_INET)?;
                refuse_datagrams(rules, libc::SYS_socket, libc::AF_INET6)?;
            }
        }
    }
    if unix == UnixSockets::PairsOnly && *network != NetworkAccess::None {
        let sockets = vec![condition(0, Op::Eq, libc::AF_UNIX)?];
        refuse_all_of(rules, libc::SYS_socket, sockets)?;
        refuse_datagrams(rules, libc::SYS_socketpair, libc::AF_UNIX)?;
    }
    Ok(())
}

fn condition(argument: u8, op: Op, value: libc::c_int) -> Result<Condition, BackendError> {
    Condition::new(argument, Len::Dword, op, value.unsigned_abs().into())
}

/// Allows sockets of these families alone.
fn only_families(rules: &mut Rules, families: &[libc::c_int]) -> Result<(), BackendError> {
    let others = families
        .iter()
        .map(|&family| condition(0, Op::Ne, family))
        .collect::<Result<_, _>>()?;
    refuse_all_of(rules, libc::SYS_socket, others)
}

/// Of the netlink protocols, allows only the one about addresses and routes. A family outside of
/// network namespaces (`AF_VSOCK`) would bypass the private network.
fn only_internet(rules: &mut Rules) -> Result<(), BackendError> {
    only_families(rules, &[&INTERNET[..], &[libc::AF_UNIX]].concat())?;
    let netlink = condition(0, Op::Eq, libc::AF_NETLINK)?;
    let other = condition(2, Op::Ne, libc::NETLINK_ROUTE)?;
    refuse_all_of(rules, libc::SYS_socket, vec![netlink, other])
}

/// Refuses the types that name a receiver for each message, where no rule can see it. For the UNIX
/// family, the kernel turns raw sockets into datagram sockets.
fn refuse_datagrams(
    rules: &mut Rules,
    call: libc::c_long,
    family: libc::c_int,
) -> Result<(), BackendError> {
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        let family = condition(0, Op::Eq, family)?;
        let kind = condition(1, Op::MaskedEq(KIND), kind)?;
        refuse_all_of(rules, call, vec![family, kind])?;
    }
    Ok(())
}

/// Refuses every way to make a TCP connection except `connect`, which is the one that Landlock
/// checks.
fn only_connect(rules: &mut Rules) -> Result<(), BackendError> {
    for protocol in NOT_TCP {
        let protocol = condition(2, Op::Eq, protocol)?;
        refuse_all_of(rules, libc::SYS_socket, vec![protocol])?;
    }
    let fast = libc::MSG_FASTOPEN;
    for (call, flags) in SENDING {
        let fast = condition(flags, Op::MaskedEq(fast.unsigned_abs().into()), fast)?;
        refuse_all_of(rules, call, vec![fast])?;
    }
    let level = condition(1, Op::Eq, libc::IPPROTO_TCP)?;
    let option = condition(2, Op::Eq, libc::TCP_FASTOPEN_CONNECT)?;
    refuse_all_of(rules, libc::SYS_setsockopt, vec![level, option])
}
