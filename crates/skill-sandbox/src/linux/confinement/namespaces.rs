//! Gives a child its own view of the system: processes, files, shared memory.

use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, LinkNameSpaceType, UnshareFlags, capabilities,
    configure_capability_in_ambient_set, move_into_link_name_space, set_capabilities,
};

use crate::linux::confinement::grants::Grants;
use crate::linux::confinement::root::{self, NewRoot};
use crate::linux::orders::{Base, Restrictions};

/// The namespaces that were entered.
#[derive(Debug, Default)]
pub(crate) struct NamespaceSetup {
    pub(crate) missing: Vec<String>,
    /// The part of the file system that the child sees.
    pub(crate) view: View,
    /// Shared memory, semaphores and queues are private.
    pub(crate) own_ipc: bool,
}

/// The part of the file system that a child sees.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Everything that this process sees.
    #[default]
    Ours,
    /// Everything that this process sees, but with private terminals and processes: for a policy
    /// that grants everything.
    Whole,
    /// A root that contains only what the policy grants.
    Root {
        /// `/tmp` is private.
        private_tmp: bool,
    },
}

/// Namespaces that were entered before the job was known, and the root that was built in them.
#[derive(Debug)]
pub(crate) struct Prepared {
    built: Option<NewRoot>,
    /// The previous mount namespace and root.
    before: (OwnedFd, OwnedFd),
}

impl Prepared {
    /// Prepares for a job with this base. What fails here is tried again, and reported, with the
    /// job.
    pub(crate) fn build(base: Base, alone: bool) -> Option<Self> {
        let open = |path| open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        let before = (open("/proc/self/ns/mnt").ok()?, open("/").ok()?);
        unshare(PRIVATE_NAMESPACES).ok()?;
        let built = NewRoot::prepare(base, alone).ok();
        Some(Self { built, before })
    }

    /// Returns to the previous namespace, so that mounts of the machine neither stay in use nor
    /// become outdated here. In a user namespace that is forbidden: then everything stays as it is.
    pub(crate) fn leave(self) -> Option<Self> {
        let (namespace, root) = &self.before;
        let mounts = Some(LinkNameSpaceType::Mount);
        if move_into_link_name_space(namespace.as_fd(), mounts).is_err() {
            return Some(self);
        }
        // The root of a namespace may differ from the one that we had.
        let back = rustix::process::fchdir(root).and_then(|()| rustix::process::chroot("."));
        back.err().map(|_| self)
    }

    /// Returns to the previous namespace, or at least removes the root that was built.
    pub(crate) fn discard(self) {
        // The next root covers one that stays mounted.
        let built = self.leave().and_then(|prepared| prepared.built);
        let _ = built.map(NewRoot::discard);
    }
}

/// A network namespace is only created if a network is granted: [`super::network`].
const PRIVATE_NAMESPACES: UnshareFlags = UnshareFlags::NEWNS.union(UnshareFlags::NEWIPC);

/// Enters private namespaces, unless that was done in advance. `alone`: we are the first process of
/// a PID namespace.
pub(crate) fn enter(
    restrictions: &Restrictions,
    grants: &Grants,
    alone: bool,
    prepared: Option<Prepared>,
) -> NamespaceSetup {
    let mut entered = NamespaceSetup::default();
    if !alone {
        let sentence = "no PID namespace: children are held together by their process group only";
        entered.missing.push(sentence.to_owned());
    }
    let is_there = prepared.is_some();
    if !is_there && let Err(error) = unshare(PRIVATE_NAMESPACES) {
        let sentence = format!("no mount namespace: {error}");
        entered.missing.push(sentence);
        return entered;
    }
    entered.own_ipc = true;
    if alone && let Some(processes) = restrictions.processes {
        entered.missing.extend(bound_processes(processes));
    }
    let built = prepared.and_then(|prepared| prepared.built);
    match view(restrictions, grants, alone, built) {
        Ok((view, missing)) => {
            entered.view = view;
            entered.missing.extend(missing);
        }
        Err(error) => entered.missing.push(format!("no private root: {error}")),
    }
    entered
}

fn view(
    restrictions: &Restrictions,
    grants: &Grants,
    alone: bool,
    built: Option<NewRoot>,
) -> Result<(View, Vec<String>), Errno> {
    if grants.is_all() {
        built.map_or(Ok(()), NewRoot::discard)?;
        return Ok((View::Whole, root::keep(grants, alone)?));
    }
    let missing = root::enter(restrictions, grants, alone, built)?;
    let private_tmp = !grants.has_tmp();
    Ok((View::Root { private_tmp }, missing))
}

/// Enters a user namespace in which we keep our ids but may create other namespaces, and makes the
/// next child the first process of a PID namespace.
pub(crate) fn enter_user() -> Result<(), Errno> {
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID)?;
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/uid_map", &format!("{0} {0} 1", user.as_raw()))?;
    write("/proc/self/gid_map", &format!("{0} {0} 1", group.as_raw()))?;
    let network = CapabilitySet::NET_ADMIN | CapabilitySet::NET_BIND_SERVICE;
    keep_over_exec(CapabilitySet::SYS_ADMIN | CapabilitySet::SETPCAP | network)
}

/// Lets `wanted` survive the start of the inner launcher, which is not root and would lose them
/// otherwise.
fn keep_over_exec(wanted: CapabilitySet) -> Result<(), Errno> {
    let mut sets = capabilities(None)?;
    sets.inheritable |= wanted;
    set_capabilities(None, sets)?;
    for capability in wanted.iter() {
        configure_capability_in_ambient_set(capability, true)?;
    }
    Ok(())
}

fn write(path: &str, text: &str) -> Result<(), Errno> {
    let file = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(file, text.as_bytes()).map(drop)
}

/// Leaves the namespaces named by `flags`, which never include descriptor tables.
#[expect(
    deprecated,
    reason = "unsafe only with FILES, which is never asked for; its successor cannot be called from safe code"
)]
pub(crate) fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    debug_assert!(!flags.contains(UnshareFlags::FILES));
    rustix::thread::unshare(flags)
}

/// Process ids up to this one are not reused (`RESERVED_PIDS` of the kernel).
const RESERVED_PIDS: u64 = 300;

/// Limits the processes of the namespace, even for root, to whom `RLIMIT_NPROC` does not apply.
///
/// The ids start where they will start again, so that there are exactly so many. The launcher is
/// one more.
fn bound_processes(processes: u64) -> Option<String> {
    let sentence = "the number of processes is not limited for root: Linux 6.14 is needed";
    if !counts_by_namespace() {
        return rustix::process::getuid()
            .is_root()
            .then(|| sentence.to_owned());
    }
    let highest = (RESERVED_PIDS + processes).to_string();
    if write("/proc/sys/kernel/pid_max", &highest).is_err() {
        return Some(sentence.to_owned());
    }
    let begun = write("/proc/sys/kernel/ns_last_pid", &RESERVED_PIDS.to_string());
    let more =
        format!("up to {RESERVED_PIDS} processes more than the limit are possible: no ns_last_pid");
    begun.is_err().then_some(more)
}

/// Returns true since Linux 6.14, where `pid_max` belongs to the PID namespace. Before, it belongs
/// to the machine and must not be changed.
fn counts_by_namespace() -> bool {
    let name = rustix::system::uname();
    let mut numbers = name
        .release()
        .to_str()
        .unwrap_or("")
        .split(|c: char| !c.is_ascii_digit())
        .map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(6), Some(14))
}
