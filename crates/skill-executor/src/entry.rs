//! The command of a skill: words that are started as they are, or a line for a shell.

use skill_model::Entry;
use skill_sandbox::Program;

use crate::envelope::{ErrorCode, Failure};
use crate::package::SkillPackage;

/// Words that only a shell knows, although they look like programs.
const BUILT_IN: [&str; 16] = [
    ".", ":", "alias", "cd", "command", "eval", "exec", "export", "hash", "readonly", "set",
    "source", "trap", "ulimit", "umask", "unset",
];
/// Words that a shell answers itself, differently from the programs of that name or without one.
/// They run in a shell that sees their arguments as they are, and nothing else of the line.
const ANSWERED: [&str; 12] = [
    "[", "echo", "exit", "false", "kill", "printf", "pwd", "read", "test", "true", "type", "wait",
];
/// Returns the command line of a skill that only a shell can run.
pub fn shell_line(skill: &SkillPackage) -> Option<&str> {
    let entry = skill.metadata.entry.as_ref()?;
    if is_plain(entry) {
        return None;
    }
    entry.shell.as_deref()
}

/// Returns true if the words of an entry can be started without a shell.
fn is_plain(entry: &Entry) -> bool {
    entry
        .argv
        .first()
        .is_some_and(|word| !BUILT_IN.contains(&word.as_str()))
}

/// Returns the program of a skill: its words, or a shell line that passed the preflight checks.
pub(crate) fn program(skill: &SkillPackage) -> Result<Program, Failure> {
    let metadata = &skill.metadata;
    let nothing = || {
        let message = format!("skill `{}` has no program", metadata.name);
        Err(Failure::new(ErrorCode::NotRunnable, message))
    };
    let Some(entry) = &metadata.entry else {
        return nothing();
    };
    if is_plain(entry) && ANSWERED.contains(&entry.argv[0].as_str()) {
        let shell = ["/bin/sh", "-c", "\"$0\" \"$@\""].map(str::to_owned);
        let words = shell.iter().chain(&entry.argv);
        return Ok(Program::Argv(words.map(Into::into).collect()));
    }
    if is_plain(entry) {
        return Ok(Program::Argv(entry.argv.iter().map(Into::into).collect()));
    }
    let Some(line) = &entry.shell else {
        return nothing();
    };
    Ok(Program::Shell(line.into()))
}
