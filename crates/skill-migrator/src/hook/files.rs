//! The files of the skill of a hook.

/// The directory of the program.
pub(super) const SCRIPTS: &str = "scripts";
/// The file of the text.
pub(super) const TEXT: &str = "scripts/context.md";
/// The module of a hook that adds the text to messages.
pub(super) const MODULE: &str = "scripts/add-context.cjs";
