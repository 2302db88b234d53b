//! Commands of the texts that the program does not know.

use std::collections::BTreeSet;

use skill_model::Command;

use crate::{
    code::{self, Analysis},
    plugin::Plugin,
};

/// Returns the identifiers of the commands whose values are nowhere in the code, although one `switch`
/// has those of most others and refuses the rest: a call of such a one fails. Case, `_` and `-` do not
/// count, because programs change them.
pub(crate) fn unknown(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    commands: &[Command],
) -> BTreeSet<String> {
    let switches = code::closed_switches(analysis);
    if switches.is_empty() {
        return BTreeSet::new();
    }
    let files = analysis.facts.files.iter();
    let texts = files.filter_map(|path| plugin.texts.get(path));
    let texts: Vec<String> = texts.map(|text| bare(text)).collect();
    unknown_in(&texts, &switches, commands)
}

fn unknown_in(
    texts: &[String],
    switches: &[Vec<String>],
    commands: &[Command],
) -> BTreeSet<String> {
    const MIN_KNOWN: usize = 2;
    let selected = commands.iter().filter_map(|command| {
        let dispatch = command.dispatch.as_ref()?;
        Some((&command.id, bare(&dispatch.value)))
    });
    let is_known = |value: &String| texts.iter().any(|text| text.contains(value));
    let (known, unknown): (Vec<_>, Vec<_>) = selected.partition(|(_, value)| is_known(value));
    let is_all = |switch: &Vec<String>| {
        let has = |value: &String| switch.iter().any(|it| bare(it) == *value);
        known.iter().all(|(_, value)| has(value))
    };
    let is_clear = known.len() >= MIN_KNOWN && known.len() > unknown.len();
    if !is_clear || !switches.iter().any(is_all) {
        return BTreeSet::new();
    }
    unknown.into_iter().map(|(id, _)| id.clone()).collect()
}

/// Returns a text in lower case without the signs that divide words in names.
fn bare(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '_' | '-'));
    kept.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_the_code_lacks() {
        let commands = |ids: &[&str]| -> Vec<Command> {
            let commands = ids.iter().map(|&id| Command {
                dispatch: Some(skill_model::Dispatch {
                    key: "command".to_owned(),
                    value: id.to_owned(),
                    source: "example".to_owned(),
                }),
                ..Command::new(id)
            });
            commands.collect()
        };
        let check = |code: &str, ids: &[&str], expected: &[&str]| {
            let switch = ["brew_tea", "list_teas", "wash"].map(str::to_owned);
            let found = unknown_in(&[bare(code)], &[switch.to_vec()], &commands(ids));
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{code}");
        };
        let code = "switch (command) { case 'brew_tea': case 'list_teas': case 'wash': }";
        check(code, &["brew_tea", "list_teas", "open_pot"], &["open_pot"]);
        check(code, &["BrewTea", "list-teas", "wash"], &[]);
        // What picks a command is not in this code.
        check("start(command)", &["brew_tea", "list_teas"], &[]);
        check(code, &["brew_tea", "open_pot", "sell"], &[]);
        // Others are known elsewhere.
        let more = format!("{code} send('pour')");
        check(&more, &["brew_tea", "list_teas", "pour", "sell"], &[]);
    }
}
