//! A body and what it needs.

use skill_diagnostics::Diagnostic;
use skill_model::Prompt;

use crate::plan::GeneratedFile;

/// The body of SKILL.md and what it needs.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) body: String,
    /// The rows of its section *Input*; empty if it names no argument.
    pub(crate) rows: String,
    /// The template, for a text that is more than its body.
    pub(crate) prompt: Option<Prompt>,
    /// Further generated files.
    pub(crate) files: Vec<GeneratedFile>,
    /// Files and directories of the package that the text names.
    pub(crate) named: Vec<String>,
    pub(crate) findings: Vec<Diagnostic>,
}
