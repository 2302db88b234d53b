//! Members of results that only a window of the old host read: `_specialAction: 'open'`.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::lexer::Token;
use super::scopes::Scopes;

/// Returns the name of such a member for each command that has one, by its number. Each command has all
/// values that select it.
pub(crate) fn client_actions(
    code: &Analysis<'_, '_>,
    commands: &[Vec<String>],
) -> BTreeMap<usize, String> {
    let mut res = BTreeMap::new();
    let scopes = Scopes::new(&code.readers, commands);
    for (file, reader) in code.readers.iter().enumerate() {
        for at in 1..reader.tokens.len() {
            let [Token::Word(name), Token::Sign(':'), Token::Text(_), ..] = reader.tokens[at..]
            else {
                continue;
            };
            let is_action = name.starts_with('_') && name.to_lowercase().contains("action");
            if !is_action || !matches!(reader.tokens[at - 1], Token::Sign('{' | ',')) {
                continue;
            }
            let found = scopes.at(file, at).commands.into_iter().flatten();
            res.extend(found.map(|command| (command, name.to_owned())));
        }
    }
    res
}

/// Returns true if a text of the code asks to repeat a place that the old host filled later.
pub(crate) fn asks_to_repeat(code: &Analysis<'_, '_>) -> bool {
    const PLACE: &str = "{VCP_ASYNC_RESULT::";
    let mut tokens = code.readers.iter().flat_map(|it| it.tokens);
    tokens.any(|it| matches!(it, Token::Text(text) if text.contains(PLACE)))
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn members_for_a_window() {
        let code = "async function processToolCall(args) { switch (args.command) {
              case 'brew': return { tea: 1, _private: 'x' }; case 'show': return show(); } }
            function show() { return { _windowAction: 'open', payload: 1 }; }";
        let values = ["brew", "show"].map(|it| vec![it.to_owned()]);
        let found = of_file("a.js", code, |code| client_actions(code, &values));
        assert_eq!(found, BTreeMap::from([(1, "_windowAction".to_owned())]));
        let code = "say(`Repeat: {{VCP_ASYNC_RESULT::Pot::${id}}}`)";
        assert!(of_file("a.js", code, asks_to_repeat));
    }
}
