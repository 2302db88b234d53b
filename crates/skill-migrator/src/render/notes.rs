//! The notes on what the code and the texts of a program say differently.

use std::collections::BTreeSet;

use skill_model::Metadata;

use super::parts;
use super::{Around, Language};
use crate::code::spelling;

/// A program and what its code shows.
pub(super) struct Program<'a> {
    /// The sidecar.
    pub(super) metadata: &'a Metadata,
    /// The surroundings.
    pub(super) around: &'a Around,
    /// The language of the skill.
    pub(super) language: Language,
}

/// Returns the notes that the skill has.
pub(super) fn of_code(program: &Program<'_>) -> impl Iterator<Item = String> {
    let all = [
        unknown_note(program),
        window_note(program),
        also_note(program),
    ];
    all.into_iter().flatten()
}

/// Returns the names of some commands as a list, unless there is none.
fn listed(program: &Program<'_>, ids: &BTreeSet<String>) -> Option<String> {
    let commands = &program.metadata.commands;
    let named = commands.iter().filter(|command| ids.contains(&command.id));
    let names: Vec<String> = named
        .map(|command| parts::name(command, commands).to_owned())
        .collect();
    (!names.is_empty()).then(|| crate::markdown::codes(&names))
}

/// Returns the note on arguments that the program reads and of which neither a text nor the code says more:
/// those without a row, and without another spelling of one.
fn also_note(program: &Program<'_>) -> Option<String> {
    const MAX: usize = 6;
    // Names of what is around arguments.
    const AROUND: [&str; 9] = [
        "args",
        "arguments",
        "params",
        "parameters",
        "config",
        "options",
        "data",
        "payload",
        "name",
    ];
    let commands = &program.metadata.commands;
    let first = commands.first()?;
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for command in commands {
        for key in ["properties", "x-also"] {
            let all = command.input_schema[key].as_object().into_iter().flatten();
            for (name, property) in all {
                let aliases = property["x-aliases"].as_array().into_iter().flatten();
                let aliases = aliases.filter_map(|it| it.as_str());
                shown.extend(aliases.chain([name.as_str()]).map(spelling));
                // A text that names an argument says what it is.
                let text = property["description"].as_str().unwrap_or_default();
                let is_sign = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
                let names = text.split(is_sign).filter(|it| it.contains('_'));
                shown.extend(names.map(spelling));
            }
        }
    }
    let mut names: Vec<String> = Vec::new();
    for name in &first.also_read {
        // Nobody is to try what goes around a check.
        let lower = name.to_lowercase();
        let is_guard = ["override", "bypass"].iter().any(|it| lower.contains(it));
        let is_around = name.starts_with('_') || is_guard || AROUND.contains(&name.as_str());
        if !is_around && shown.insert(spelling(name)) {
            names.push(name.clone());
        }
    }
    let list = crate::markdown::codes(&names);
    (1..=MAX)
        .contains(&names.len())
        .then(|| match program.language {
            Language::English => format!("The program also reads {list}."),
            Language::Chinese => format!("程序另外读取：{list}。"),
        })
}

/// Returns the note on the commands for windows and chats of the old host, which have no section.
fn window_note(program: &Program<'_>) -> Option<String> {
    let list = listed(program, &program.around.for_windows)?;
    Some(match program.language {
        Language::English => {
            format!("These commands are for windows and chats of the old host: {list}.")
        }
        Language::Chinese => format!("这些命令只用于原环境的窗口与聊天记录：{list}。"),
    })
}

/// Returns the note on the commands that the program does not know, which have no section.
fn unknown_note(program: &Program<'_>) -> Option<String> {
    let list = listed(program, &program.around.unknown)?;
    Some(match program.language {
        Language::English => {
            format!(
                "The program does not have these commands of the old texts; calls fail: {list}."
            )
        }
        Language::Chinese => format!("原说明中的这些命令在程序中不存在，调用会失败：{list}。"),
    })
}
