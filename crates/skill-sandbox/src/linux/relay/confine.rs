//! The confinement of the relay: it looks up names and connects to some ports, and nothing else.

use std::collections::BTreeSet;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, NetPort, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use crate::linux::confinement::capabilities;
use crate::linux::confinement::network_access::NetworkAccess;
use crate::linux::confinement::syscalls::{self, Restriction, UnixSockets};

/// The Landlock version that is asked for; an older kernel enforces what it supports.
const WANTED: ABI = ABI::V6;

/// The files that name resolution reads: settings and libraries.
const READ: &[&str] = &[
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    "/etc/ld.so.cache",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/nix/store",
    "/gnu/store",
    "/run/NetworkManager",
    "/run/resolvconf",
    "/run/systemd/resolve",
];

/// The port for DNS queries.
const DNS: u16 = 53;

/// Confines this thread and those that it starts; returns what could not be done.
pub(super) fn confine(ports: &BTreeSet<u16>) -> Vec<String> {
    let mut missing = capabilities::drop_all();
    match restrict(ports) {
        Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced) => {}
        // The child's files are not restricted by Landlock either, and the report says so.
        Ok(RulesetStatus::NotEnforced) => {}
        Err(error) => missing.push(format!("the relay's files are not restricted: {error}")),
    }
    missing.extend(syscalls::restrict(&Restriction {
        network: &NetworkAccess::Any,
        unix: UnixSockets::PairsOnly,
        own_ipc: false,
        alone: false,
    }));
    missing
}

fn restrict(ports: &BTreeSet<u16>) -> Result<RulesetStatus, RulesetError> {
    let rules = ports
        .iter()
        .chain([&DNS])
        .map(|&port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp)));
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(WANTED))?
        .handle_access(AccessNet::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?
        .create()?
        .add_rules(path_beneath_rules(READ, read))?
        .add_rules(rules)?
        .restrict_self()?;
    Ok(status.ruleset)
}
