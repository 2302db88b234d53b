//! Limits on the resources of one process.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::linux::orders::Restrictions;

/// The number of processes that the same user may run besides, if no namespace counts ours
/// separately.
const PROCESSES_OF_OTHERS: u64 = 1024;

/// Sets the limits, soft and hard alike. `counted_alone`: a namespace counts only our processes.
pub(crate) fn set(restrictions: &Restrictions, counted_alone: bool) -> Vec<String> {
    let others = if counted_alone {
        0
    } else {
        PROCESSES_OF_OTHERS
    };
    let wanted = [
        ("memory", Resource::Data, restrictions.memory),
        ("file size", Resource::Fsize, restrictions.file_size),
        (
            "processes",
            Resource::Nproc,
            restrictions.processes.map(|n| n + others),
        ),
        ("open files", Resource::Nofile, restrictions.open_files),
        ("processor time", Resource::Cpu, restrictions.cpu_seconds),
        ("core dumps", Resource::Core, Some(0)),
    ];
    wanted
        .into_iter()
        .filter_map(|(name, resource, limit)| Some((name, resource, limit?)))
        .filter(|&(_, resource, limit)| !lower(resource, limit))
        .map(|(name, ..)| format!("{name} is not limited"))
        .collect()
}

/// Lowers a limit; one that is lower already stays.
fn lower(resource: Resource, limit: u64) -> bool {
    let now = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit = Some(limit.min(now));
    setrlimit(
        resource,
        Rlimit {
            current: limit,
            maximum: limit,
        },
    )
    .is_ok()
}
