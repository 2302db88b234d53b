//! Files and TCP ports: Landlock.

use std::ffi::OsString;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, NetPort, RestrictionStatus, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};

use crate::policy::{Network, Walls};

/// The version whose walls count as all of them: files (1 to 3), TCP (4), devices (5), signals and
/// abstract sockets (6).
const WANTED: ABI = ABI::V6;

/// Devices that hold nothing of anybody.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Restricts this process and all it starts.
/// `private`: directories that are nobody else's.
pub(crate) fn restrict(walls: &Walls, private: &[&str]) -> Vec<String> {
    match try_restrict(walls, private) {
        Ok(RulesetStatus::FullyEnforced) => Vec::new(),
        Ok(RulesetStatus::PartiallyEnforced) => {
            vec!["this kernel's Landlock lacks some of the walls".to_owned()]
        }
        Ok(RulesetStatus::NotEnforced) => vec![NONE.to_owned()],
        Err(error) => vec![format!("{NONE}: {error}")],
    }
}

/// The sentence that means: files are open.
pub(crate) const NONE: &str = "files are not restricted: no Landlock";

fn try_restrict(walls: &Walls, private: &[&str]) -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?;
    let ruleset = match walls.network {
        Network::Any => ruleset,
        Network::None | Network::Ports { .. } => {
            ruleset.handle_access(AccessNet::from_all(WANTED))?
        }
    };
    let ruleset = with_files(ruleset.create()?, walls)?.add_rules(path_beneath_rules(
        private,
        AccessFs::from_read(WANTED) | written(),
    ))?;
    let RestrictionStatus { ruleset, .. } = with_ports(ruleset, &walls.network)?.restrict_self()?;
    Ok(ruleset)
}

fn with_files(ruleset: RulesetCreated, walls: &Walls) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(WANTED);
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    ruleset
        .add_rules(rules(&walls.read, read))?
        .add_rules(rules(&walls.write, read | written()))?
        .add_rules(path_beneath_rules(DEVICES, device | AccessFs::ReadDir))
}

fn rules(
    paths: &[OsString],
    access: BitFlags<AccessFs>,
) -> impl Iterator<Item = Result<landlock::PathBeneath<landlock::PathFd>, RulesetError>> {
    path_beneath_rules(paths, access)
}

/// Everything but making devices.
fn written() -> BitFlags<AccessFs> {
    AccessFs::from_write(WANTED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

fn with_ports(ruleset: RulesetCreated, network: &Network) -> Result<RulesetCreated, RulesetError> {
    let Network::Ports { tcp, .. } = network else {
        return Ok(ruleset);
    };
    ruleset.add_rules(
        tcp.iter()
            .map(|&port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))),
    )
}
