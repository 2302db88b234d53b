//! The arguments of commands whose texts describe none: those that their code reads.

use std::collections::BTreeSet;

use serde_json::json;
use skill_model::Command;

use crate::{
    also_read,
    code::{self, Analysis, Facts},
    code_commands::schema,
    program_facts,
};

/// The arguments of a command whose texts describe none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Untold {
    /// They are not known.
    Open,
    /// The code reads some of its own.
    Read,
    /// The code reads none.
    Nothing,
}

/// The sources of a selector that no text shows.
const UNSHOWN: [&str; 2] = ["code", "assumed"];

/// Replaces the selector of the convention by the one that the code reads.
pub(crate) fn select(code: &Analysis<'_, '_>, commands: &mut [Command]) {
    let unshown = commands.iter().filter_map(|it| it.dispatch.as_ref());
    let unshown = unshown.filter(|it| UNSHOWN.contains(&&*it.source));
    let values: BTreeSet<&str> = unshown.map(|it| &*it.value).collect();
    if values.is_empty() {
        return;
    }
    let Some(found) = code::selector(code, &values) else {
        return;
    };
    let all = commands.iter_mut().filter_map(|it| it.dispatch.as_mut());
    for dispatch in all.filter(|it| UNSHOWN.contains(&&*it.source)) {
        if found.values.contains(&dispatch.value) {
            dispatch.key.clone_from(&found.key);
            "code".clone_into(&mut dispatch.source);
        }
    }
}

/// Gives the commands at these positions the arguments that only their part of the code reads.
pub(crate) fn apply(
    code: &Analysis<'_, '_>,
    commands: &mut [Command],
    untold: &BTreeSet<usize>,
) -> Vec<Untold> {
    let mut res = vec![Untold::Open; commands.len()];
    if untold.is_empty() || code.arguments().is_empty() {
        return res;
    }
    let values: Vec<Vec<String>> = commands.iter().map(program_facts::values).collect();
    let found = code::argument_facts(code, &values);
    let n_commands = commands.len();
    for &at in untold {
        let (command, facts) = (&mut commands[at], &found[at]);
        if !facts.is_scoped {
            continue;
        }
        let own = Facts {
            own: own(facts, n_commands),
            ..facts.clone()
        };
        let key = command.dispatch.as_ref().map_or("", |it| &it.key);
        let schema = schema(&own, key);
        let is_empty = schema["properties"]
            .as_object()
            .is_none_or(serde_json::Map::is_empty);
        res[at] = match (is_empty, facts.is_passed_on) {
            (false, _) => Untold::Read,
            (true, false) => Untold::Nothing,
            (true, true) => Untold::Open,
        };
        if res[at] == Untold::Read {
            command.input_schema["properties"] = schema["properties"].clone();
            command.input_schema["required"] = json!([]);
        }
    }
    res
}

/// Returns the arguments that only some commands read, this one among them; of an only command, all.
fn own(facts: &Facts, n_commands: usize) -> BTreeSet<String> {
    let all: Vec<&String> = match n_commands {
        1 => facts.arguments.keys().collect(),
        _ => facts.own.iter().collect(),
    };
    let all = all.into_iter().filter(|name| also_read::is_parameter(name));
    all.cloned().collect()
}
