//! The finding that the skill on disk cannot be replaced.

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::store::State;

/// The skill on disk was edited, or was not written by this tool.
pub(crate) const CONFLICT: Code = Code("conflict");

/// Returns the finding for a skill in this state.
pub(crate) fn conflict(name: &str, state: &State) -> Diagnostic {
    let message = match state {
        State::Edited(edits) => {
            let all = [
                ("changed", &edits.changed),
                ("added", &edits.added),
                ("removed", &edits.removed),
            ];
            let parts = all
                .iter()
                .filter(|(_, paths)| !paths.is_empty())
                .map(|(word, paths)| {
                    let shown: Vec<String> = paths
                        .iter()
                        .take(3)
                        .map(|path| path.escape_debug().to_string())
                        .collect();
                    let more = if paths.len() > 3 {
                        format!(" and {} more", paths.len() - 3)
                    } else {
                        String::new()
                    };
                    format!("{word} {}{more}", shown.join(", "))
                });
            format!(
                "the skill `{name}` was edited since it was written: {}",
                parts.collect::<Vec<_>>().join("; ")
            )
        }
        State::Foreign(kind) => {
            format!("`{name}` exists and is a {kind} that skills-migrate did not write")
        }
        State::Absent | State::Clean => {
            format!("the skill `{name}` has edits by hand")
        }
    };
    let help = match state {
        State::Foreign(_) => {
            "it stays as it is; move it away or choose another output, or use --force to replace it after a backup"
        }
        _ => {
            "it stays as it is until the plugin changes, and is merged then; --ours keeps it for good, --force replaces it after a backup"
        }
    };
    Diagnostic::error(CONFLICT, message)
        .in_file(name)
        .with_help(help)
}
