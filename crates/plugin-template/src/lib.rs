//! Prompts of other hosts as templates: commands of Claude Code, Codex, OpenCode, Gemini CLI,
//! Copilot and Cursor, and prompts of MCP bundles.
//!
//! - [`Template::parse`]: the [`Piece`]s of a prompt in a [`Dialect`]. Each has its byte range, so
//!   that every placeholder can get a fate.
//! - [`Template::expand`]: what the host sends for an [`Invocation`]. Shell commands and files are
//!   named, not run and not read ([`Expanded`]); [`to_text`] prints them.
//! - [`Template::prose`]: the same instructions without placeholders, for SKILL.md, and
//!   [`input_section`] for what the placeholders were.
//! - [`edited_source`]: a template whose prose was edited.
//! - [`dead_placeholders`]: placeholders that no agent replaces; [`dialect_of_skill`]: the host that
//!   they are of.
//! - [`Argument`]: the arguments that a hint such as `<file> [mode]` names; [`typed_line`]: what a
//!   user would type for given values.
//!
//! The rules of each host, with their sources, are in `docs/design/prompt-templates.md`.
//!
//! **Invariant:** text in, values out; no IO; linear time in the length of the text.
//! **Invariant:** the pieces cover the text without gaps, in order.

mod argument;
mod code;
mod dead;
mod dialect;
mod edited;
mod expand;
mod lex;
mod piece;
mod prose;
mod template;
mod words;

#[cfg(test)]
mod tests;

pub use argument::{Argument, named_arguments, read_hint};
pub use dead::{DeadPlaceholder, dead_placeholders, dialect_of_skill, explains_prompts};
pub use dialect::Dialect;
pub use edited::edited_source;
pub use expand::{
    EnvironmentVariable, ExpandError, Expanded, Invocation, PathPlaces, environment_variables,
    environment_words, place_line, read_request, setting_words, to_text, typed_line,
    with_environment_words,
};
pub use piece::{Doubt, Piece, PieceKind, Selector};
pub use prose::{Language, ProseSettings, input_section, is_project};
pub use template::{FirstIndex, Template};
