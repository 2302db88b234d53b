//! Commands that write a whole object over the stored one, with empty members for those that are missing:
//! `store = { teas: Array.isArray(input.teas) ? input.teas : [] }`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::analysis::Analysis;
use super::arguments::Reader;
use super::functions::{Function, Parameter, innermost};
use super::lexer::Token;
use super::scopes::Scopes;

/// The members that are lost where they are missing, with what replaces them.
pub(crate) type Replaced = BTreeMap<String, &'static str>;

/// Returns what each command replaces, by the number of the command; each has all values by which it may be
/// called.
pub(crate) fn replaced(
    code: &Analysis<'_, '_>,
    values: &[Vec<String>],
) -> BTreeMap<usize, Replaced> {
    let mut res: BTreeMap<usize, Replaced> = BTreeMap::new();
    let mut scopes = None;
    for (file, reader) in code.readers.iter().enumerate() {
        if reader.index.of("isArray").is_empty() {
            continue;
        }
        for function in reader.functions.iter().skip(1) {
            let [Parameter::Name(parameter)] = function.parameters[..] else {
                continue;
            };
            let found = reader.replaced_in(function, parameter);
            if found.is_empty() {
                continue;
            }
            let scopes = scopes.get_or_insert_with(|| Scopes::new(&code.readers, values));
            let scope = scopes.at(file, function.body.start + 1);
            let [command] = scope.commands.iter().flatten().copied().collect::<Vec<_>>()[..] else {
                continue;
            };
            res.entry(command).or_default().extend(found);
        }
    }
    res
}

impl Reader<'_, '_> {
    /// Returns the members of a parameter that a function empties where they are missing, if it writes them over
    /// an object of the file.
    fn replaced_in(&self, function: &Function<'_>, parameter: &str) -> Replaced {
        const FAR: usize = 400;
        let mut res = Replaced::new();
        let all = self.index.of(parameter);
        let start = all.partition_point(|at| *at < function.body.start);
        let end = function.body.end.min(function.body.start + FAR);
        let inside = all[start..].iter().copied().take_while(|at| *at < end);
        let Some(written) = self.written_over(function.body.start..end) else {
            return res;
        };
        for at in inside {
            let [Token::Sign('.'), Token::Word(member), ..] = self.tokens[at + 1..] else {
                continue;
            };
            if !written.contains(member) {
                continue;
            }
            match self.tokens[..at] {
                [.., Token::Word("isArray"), Token::Sign('(')] if self.ends_empty(at) => {
                    res.insert(member.to_owned(), "[]");
                }
                [.., Token::Sign('!'), Token::Sign('!')] => {
                    res.insert(member.to_owned(), "false");
                }
                _ => {}
            }
        }
        // A list that is lost is worth a word; a switch alone is not.
        if res.values().all(|it| *it == "false") {
            res.clear();
        }
        res
    }

    /// Returns true for `Array.isArray(x.y) ? … : []`.
    fn ends_empty(&self, at: usize) -> bool {
        const FAR: usize = 40;
        let rest = &self.tokens[at..self.tokens.len().min(at + FAR)];
        let statement = rest.split(|it| *it == Token::Sign(';')).next();
        statement.unwrap_or_default().windows(3).any(|three| {
            matches!(
                three,
                [Token::Sign(':'), Token::Sign('['), Token::Sign(']')]
            )
        })
    }

    /// Returns the members of the object that a function writes over one of the file.
    fn written_over(&self, body: Range<usize>) -> Option<BTreeSet<String>> {
        let mut starts = body.filter(|at| {
            let [Token::Word(store), Token::Sign('='), Token::Sign('{'), ..] = self.tokens[*at..]
            else {
                return false;
            };
            let is_declared = matches!(
                self.tokens[..*at],
                [.., Token::Word("const" | "let" | "var") | Token::Sign('.')]
            );
            let declared = self.index.of(store).iter().any(|it| {
                matches!(self.tokens[..*it], [.., Token::Word("let" | "var")])
                    && innermost(&self.functions, *it) == 0
            });
            !is_declared && declared
        });
        let start = starts.next_back()?;
        let close = self.index.closing(start + 2)?;
        let members = (start + 3..close).filter_map(|at| match self.tokens[at] {
            Token::Word(name)
                if self.index.around(at) == Some(start + 2)
                    && matches!(self.tokens[at - 1], Token::Sign('{' | ',')) =>
            {
                Some(name.to_owned())
            }
            _ => None,
        });
        Some(members.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn stores_that_are_replaced() {
        let check = |code: &str, expected: &[(usize, &str)]| {
            let values = ["save", "read"].map(|it| vec![it.to_owned()]);
            let found = of_file("a.js", code, |code| replaced(code, &values));
            let found: Vec<(usize, String)> = found
                .into_iter()
                .map(|(at, members)| {
                    let members: Vec<String> = members
                        .iter()
                        .map(|(name, value)| format!("{name}={value}"))
                        .collect();
                    (at, members.join(" "))
                })
                .collect();
            let expected: Vec<(usize, String)> = expected
                .iter()
                .map(|(at, text)| (*at, (*text).to_owned()))
                .collect();
            assert_eq!(found, expected, "{code}");
        };
        let code = "let store = {}; function put(input) { const on = !!input.on; const teas = Array.isArray(input.teas) ? input.teas.map(clean) : []; store = { on, teas, old: store.old }; }
            async function processToolCall(args) { switch (args.command) { case 'save': put(args.pot); return {}; case 'read': return store; } }";
        check(code, &[(0, "on=false teas=[]")]);
        check(&code.replace(": [];", ": store.teas;"), &[]);
        check(&code.replace("store = {", "const next = {"), &[]);
    }
}
