//! A view of the system of its own: processes, files, shared memory.

use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, LinkNameSpaceType, UnshareFlags, capabilities,
    configure_capability_in_ambient_set, move_into_link_name_space, set_capabilities,
};

use crate::policy::{Base, Walls};
use crate::walls::given::Given;
use crate::walls::root::{self, Built};

/// What stands.
#[derive(Debug, Default)]
pub(crate) struct Entered {
    pub(crate) missing: Vec<String>,
    /// What the child sees of the file system.
    pub(crate) view: View,
    /// Shared memory, semaphores and queues are nobody else's.
    pub(crate) own_ipc: bool,
}

/// What a child sees of the file system.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// All that we see.
    #[default]
    Ours,
    /// All that we see, but terminals and processes of its own: for a policy that gives everything.
    Whole,
    /// A root in which nothing else lies than what the policy gives.
    Root {
        /// `/tmp` is nobody else's.
        private_tmp: bool,
    },
}

/// Namespaces that were entered before the job was known, and the root that was built there.
#[derive(Debug)]
pub(crate) struct Ahead {
    built: Option<Built>,
    /// The mount namespace and the root that were left.
    before: (OwnedFd, OwnedFd),
}

impl Ahead {
    /// Builds for a job with this base. What fails is tried again, and reported, with the job.
    pub(crate) fn build(base: Base, alone: bool) -> Option<Self> {
        let open = |path| open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        let before = (open("/proc/self/ns/mnt").ok()?, open("/").ok()?);
        unshare(OF_ITS_OWN).ok()?;
        let built = Built::ahead(base, alone).ok();
        Some(Self { built, before })
    }

    /// Goes back to where we were, so that mounts of the machine neither stay in use nor grow old here.
    /// In a user namespace that is forbidden: then all stays as it is.
    pub(crate) fn leave(self) -> Option<Self> {
        let (namespace, root) = &self.before;
        let mounts = Some(LinkNameSpaceType::Mount);
        if move_into_link_name_space(namespace.as_fd(), mounts).is_err() {
            return Some(self);
        }
        // The root of a namespace need not have been ours.
        let back = rustix::process::fchdir(root).and_then(|()| rustix::process::chroot("."));
        back.err().map(|_| self)
    }

    /// The same, or at least removes the root that was built.
    pub(crate) fn discard(self) {
        // A root that stays mounted is covered by the next one.
        let built = self.leave().and_then(|ahead| ahead.built);
        let _ = built.map(Built::discard);
    }
}

/// A network namespace is only made where a network is given: [`super::network`].
const OF_ITS_OWN: UnshareFlags = UnshareFlags::NEWNS.union(UnshareFlags::NEWIPC);

/// Enters namespaces of its own, unless that was done `ahead`. `alone`: we are the first process of a
/// PID namespace.
pub(crate) fn enter(walls: &Walls, given: &Given, alone: bool, ahead: Option<Ahead>) -> Entered {
    let mut entered = Entered::default();
    if !alone {
        let sentence = "no PID namespace: children are held together by their process group only";
        entered.missing.push(sentence.to_owned());
    }
    let is_there = ahead.is_some();
    if !is_there && let Err(error) = unshare(OF_ITS_OWN) {
        let sentence = format!("no mount namespace: {error}");
        entered.missing.push(sentence);
        return entered;
    }
    entered.own_ipc = true;
    if alone && let Some(processes) = walls.processes {
        entered.missing.extend(bound_processes(processes));
    }
    let built = ahead.and_then(|ahead| ahead.built);
    match view(walls, given, alone, built) {
        Ok((view, missing)) => {
            entered.view = view;
            entered.missing.extend(missing);
        }
        Err(error) => entered.missing.push(format!("no root of its own: {error}")),
    }
    entered
}

fn view(
    walls: &Walls,
    given: &Given,
    alone: bool,
    built: Option<Built>,
) -> Result<(View, Vec<String>), Errno> {
    if given.is_all() {
        built.map_or(Ok(()), Built::discard)?;
        return Ok((View::Whole, root::keep(alone)?));
    }
    let missing = root::enter(walls, given, alone, built)?;
    let private_tmp = !given.has_tmp();
    Ok((View::Root { private_tmp }, missing))
}

/// Enters a user namespace in which we are who we are but may make other namespaces, and has the next
/// child be the first of a PID namespace.
pub(crate) fn enter_user() -> Result<(), Errno> {
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID)?;
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/uid_map", &format!("{0} {0} 1", user.as_raw()))?;
    write("/proc/self/gid_map", &format!("{0} {0} 1", group.as_raw()))?;
    let network = CapabilitySet::NET_ADMIN | CapabilitySet::NET_BIND_SERVICE;
    keep_over_exec(CapabilitySet::SYS_ADMIN | CapabilitySet::SETPCAP | network)
}

/// Lets `wanted` survive the start of the inner launcher, which is not root and so would lose them.
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

/// Leaves the namespaces named by `flags`, which never hold descriptor tables.
#[expect(
    deprecated,
    reason = "unsafe only with FILES, which is never asked for; its successor cannot be called from safe code"
)]
pub(crate) fn unshare(flags: UnshareFlags) -> Result<(), Errno> {
    debug_assert!(!flags.contains(UnshareFlags::FILES));
    rustix::thread::unshare(flags)
}

/// Numbers up to this one are not given out again (`RESERVED_PIDS` of the kernel).
const RESERVED_PIDS: u64 = 300;

/// Bounds the processes of the namespace, also for root, whom `RLIMIT_NPROC` does not bind.
///
/// The numbers begin where they will begin again, so that there are exactly so many. We are one more.
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
    let more = format!("there may be {RESERVED_PIDS} processes more: no ns_last_pid");
    begun.is_err().then_some(more)
}

/// Since Linux 6.14 `pid_max` belongs to the PID namespace; before, it is the machine's and must not
/// be touched.
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
