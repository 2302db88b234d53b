//! The commands that code tells apart: `if action == "brew"`, `switch (args.command) { case 'brew': … }`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::branches::branches;
use super::functions::innermost;
use super::lexer::Token;

/// Names of the argument that selects a command.
const SELECTORS: [&str; 10] = [
    "command",
    "action",
    "cmd",
    "operation",
    "op",
    "method",
    "function",
    "subcommand",
    "task",
    "tool",
];

/// The commands of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dispatch {
    /// The argument that selects one.
    pub(crate) key: String,
    /// The values of it, in the order of the code.
    pub(crate) values: Vec<String>,
}

/// Returns the commands that the reached files tell apart by one argument: those of the place with the
/// most values, if there are at least two.
pub(crate) fn dispatch(code: &Analysis<'_, '_>) -> Option<Dispatch> {
    let mut found: BTreeMap<(usize, usize, &str), Dispatch> = BTreeMap::new();
    for (file, reader) in code.readers.iter().enumerate() {
        for branch in branches(reader) {
            let function = innermost(&reader.functions, branch.opener);
            let key = reader.argument(function, branch.subject);
            let key = key.unwrap_or(branch.subject);
            let Some(value) = branch.values.first().filter(|_| SELECTORS.contains(&key)) else {
                continue;
            };
            let place = found.entry((file, function, key));
            let place = place.or_insert_with(|| Dispatch {
                key: key.to_owned(),
                values: Vec::new(),
            });
            if !place.values.iter().any(|it| it == value) {
                place.values.push((*value).to_owned());
            }
        }
    }
    let res = found.into_values().max_by_key(|it| it.values.len());
    res.filter(|it| it.values.len() > 1)
}

/// Returns the argument by which the code tells apart commands that `command` selects by convention alone,
/// with the values that it knows; `None` if the code reads `command` too.
pub(crate) fn selector(code: &Analysis<'_, '_>, values: &BTreeSet<&str>) -> Option<Dispatch> {
    let read = code.arguments();
    if read.contains(SELECTORS[0]) {
        return None;
    }
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for reader in &code.readers {
        for branch in branches(reader) {
            let function = innermost(&reader.functions, branch.opener);
            let key = reader.argument(function, branch.subject);
            let key = key.unwrap_or(branch.subject);
            if SELECTORS.contains(&key) && read.contains(key) {
                let known = branch.values.iter().copied();
                let known = known.filter(|value| values.contains(value));
                found.entry(key).or_default().extend(known);
            }
        }
    }
    let (key, known) = found.into_iter().max_by_key(|(_, known)| known.len())?;
    (known.len() > 1).then(|| Dispatch {
        key: key.to_owned(),
        values: known.into_iter().map(str::to_owned).collect(),
    })
}

/// Returns the values of each `switch` that ends with an error for all others.
pub(crate) fn closed_switches(code: &Analysis<'_, '_>) -> Vec<Vec<String>> {
    // The tokens of the last branch that count.
    const NEAR: usize = 12;
    let is_error = |token: &Token<'_>| {
        matches!(
            token,
            Token::Word("throw" | "raise" | "error") | Token::Text("error")
        )
    };
    let mut res = Vec::new();
    for reader in &code.readers {
        let found = branches(reader);
        for last in found.iter().filter(|it| it.values.is_empty()) {
            let mut near = reader.tokens[last.body.clone()].iter().take(NEAR);
            if near.any(is_error) {
                let beside = found.iter().filter(|it| it.opener == last.opener);
                let values = beside.flat_map(|it| it.values.iter());
                res.push(values.map(|&value| value.to_owned()).collect());
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: Option<(&str, &[&str])>) {
        let found = of_file(path, code, dispatch);
        let found = found.as_ref().map(|it| {
            (
                &*it.key,
                it.values.iter().map(|it| &**it).collect::<Vec<_>>(),
            )
        });
        assert_eq!(
            found,
            expected.map(|(key, values)| (key, values.to_vec())),
            "{code}"
        );
    }

    #[test]
    fn values_of_the_selector() {
        check(
            "a.py",
            "import sys, json\ncmd = json.loads(sys.stdin.read())\naction = cmd.get('action', '') or cmd.get('command', '')\nif action == 'brew':\n    out = 1\nelif action == 'wash' or action == 'rinse':\n    out = 2\nif out == 'x':\n    pass\n",
            Some(("action", &["brew", "wash"])),
        );
        check(
            "a.js",
            "async function processToolCall(args) { switch (args.command) { case 'brew': return 1; case 'wash': return 2; default: return 3; } }",
            Some(("command", &["brew", "wash"])),
        );
        check(
            "a.js",
            "async function processToolCall(args) { if (args.heat === 'hot') return 1; if (args.heat === 'cold') return 2; }",
            None,
        );
        check(
            "a.js",
            "async function processToolCall(args) { if (args.action === 'only') return 1; }",
            None,
        );
    }

    #[test]
    fn what_selects_in_place_of_the_convention() {
        let check = |read: &str, expected: Option<&str>| {
            let code = format!(
                "async function processToolCall(args) {{ const kind = {read}; switch (kind) {{ case 'brew': case 'Brew': return 1; case 'wash': return 2; default: return 3; }} }}"
            );
            let values = BTreeSet::from(["Brew", "wash", "pour"]);
            let found = of_file("a.js", &code, |it| selector(it, &values));
            assert_eq!(found.map(|it| it.key).as_deref(), expected, "{read}");
        };
        check(
            "String(args.action || args.tool_name || '').trim()",
            Some("action"),
        );
        check("args.action", Some("action"));
        check("args.command || args.action", None);
        check("args.leaf", None);
    }

    #[test]
    fn switches_that_refuse_others() {
        let check = |last: &str, is_closed: bool| {
            let code = format!(
                "function run(args) {{ switch (args.command) {{ case 'brew': return 1; case 'wash': return 2; {last} }} }} run(JSON.parse(fs.readFileSync(0, 'utf8')));"
            );
            let found = of_file("a.js", &code, closed_switches);
            let expected = [vec!["brew".to_owned(), "wash".to_owned()]];
            assert_eq!(found, expected[..usize::from(is_closed)], "{last}");
        };
        check("default: throw new Error('unknown');", true);
        check("default: return { status: 'error', error: 'x' };", true);
        check("default: return send(args);", false);
        check("", false);
    }
}
