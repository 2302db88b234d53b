//! Modules of other plugins that code gets from the plugin manager and calls by their own functions:
//! `pluginManager.getServiceModule('Kettle').boil()`.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::functions::innermost;
use super::lexer::Token;

/// A module without which code ends in an error, and the function of it that it wants.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ServiceModule {
    pub(crate) plugin: String,
    pub(crate) function: String,
}

/// The function of a module that a call of its skill replaces.
const CALLABLE: &str = "processToolCall";

/// Number of tokens behind the place that gets a module in which its function is asked for.
const FAR: usize = 80;

/// Returns the modules that an error asks for where they lack a function.
pub(crate) fn service_modules(code: &Analysis<'_, '_>) -> BTreeSet<ServiceModule> {
    let mut res = BTreeSet::new();
    for reader in &code.readers {
        let tokens = reader.tokens;
        for &at in reader.index.of("getServiceModule") {
            let rest = match &tokens[at + 1..] {
                [Token::Sign('?'), Token::Sign('.'), rest @ ..] => rest,
                rest => rest,
            };
            let [Token::Sign('('), Token::Text(plugin), Token::Sign(')'), ..] = rest else {
                continue;
            };
            let function = &reader.functions[innermost(&reader.functions, at)];
            let body = &tokens[at..function.body.end.min(at + FAR)];
            let wanted = body
                .windows(4)
                .enumerate()
                .find_map(|(at, four)| match four {
                    [
                        Token::Word("typeof"),
                        Token::Word(_),
                        Token::Sign('.'),
                        Token::Word(name),
                    ] if *name != CALLABLE => Some((at, *name)),
                    _ => None,
                });
            let Some((at, name)) = wanted else { continue };
            let block = &body[at..];
            let block = block.split(|it| *it == Token::Sign('}')).next();
            if block.unwrap_or_default().contains(&Token::Word("throw")) {
                res.insert(ServiceModule {
                    plugin: (*plugin).to_owned(),
                    function: name.to_owned(),
                });
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn modules_that_are_needed() {
        let check = |code: &str, expected: &[&str]| {
            let found = of_file("a.js", code, service_modules);
            let found: Vec<String> = found
                .iter()
                .map(|it| format!("{} {}", it.plugin, it.function))
                .collect();
            assert_eq!(found, expected, "{code}");
        };
        let code = "function kettle() { const k = manager?.getServiceModule?.('Kettle'); if (!k || typeof k.boil !== 'function') { throw new Error('x'); } return k; }";
        check(code, &["Kettle boil"]);
        check(&code.replace("throw new Error('x')", "return null"), &[]);
        check(&code.replace("boil", "processToolCall"), &[]);
    }
}
