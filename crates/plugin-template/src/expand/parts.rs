//! Invocations, the parts of an expansion, and errors.

use std::collections::BTreeMap;

use thiserror::Error;

/// A use of a prompt.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// The name of the command as the host writes it, without the slash. Gemini CLI appends the
    /// whole typed line to a prompt without `{{args}}`.
    pub command: &'a str,
    /// The text after the name, as the user typed it.
    pub arguments: &'a str,
    /// The number of the first argument, if it is not the one of the host's current version.
    pub first_index: Option<usize>,
    /// Values of the host by name, such as `CLAUDE_PLUGIN_ROOT` or `user_config.KEY`. The others
    /// are described in words, and paths of the skill are relative to it.
    pub variables: BTreeMap<String, String>,
}

impl<'a> Invocation<'a> {
    /// Creates an invocation without values of the host.
    pub fn new(command: &'a str, arguments: &'a str) -> Self {
        Self {
            command,
            arguments,
            first_index: None,
            variables: BTreeMap::new(),
        }
    }
}

/// A part of an expansion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expanded {
    /// Text that the host sends.
    Text(String),
    /// A command whose output the host puts here. It is never run.
    Shell {
        /// The command, with the arguments quoted as the host quotes them.
        command: String,
    },
    /// A file that the host puts here or attaches. It is never read.
    File {
        /// The path.
        path: String,
        /// The placeholder with its path, which the host leaves if there is no such file.
        written: String,
    },
}

/// The maximum size of what is put in place of placeholders, in bytes.
pub(super) const MAX_SENT: usize = 16 << 20;

/// The reason why the host refuses an invocation.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum ExpandError {
    /// A word without a name, in a prompt with named arguments.
    #[error("`{found}` has no name; this prompt takes {}", shown(expected))]
    NoName {
        /// The word.
        found: String,
        /// The names of the prompt.
        expected: Vec<String>,
    },
    /// Arguments that the prompt needs.
    #[error("missing {}; this prompt takes {}", list(missing), shown(expected))]
    Missing {
        /// The names without a value.
        missing: Vec<String>,
        /// The names of the prompt.
        expected: Vec<String>,
    },
    /// More text than any host sends: many placeholders, and a long typed line.
    #[error("the prompt would have more than {} MiB with these arguments", MAX_SENT >> 20)]
    TooLong,
    /// A `!{` or `@{` without its closing brace.
    #[error("the prompt has an unclosed brace at byte {at}; the host refuses it")]
    Unclosed {
        /// The byte at which it opens.
        at: usize,
    },
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn shown(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{name}=VALUE")).collect();
    names.join(" ")
}

/// Adds text to the last part, or as a new one.
pub(super) fn push_text(res: &mut Vec<Expanded>, text: &str) {
    match res.last_mut() {
        Some(Expanded::Text(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => res.push(Expanded::Text(text.to_owned())),
    }
}

/// Removes blanks at both ends.
pub(super) fn trim(res: &mut Vec<Expanded>) {
    if let Some(Expanded::Text(first)) = res.first_mut() {
        *first = first.trim_start().to_owned();
    }
    if let Some(Expanded::Text(last)) = res.last_mut() {
        last.truncate(last.trim_end().len());
    }
    res.retain(|part| !matches!(part, Expanded::Text(text) if text.is_empty()));
}

/// Removes blanks at the end of the text.
pub(super) fn end_text(res: &mut [Expanded]) {
    if let Some(Expanded::Text(last)) = res.last_mut() {
        last.truncate(last.trim_end().len());
    }
}
