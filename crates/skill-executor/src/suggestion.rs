//! Commands in messages, for a user who named the directories of skills: the commands need them too.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::envelope::Envelope;

/// The commands that take the name of a skill.
const COMMANDS: [&str; 3] = [
    "skills-run configure ",
    "skills-run prepare ",
    "skills-run approve ",
];

/// Returns a text in which each command about a skill has the directories of skills that the user named. A
/// skill that is named by its own directory needs none.
pub fn with_skills(text: &str, skills: &[PathBuf]) -> String {
    let options: String = skills.iter().map(|it| option(it)).collect();
    let mut res = String::new();
    let mut rest = text;
    let next = |rest: &str| {
        let found = COMMANDS
            .iter()
            .filter_map(|it| Some(rest.find(it)? + it.len()));
        found.min()
    };
    while let Some(at) = next(rest).filter(|_| !options.is_empty()) {
        let word = rest[at..].find([' ', '`', ';', ',']);
        let end = word.map_or(rest.len(), |end| at + end);
        let is_name = end > at && !rest[at..end].contains(['/', '.', '=']);
        res.push_str(&rest[..end]);
        if is_name {
            res.push_str(&options);
        }
        rest = &rest[end..];
    }
    res.push_str(rest);
    res
}

fn option(directory: &Path) -> String {
    let text = directory.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@:".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return format!(" --skills {text}");
    }
    format!(" --skills '{}'", text.replace('\'', "'\\''"))
}

impl Envelope {
    /// Writes the directories of skills that the user named into the commands of its messages.
    pub fn name_skills(&mut self, skills: &[PathBuf]) {
        if let Err(failure) = &mut self.outcome {
            failure.message = with_skills(&failure.message, skills);
            if let Some(Value::String(command)) = failure.details.get_mut("command") {
                *command = with_skills(command, skills);
            }
        }
        for warning in &mut self.warnings {
            warning.message = with_skills(&warning.message, skills);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, skills: &[&str], expected: &str) {
        let skills: Vec<PathBuf> = skills.iter().map(PathBuf::from).collect();
        assert_eq!(with_skills(text, &skills), expected);
    }

    #[test]
    fn commands_name_the_directories_of_the_user() {
        check(
            "`skills-run configure pets KEY=-` stores one; skills-run prepare pets",
            &["out", "my skills"],
            "`skills-run configure pets --skills out --skills 'my skills' KEY=-` stores one; skills-run prepare pets --skills out --skills 'my skills'",
        );
        let text = "skills-run configure ./pets KEY=- or skills-run configure";
        check(text, &["out"], text);
        let text = "skills-run approve pets";
        check(text, &[], text);
    }
}
