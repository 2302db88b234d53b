//! Findings about skills that a catalog leaves out.

use skill_diagnostics::{Code, Diagnostic};

/// Finding codes of a catalog, in addition to those of [`crate::load`].
pub mod codes {
    use super::Code;

    /// A root or a directory cannot be listed.
    pub const NOT_LISTED: Code = Code("not-listed");
    /// A bound was reached: there may be more skills.
    pub const BOUND_HIT: Code = Code("bound-hit");
    /// A symbolic link leads to a directory that is not trusted.
    pub const LINK_NOT_FOLLOWED: Code = Code("link-not-followed");
    /// Another skill of the same name takes precedence.
    pub const SKILL_SHADOWED: Code = Code("skill-shadowed");
    /// A skill can no longer be read; the catalog keeps its last good state.
    pub const KEPT_LAST_GOOD: Code = Code("kept-last-good");
    /// A METADATA.yml cannot be read, so its skill has only its instructions.
    pub const METADATA_UNUSABLE: Code = Code("metadata-unusable");
}

pub(super) fn not_listed(path: &str, why: &str) -> Diagnostic {
    let message = format!("the directory is not searched: {why}");
    Diagnostic::error(codes::NOT_LISTED, message).in_file(path)
}

pub(super) fn not_utf8(path: &str) -> Diagnostic {
    let message = "the file or directory is left out: its name is not UTF-8, expected a name that every system can write";
    Diagnostic::warning(codes::NOT_LISTED, message).in_file(path)
}

pub(super) fn bound(path: &str, what: &str) -> Diagnostic {
    let message = format!("the search stopped here: the limit of {what} is reached");
    Diagnostic::warning(codes::BOUND_HIT, message).in_file(path)
}

pub(super) fn link(path: &str) -> Diagnostic {
    let message = "a symbolic link is not followed";
    Diagnostic::warning(codes::LINK_NOT_FOLLOWED, message)
        .in_file(path)
        .with_help("add its target to the trusted directories if you want to follow it")
}

pub(super) fn shadowed(name: &str, path: &str, by: &str) -> Diagnostic {
    let name = name.escape_debug();
    let message = format!("the skill `{name}` is shadowed by {by}");
    Diagnostic::warning(codes::SKILL_SHADOWED, message).in_file(path)
}

/// Returns the finding about a skill whose METADATA.yml has this flaw.
pub fn metadata_unusable(flaw: &Diagnostic) -> Diagnostic {
    let message = format!(
        "nothing in this file can be used, so the skill has only its instructions: {}",
        flaw.message
    );
    let place = flaw.place.clone();
    Diagnostic {
        place,
        ..Diagnostic::warning(codes::METADATA_UNUSABLE, message)
    }
}

pub(super) fn kept(name: &str, path: &str, finding: &Diagnostic) -> Diagnostic {
    let name = name.escape_debug();
    let message = format!(
        "the skill `{name}` keeps its last good state: {}",
        finding.message
    );
    Diagnostic::warning(codes::KEPT_LAST_GOOD, message).in_file(path)
}
