//! Settings of a side of a program that no call reaches: what its handlers of events use, and nothing that
//! `processToolCall` calls.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::arguments::Reader;
use super::functions::Parameter;
use super::lexer::Token;
use super::tested::names;

/// Functions that take a handler of events.
const HANDLERS: [&str; 4] = ["on", "once", "addEventListener", "addListener"];
/// The function of a call, and the one that prepares it.
const ROOTS: [&str; 2] = ["processToolCall", "initialize"];

/// Returns the settings that only such handlers use, of a program in one file.
pub(crate) fn aside(code: &Analysis<'_, '_>, keys: &BTreeSet<&str>) -> BTreeSet<String> {
    let [reader] = &code.readers[..] else {
        return BTreeSet::new();
    };
    if ROOTS.iter().any(|name| reader.named(name).len() != 1) || !has_handlers(reader) {
        return BTreeSet::new();
    }
    let handled = handled(reader);
    let reached = reached(reader, &handled);
    let names = names(reader.tokens, keys);
    let mut uses: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, token) in reader.tokens.iter().enumerate() {
        if let Token::Text(text) = token {
            // `${settings.greeting}`
            let is_message = reader.is_log(at);
            for word in words_of_template(text).filter(|_| !is_message) {
                if let Some(key) = names.get(word) {
                    uses.entry(key).or_default().push(at);
                }
            }
            continue;
        }
        let Token::Word(word) = token else { continue };
        // Where the setting itself is read, the name gets its value.
        let is_bound = matches!(reader.tokens.get(at + 1), Some(Token::Sign(':' | '=')))
            && reader.tokens.get(at + 2) != Some(&Token::Sign('='));
        if let Some(key) = names.get(word).filter(|_| !is_bound) {
            uses.entry(key).or_default().push(at);
        }
    }
    let is_aside = |places: &Vec<usize>| !places.iter().any(|at| reached[*at]);
    let found = uses.iter().filter(|(_, places)| is_aside(places));
    found.map(|(key, _)| (*key).to_owned()).collect()
}

/// Returns the words in the values of a template.
fn words_of_template(text: &str) -> impl Iterator<Item = &str> {
    let values = text.split("${").skip(1);
    let values = values.filter_map(|part| part.split('}').next());
    values.flat_map(|it| it.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

impl Reader<'_, '_> {
    /// Returns true for a text in a call that only tells somebody something.
    fn is_log(&self, at: usize) -> bool {
        const LOGS: [&str; 5] = ["log", "warn", "error", "info", "debug"];
        let around = self.index.around(at);
        around.is_some_and(
            |open| matches!(self.tokens[..open], [.., Token::Word(name)] if LOGS.contains(&name)),
        )
    }

    /// Returns true for the name of a function at a position that takes a handler of what comes from outside:
    /// `on('message.text', …)`.
    fn takes_handler(&self, at: usize) -> bool {
        let is_method = matches!(self.tokens[..at], [.., Token::Sign('.')]);
        let is_of_message = |event: &str| {
            event.contains("message") || event.contains("msg") || event.starts_with("event")
        };
        is_method
            && matches!(self.tokens[at + 1..], [Token::Sign('('), Token::Text(event), ..] if is_of_message(event))
    }
}

fn has_handlers(reader: &Reader<'_, '_>) -> bool {
    let mut all = HANDLERS.iter().flat_map(|name| reader.index.of(name));
    all.any(|at| reader.takes_handler(*at))
}

/// Returns for each position whether it is in a handler.
fn handled(reader: &Reader<'_, '_>) -> Vec<bool> {
    let mut res = vec![false; reader.tokens.len()];
    for at in HANDLERS.iter().flat_map(|name| reader.index.of(name)) {
        let is_handler = reader.takes_handler(*at);
        if let (true, Some(close)) = (is_handler, reader.index.closing(at + 1)) {
            res[at + 1..close].fill(true);
        }
    }
    res
}

/// Returns for each position whether a call reaches it: in the functions that the roots name, without handlers.
fn reached(reader: &Reader<'_, '_>, handled: &[bool]) -> Vec<bool> {
    let mut res = vec![false; reader.tokens.len()];
    let mut queue: Vec<usize> = ROOTS
        .iter()
        .flat_map(|name| reader.named(name))
        .copied()
        .collect();
    let mut seen: BTreeSet<usize> = queue.iter().copied().collect();
    while let Some(number) = queue.pop() {
        for at in reader.functions[number].body.clone() {
            if handled[at] || std::mem::replace(&mut res[at], true) {
                continue;
            }
            let Token::Word(word) = reader.tokens[at] else {
                continue;
            };
            // What reports the state only repeats settings.
            if word.to_lowercase().contains("status") {
                continue;
            }
            for &next in reader.named(word) {
                if seen.insert(next) {
                    queue.push(next);
                }
            }
        }
    }
    // The name of a parameter does not count.
    for function in &reader.functions {
        for parameter in &function.parameters {
            if let Parameter::Keys(_) = parameter {
                res[function.head] = true;
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
    fn settings_of_handlers() {
        let check = |code: &str, expected: &[&str]| {
            let keys = BTreeSet::from(["TEA_KEY", "TEA_GREETING"]);
            let found = of_file("a.js", code, |code| aside(code, &keys));
            assert_eq!(
                found.iter().map(String::as_str).collect::<Vec<_>>(),
                expected,
                "{code}"
            );
        };
        let code = "function load() { return { pot: text(get('TEA_KEY')), greeting: text(get('TEA_GREETING')) }; }
            function greet(guest) { say(load().greeting); }
            function initialize() { const way = load(); connect(way.pot); door.on('message.guest', g => greet(g)); }
            async function processToolCall(args) { return send(args.text); }";
        check(code, &["TEA_GREETING"]);
        check(&code.replace("send(args.text)", "greet(args.text)"), &[]);
        check(
            &code.replace("door.on('message.guest', g => greet(g))", "greet(1)"),
            &[],
        );
    }
}
