//! Methods that the class of a compiled module does not have: `new Pot().boil()`, where its declaration in
//! `index.d.ts`, or its source in Rust, has no `boil`. Such a call fails.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::functions::closing;
use super::lexer::{self, Token};
use super::scopes::Scopes;

/// The classes of declarations with their members.
type Classes = BTreeMap<String, BTreeSet<String>>;

/// Returns the commands, by their numbers, whose code calls a method that the declarations do not have:
/// texts of `.d.ts` files, and Rust. Each command has all values that select it.
pub(crate) fn lacking_methods(
    code: &Analysis<'_, '_>,
    (declarations, sources): (&[&str], &[&str]),
    commands: &[Vec<String>],
) -> BTreeSet<usize> {
    let mut res = BTreeSet::new();
    let declared = declarations.iter().flat_map(|it| classes(it));
    let written = sources.iter().flat_map(|it| classes_of_rust(it));
    let classes: Classes = declared.chain(written).collect();
    if classes.is_empty() {
        return res;
    }
    let scopes = Scopes::new(&code.readers, commands);
    for (file, reader) in code.readers.iter().enumerate() {
        for at in lacking(reader.tokens, &classes) {
            let scope = scopes.at(file, at);
            res.extend(scope.commands.into_iter().flatten());
        }
    }
    res
}

/// Reads `export declare class Pot { brew(leaf: string): void }`.
fn classes(text: &str) -> Classes {
    let mut tokens = lexer::javascript(text);
    tokens.retain(|it| *it != Token::Newline);
    let mut res = BTreeMap::new();
    for at in 0..tokens.len() {
        let [
            Token::Word("class"),
            Token::Word(name),
            Token::Sign('{'),
            ..,
        ] = tokens[at..]
        else {
            continue;
        };
        let end = closing(&tokens, at + 2).unwrap_or(at);
        let members = (at + 3..end).filter_map(|at| match tokens[at..] {
            [Token::Word(member), Token::Sign('(' | ':' | '<' | '?'), ..] => {
                Some(member.to_owned())
            }
            _ => None,
        });
        res.insert(name.to_owned(), members.collect());
    }
    res
}

/// Reads `#[napi] impl Pot { #[napi] pub fn brew_tea(…) }`, whose method is `brewTea`.
/// Source: <https://napi.rs/docs/concepts/naming-conventions>.
fn classes_of_rust(text: &str) -> Classes {
    let mut res = Classes::new();
    let mut class: Option<String> = None;
    let mut attribute = None;
    for line in text.lines() {
        let is_outer = !line.starts_with(char::is_whitespace);
        let line = line.trim();
        if line.starts_with("#[napi") {
            attribute = Some(line);
        } else if line.starts_with("impl") {
            let name = line.trim_end_matches('{').trim_end().rsplit(' ').next();
            class = name.filter(|_| attribute.is_some()).map(str::to_owned);
            attribute = None;
        } else if is_outer && line.starts_with('}') {
            class = None;
        } else if let Some((_, rest)) = line.split_once("fn ") {
            let name = rest.split(['(', '<']).next().unwrap_or_default().trim();
            let given = attribute
                .and_then(|it| it.split_once("js_name"))
                .and_then(|(_, it)| it.split('"').nth(1));
            if let (Some(class), Some(_)) = (&class, attribute) {
                let members: &mut BTreeSet<String> = res.entry(class.clone()).or_default();
                members.insert(given.map_or_else(|| camel_case(name), str::to_owned));
            }
            attribute = None;
        }
    }
    res
}

/// Returns `brewTea` for `brew_tea`.
fn camel_case(name: &str) -> String {
    let mut parts = name.split('_').filter(|it| !it.is_empty());
    let mut res = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        res.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        res.push_str(chars.as_str());
    }
    res
}

/// Returns the positions of calls of methods that a declared class does not have.
fn lacking(tokens: &[Token<'_>], classes: &Classes) -> Vec<usize> {
    let mut objects: BTreeMap<&str, &str> = BTreeMap::new();
    for at in 0..tokens.len() {
        if let [
            Token::Word(object),
            Token::Sign('='),
            Token::Word("new"),
            Token::Word(class),
            ..,
        ] = tokens[at..]
        {
            objects.insert(object, class);
        }
    }
    let is_own = |class: &str| {
        tokens
            .windows(2)
            .any(|two| *two == [Token::Word("class"), Token::Word(class)])
    };
    let calls = (0..tokens.len()).filter(|at| match tokens[*at..] {
        [
            Token::Word(object),
            Token::Sign('.'),
            Token::Word(method),
            Token::Sign('('),
            ..,
        ] => objects.get(object).is_some_and(|class| {
            let members = classes.get(*class).filter(|_| !is_own(class));
            members.is_some_and(|it| !it.is_empty() && !it.contains(method))
        }),
        _ => false,
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn methods_that_are_not_declared() {
        let code = "const { Pot } = require('./pot.node');
            async function processToolCall(args) { switch (args.command) {
              case 'brew': return brew(); case 'boil': return boil(); default: throw new Error('x'); } }
            function brew() { const pot = new Pot(); return pot.brewTea(); }
            function boil() { const pot = new Pot(); return pot.boil_tea(); }";
        let values = ["brew", "boil"].map(|it| vec![it.to_owned()]);
        let check = |text: &str, expected: &[usize]| {
            let texts = if text.contains("fn ") {
                (vec![], vec![text])
            } else {
                (vec![text], vec![])
            };
            let found = of_file("a.js", code, |code| {
                lacking_methods(code, (&texts.0, &texts.1), &values)
            });
            assert_eq!(found, expected.iter().copied().collect(), "{text}");
        };
        let class = "export declare class Pot {\n  constructor()\n  brewTea(): string\n  boilTea(): string\n}";
        check(class, &[1]);
        check("export declare class Cup { fill(): void }", &[]);
        check(&class.replace("boilTea", "boil_tea"), &[]);
        let rust = "#[napi]\nimpl Pot {\n  #[napi]\n  pub fn brew_tea(&self) {}\n  #[napi]\n  pub fn boil_tea(&self) {}\n}\n";
        check(rust, &[1]);
        check(
            &rust.replace(
                "#[napi]\n  pub fn boil",
                "#[napi(js_name = \"boil_tea\")]\n  pub fn boil",
            ),
            &[],
        );
    }
}
