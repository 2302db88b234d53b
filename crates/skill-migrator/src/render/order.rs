//! The order of commands: a value that one command gives and another one takes.
//!
//! A plugin describes each command alone, and an agent has to guess where the identifier of a task or a post
//! comes from. What the code or the texts say of a result shows it.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::Command;

use super::{Around, Language, entry::Original, parts};
use crate::code::Outcome;
use crate::markdown::codes;

/// Maximum number of commands that are named as takers.
const MAX_TAKERS: usize = 3;
/// Maximum number of sentences.
const MAX: usize = 4;
/// Maximum number of commands that a value comes from; from any of more is not an advice.
const MAX_SOURCES: usize = 2;

/// Returns sentences such as `` `query` 的 `taskId` 取自 `submit` 的结果。 ``
pub(super) fn sentences(
    commands: &[Command],
    originals: &[Original<'_>],
    around: &Around,
    language: Language,
) -> Vec<String> {
    // The takers of each value, by the value and where it comes from.
    let mut handed: BTreeMap<(&str, Vec<String>), Vec<String>> = BTreeMap::new();
    for (at, taker) in commands.iter().enumerate() {
        for name in wanted(taker) {
            let sources = sources(commands, originals, around, (at, name));
            if (1..=MAX_SOURCES).contains(&sources.len()) {
                let taker = parts::name(taker, commands).to_owned();
                handed.entry((name, sources)).or_default().push(taker);
            }
        }
    }
    let sentences = handed.into_iter().map(|((name, sources), takers)| {
        let is_few = takers.len() <= MAX_TAKERS;
        let (takers, sources) = (codes(&takers), codes(&sources));
        match language {
            Language::English if is_few => {
                format!("`{name}` of {takers} comes from the result of {sources}.")
            }
            Language::English => format!("`{name}` comes from the result of {sources}."),
            Language::Chinese if is_few => {
                format!("{takers} 的 `{name}` 取自 {sources} 的结果。")
            }
            Language::Chinese => format!("`{name}` 取自 {sources} 的结果。"),
        }
    });
    sentences.take(MAX).collect()
}

/// Returns the required parameters that identify something which another call made or found.
fn wanted(command: &Command) -> Vec<&str> {
    let required = command.input_schema["required"].as_array();
    let required = required.into_iter().flatten().filter_map(|it| it.as_str());
    required.filter(|name| is_identifier(name)).collect()
}

/// Returns true for `taskId`, `post_uid`, `mid`.
fn is_identifier(name: &str) -> bool {
    const IDS: [&str; 8] = ["id", "uid", "uuid", "mid", "bvid", "aid", "vid", "pmid"];
    let is_camel = name.len() > 2 && (name.ends_with("Id") || name.ends_with("ID"));
    let last = name.rsplit('_').next().unwrap_or_default();
    is_camel || IDS.contains(&&*last.to_lowercase())
}

/// Returns the names of the commands whose results have a value, and which do not take it themselves.
fn sources(
    commands: &[Command],
    originals: &[Original<'_>],
    around: &Around,
    (at, name): (usize, &str),
) -> Vec<String> {
    const GIVES: [&str; 9] = [
        "submit", "create", "start", "list", "search", "find", "query", "add", "upload",
    ];
    let taken = commands[at].input_schema["properties"][name]["description"].as_str();
    let taken = taken.unwrap_or_default();
    let gives = |other: &usize| {
        let command = &commands[*other];
        let takes = command.input_schema["properties"].get(name).is_some();
        let has_member = |outcome: &Outcome| outcome.members().any(|it| bare(it) == bare(name));
        let is_in_code = around.outcomes.get(&command.id).is_some_and(has_member);
        let is_told = || mentions(originals.get(*other).map_or("", |it| it.description), name);
        *other != at && !takes && around.is_shown(&command.id) && (is_in_code || is_told())
    };
    let mut found: Vec<usize> = (0..commands.len()).filter(gives).collect();
    // The row of the parameter says it.
    let is_said = |other: &usize| taken.contains(&*commands[*other].id);
    if found.iter().any(is_said) {
        return Vec::new();
    }
    // Others only pass the value on: `convert`, `get`.
    let makes = |other: &usize| {
        let id = commands[*other].id.to_lowercase();
        GIVES.iter().any(|verb| id.starts_with(verb))
    };
    let passes = |other: &usize| {
        let id = commands[*other].id.to_lowercase();
        ["convert", "format", "translate"]
            .iter()
            .any(|verb| id.starts_with(verb))
    };
    if found.len() > MAX_SOURCES {
        found.retain(makes);
    }
    found.retain(|other| !passes(other));
    let found = found
        .into_iter()
        .map(|other| parts::name(&commands[other], commands).to_owned());
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns true if a text names a value: by its whole name, or by the last word of it in capitals, `UID`.
fn mentions(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let last = name.rsplit('_').next().unwrap_or_default().to_uppercase();
    // `ID` alone may be that of anything.
    let is_own = last.len() > 2;
    text.split(|c| !is_word(c))
        .any(|word| !word.is_empty() && (bare(word) == bare(name) || is_own && word == last))
}

fn bare(name: &str) -> String {
    name.replace(['_', '-'], "").to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn command(id: &str, required: &[&str]) -> Command {
        let properties: serde_json::Map<_, _> = required
            .iter()
            .map(|name| ((*name).to_owned(), json!({})))
            .collect();
        Command {
            input_schema: json!({ "properties": properties, "required": required }),
            ..Command::new(id)
        }
    }

    #[track_caller]
    fn check(all: &[(&str, &[&str], &str)], expected: &[&str]) {
        let commands: Vec<Command> = all
            .iter()
            .map(|(id, names, _)| command(id, names))
            .collect();
        let originals: Vec<Original<'_>> = all
            .iter()
            .map(|(_, _, description)| Original {
                description,
                examples: Vec::new(),
                ..Original::default()
            })
            .collect();
        let found = sentences(&commands, &originals, &Around::default(), Language::Chinese);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_value_of_another_command() {
        check(
            &[
                ("submit", &["tea"], "泡茶，返回 task_id。"),
                ("query", &["taskId"], "查询。"),
                ("cancel", &["taskId"], "取消。"),
            ],
            &["`query`, `cancel` 的 `taskId` 取自 `submit` 的结果。"],
        );
        check(
            &[
                ("search", &["word"], "搜索用户（返回昵称/MID）。"),
                ("videos", &["mid"], "列出视频。"),
            ],
            &["`videos` 的 `mid` 取自 `search` 的结果。"],
        );
        // `ID` may be anything's, and nobody gives a name.
        check(
            &[
                ("list", &[], "列出 ID 与 maid。"),
                ("get", &["pot_id", "maid"], "读。"),
            ],
            &[],
        );
    }

    #[test]
    fn identifiers() {
        for name in ["taskId", "post_uid", "id", "mid", "pageID"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["maid", "valid", "grid", "name", "idea"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
