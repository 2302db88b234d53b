//! What a catalogue leaves out, and why.

use skill_diagnostics::{Code, Diagnostic};

/// Codes of the findings of a catalogue, besides those of a read.
pub mod codes {
    use super::Code;

    /// A root or a directory cannot be listed.
    pub const NOT_LISTED: Code = Code("not-listed");
    /// A bound was hit: there may be more skills.
    pub const BOUND_HIT: Code = Code("bound-hit");
    /// A link that nobody trusts.
    pub const LINK_NOT_FOLLOWED: Code = Code("link-not-followed");
    /// A skill of the same name comes first.
    pub const SKILL_SHADOWED: Code = Code("skill-shadowed");
    /// A skill cannot be read any more and is kept as it was.
    pub const KEPT_LAST_GOOD: Code = Code("kept-last-good");
}

pub(super) fn not_listed(path: &str, why: &str) -> Diagnostic {
    let message = format!("the directory is not searched: {why}");
    Diagnostic::error(codes::NOT_LISTED, message).in_file(path)
}

pub(super) fn bound(path: &str, what: &str) -> Diagnostic {
    let message = format!("the search ends here: more than {what}");
    Diagnostic::warning(codes::BOUND_HIT, message).in_file(path)
}

pub(super) fn link(path: &str) -> Diagnostic {
    let message = "a symbolic link is not followed";
    Diagnostic::warning(codes::LINK_NOT_FOLLOWED, message)
        .in_file(path)
        .with_help("trust the directory that it leads to, if you do")
}

pub(super) fn shadowed(name: &str, path: &str, by: &str) -> Diagnostic {
    let name = name.escape_debug();
    let message = format!("the skill `{name}` is shadowed by {by}");
    Diagnostic::warning(codes::SKILL_SHADOWED, message).in_file(path)
}

pub(super) fn kept(name: &str, path: &str, finding: &Diagnostic) -> Diagnostic {
    let name = name.escape_debug();
    let message = format!("the skill `{name}` is kept as it was: {}", finding.message);
    Diagnostic::warning(codes::KEPT_LAST_GOOD, message).in_file(path)
}
