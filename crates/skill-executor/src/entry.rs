//! The command of a skill: words that are started as they are, or a line for a shell.

use skill_model::Entry;
use skill_sandbox::Program;

use crate::envelope::{ErrorCode, Failure};
use crate::package::SkillPackage;
use crate::shell::Shell;

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
        .is_some_and(|word| !Shell::HERE.alone_knows(word))
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
    if is_plain(entry) && Shell::HERE.answers(&entry.argv[0]) {
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
