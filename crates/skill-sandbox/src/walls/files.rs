//! Files and TCP ports: Landlock.

use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, NetPort, PathBeneath, RestrictionStatus,
    Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};

use super::given::{Given, Place};
use super::namespaces::View;
use super::network::Standing;
use super::root::{DEVICES, MULTIPLEXER, TERMINALS};
use super::{PRIVATE, TMP, mounts};
use crate::policy::Walls;

/// The version whose walls count as all of them: files (1 to 3), TCP (4), devices (5), signals and
/// abstract sockets (6).
const WANTED: ABI = ABI::V6;

/// Restricts this process and all it starts. `view`: what of the file system it sees; `network`: the one
/// that was put up.
pub(crate) fn restrict(
    walls: &Walls,
    given: &Given,
    view: View,
    network: &Standing,
) -> Vec<String> {
    match try_restrict(walls, given, view, network) {
        Ok(RulesetStatus::FullyEnforced) => Vec::new(),
        Ok(RulesetStatus::PartiallyEnforced) => {
            vec!["this kernel's Landlock lacks some of the walls".to_owned()]
        }
        Ok(RulesetStatus::NotEnforced) => vec![NONE.to_owned()],
        Err(error) => vec![format!("{NONE}: {error}")],
    }
}

/// The sentence that means: Landlock is no wall around files.
pub(crate) const NONE: &str = "no Landlock, the second wall around files";

fn try_restrict(
    walls: &Walls,
    given: &Given,
    view: View,
    network: &Standing,
) -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?;
    let ruleset = match network {
        // In a network of its own every port is its own or leads to the relay.
        Standing::Any | Standing::Relay => ruleset,
        Standing::None | Standing::Ports { .. } => {
            ruleset.handle_access(AccessNet::from_all(WANTED))?
        }
    };
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev | AccessFs::ReadDir;
    let ruleset = ruleset
        .create()?
        .add_rules(path_beneath_rules(seen(walls, view), read()))?
        .add_rules(held(&given.read, read()))?
        .add_rules(held(&given.write, read() | written()))?
        .add_rules(path_beneath_rules(private(view), read() | written()))?
        .add_rules(path_beneath_rules(devices(view), device))?;
    let RestrictionStatus { ruleset, .. } = with_ports(ruleset, network)?.restrict_self()?;
    Ok(ruleset)
}

/// What may be read by its path: in a root of its own, all there is.
fn seen(walls: &Walls, view: View) -> Vec<&Path> {
    match view {
        View::Root { .. } => vec![Path::new("/")],
        View::Ours | View::Whole => walls.base.system.iter().map(PathBuf::as_path).collect(),
    }
}

/// Directories that are nobody else's.
fn private(view: View) -> impl Iterator<Item = &'static str> {
    let is_private = move |at: &&str| match view {
        View::Root { private_tmp } => private_tmp || *at != TMP,
        View::Ours | View::Whole => false,
    };
    PRIVATE.iter().copied().filter(is_private)
}

/// Devices, and terminals where they are the child's own.
fn devices(view: View) -> Vec<&'static str> {
    let own = (view != View::Ours).then_some([TERMINALS, MULTIPLEXER]);
    let own = own.into_iter().flatten();
    DEVICES.iter().copied().chain(own).collect()
}

/// Rules about what came as descriptors.
fn held(
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

/// Reading, executing and listing.
fn read() -> BitFlags<AccessFs> {
    AccessFs::from_read(WANTED)
}

/// Everything but making devices.
fn written() -> BitFlags<AccessFs> {
    AccessFs::from_write(WANTED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

fn with_ports(ruleset: RulesetCreated, network: &Standing) -> Result<RulesetCreated, RulesetError> {
    let Standing::Ports { tcp, .. } = network else {
        return Ok(ruleset);
    };
    ruleset.add_rules(
        tcp.iter()
            .map(|&port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))),
    )
}
