//! Bounds on what one process may use.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::policy::Walls;

/// What other processes of the same user may be running when there is no namespace that counts anew.
const PROCESSES_OF_OTHERS: u64 = 1024;

/// Sets the limits, soft and hard alike. `counted_alone`: a namespace counts our processes only.
pub(crate) fn set(walls: &Walls, counted_alone: bool) -> Vec<String> {
    let others = if counted_alone {
        0
    } else {
        PROCESSES_OF_OTHERS
    };
    let wanted = [
        ("memory", Resource::Data, walls.memory),
        ("file size", Resource::Fsize, walls.file_size),
        (
            "processes",
            Resource::Nproc,
            walls.processes.map(|n| n + others),
        ),
        ("open files", Resource::Nofile, walls.open_files),
        ("processor time", Resource::Cpu, walls.cpu_seconds),
        ("core dumps", Resource::Core, Some(0)),
    ];
    wanted
        .into_iter()
        .filter_map(|(name, resource, limit)| Some((name, resource, limit?)))
        .filter(|&(_, resource, limit)| !lower(resource, limit))
        .map(|(name, ..)| format!("{name} is not limited"))
        .collect()
}

/// Never raises: a limit that is lower already stays.
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
