//! Files that a run of a program leaves in a skill.

use plugin_model::LeaveReason;
use skill_loader::store::State;
use skill_migrator::{leave_directory, leave_file};
use skill_model::is_of_package_manager;

/// Returns true if the only differences are files that a run leaves (byte code, logs, caches) and
/// nobody edited.
pub(crate) fn has_stray_files_only(state: &State) -> bool {
    let State::Edited(edits) = state else {
        return false;
    };
    let mut added = edits.added.iter();
    edits.changed.is_empty() && edits.removed.is_empty() && added.all(|path| is_stray(path))
}

/// Returns true if a path of a skill is a file that a run or the installation of packages leaves.
pub(crate) fn is_stray(path: &str) -> bool {
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let file = parts.next().unwrap_or_default();
    let reason = |reason| {
        matches!(
            reason,
            Some(LeaveReason::Regenerable | LeaveReason::Leftover)
        )
    };
    is_of_package_manager(path)
        || reason(leave_file(file))
        || reason(leave_directory(file))
        || parts.any(|part| reason(leave_directory(part)))
}
