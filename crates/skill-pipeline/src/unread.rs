//! Files of units that are not read: what is wrong with each, and what helps.

use plugin_model::{LeaveReason, LeftOut};
use skill_diagnostics::Diagnostic;
use skill_model::name_flaw;

use crate::linked_parts::UNIT_LEFT_OUT;
use crate::{collect::names::folded, discover::Candidate, plugin_files::PluginFiles};

/// Returns the finding about a file that is left out, and so is its unit.
pub(crate) fn finding(found: &Candidate, files: &PluginFiles, left: &LeftOut) -> Diagnostic {
    let path = left.path.escape_debug();
    let (reason, help) = match left.reason {
        LeaveReason::UnportableName => unportable(files, &left.path),
        LeaveReason::Link => (
            "a symbolic link is not followed".to_owned(),
            "put a copy of the file in its place",
        ),
        reason => (reason.phrase().to_owned(), ""),
    };
    let message = format!("`{path}` is not read: {reason}");
    let finding = Diagnostic::error(UNIT_LEFT_OUT, message).in_file(found.path_of(&left.path));
    if help.is_empty() {
        finding
    } else {
        finding.with_help(help)
    }
}

/// Returns what is wrong with a name that not every system can store, and what helps.
fn unportable(files: &PluginFiles, path: &str) -> (String, &'static str) {
    let mut names = path.split('/').filter(|name| !name.is_empty());
    let flaw = names.find_map(|name| Some((name, name_flaw(name)?)));
    if let Some((name, flaw)) = flaw {
        let reason = format!("the name `{}` {flaw}", name.escape_debug());
        return (reason, "rename it to what every system can store");
    }
    let this = folded(path);
    let read = files.files.iter().map(|file| file.path.as_str());
    let left = files.left_out.iter().map(|left| left.path.as_str());
    let mut others = read.chain(left).filter(|other| *other != path);
    match others.find(|other| folded(other) == this) {
        Some(other) => {
            let is_case = other.to_lowercase() == path.to_lowercase();
            let difference = if is_case {
                "case"
            } else {
                "the form of its characters"
            };
            let reason = format!(
                "its name differs from `{}` by {difference} only, and some systems store one of the two",
                other.escape_debug()
            );
            (reason, "rename one of the two")
        }
        None => (
            LeaveReason::UnportableName.phrase().to_owned(),
            "rename it to what every system can store",
        ),
    }
}
