//! Restricts access to files and TCP ports with Landlock.

use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, NetPort, PathBeneath, RestrictionStatus,
    Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};

use super::grants::{Grants, Place};
use super::namespaces::View;
use super::network_access::NetworkAccess;
use super::root::{DEVICES, MULTIPLEXER, TERMINALS};
use super::{PRIVATE, TMP, mounts};
use crate::linux::orders::Restrictions;

/// The version that counts as complete: files (1 to 3), TCP (4), devices (5), signals and abstract
/// sockets (6).
const WANTED: ABI = ABI::V6;

/// Restricts this process and all that it starts. `view`: the part of the file system that it sees;
/// `network`: the network access that was set up.
pub(crate) fn restrict(
    restrictions: &Restrictions,
    grants: &Grants,
    view: View,
    network: &NetworkAccess,
) -> Vec<String> {
    match try_restrict(restrictions, grants, view, network) {
        Ok(RulesetStatus::FullyEnforced) => Vec::new(),
        Ok(RulesetStatus::PartiallyEnforced) => {
            vec!["this kernel's Landlock lacks some of the restrictions".to_owned()]
        }
        Ok(RulesetStatus::NotEnforced) => vec![NONE.to_owned()],
        Err(error) => vec![format!("{NONE}: {error}")],
    }
}

/// The sentence that says that Landlock does not restrict access to files.
pub(crate) const NONE: &str = "no Landlock, the second restriction of files";

fn try_restrict(
    restrictions: &Restrictions,
    grants: &Grants,
    view: View,
    network: &NetworkAccess,
) -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?;
    let ruleset = match network {
        // In a private network every port is private or leads to the relay.
        NetworkAccess::Any | NetworkAccess::Relay => ruleset,
        NetworkAccess::None | NetworkAccess::Ports { .. } => {
            ruleset.handle_access(AccessNet::from_all(WANTED))?
        }
    };
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev | AccessFs::ReadDir;
    let ruleset = ruleset
        .create()?
        .add_rules(path_beneath_rules(readable(restrictions, view), read()))?
        .add_rules(rules(&grants.read, read()))?
        .add_rules(rules(&grants.write, read() | written()))?
        .add_rules(path_beneath_rules(private(view), read() | written()))?
        .add_rules(path_beneath_rules(devices(view), device))?;
    let RestrictionStatus { ruleset, .. } = with_ports(ruleset, network)?.restrict_self()?;
    Ok(ruleset)
}

/// Returns the paths that may be read: in a private root, everything.
fn readable(restrictions: &Restrictions, view: View) -> Vec<&Path> {
    match view {
        View::Root { .. } => vec![Path::new("/")],
        View::Ours | View::Whole => restrictions
            .base
            .system
            .iter()
            .map(PathBuf::as_path)
            .collect(),
    }
}

/// Returns the directories that are private to the child.
fn private(view: View) -> impl Iterator<Item = &'static str> {
    let is_private = move |at: &&str| match view {
        View::Root { private_tmp } => private_tmp || *at != TMP,
        View::Ours | View::Whole => false,
    };
    PRIVATE.iter().copied().filter(is_private)
}

/// Returns the devices, and the terminals if they are private.
fn devices(view: View) -> Vec<&'static str> {
    let own = (view != View::Ours).then_some([TERMINALS, MULTIPLEXER]);
    let own = own.into_iter().flatten();
    DEVICES.iter().copied().chain(own).collect()
}

/// Returns the rules for files that came as descriptors.
fn rules(
    places: &[Place],
    access: BitFlags<AccessFs>,
) -> impl Iterator<Item = Result<PathBeneath<BorrowedFd<'_>>, RulesetError>> {
    places.iter().map(move |place| {
        let is_directory = mounts::is_directory(&place.fd).unwrap_or(true);
        let access = if is_directory {
            access
        } else {
            access & AccessFs::from_file(WANTED)
        };
        Ok(PathBeneath::new(place.fd.as_fd(), access))
    })
}

/// Returns the rights to read, execute and list.
fn read() -> BitFlags<AccessFs> {
    AccessFs::from_read(WANTED)
}

/// Returns all rights to change files, except to create devices.
fn written() -> BitFlags<AccessFs> {
    AccessFs::from_write(WANTED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

fn with_ports(
    ruleset: RulesetCreated,
    network: &NetworkAccess,
) -> Result<RulesetCreated, RulesetError> {
    let NetworkAccess::Ports { tcp, .. } = network else {
        return Ok(ruleset);
    };
    ruleset.add_rules(
        tcp.iter()
            .map(|&port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))),
    )
}
