//! The uses of one name that holds a value.

use super::super::arguments::Reader;
use super::super::facts::Language;
use super::super::functions::{Parameter, items, keys, owner};
use super::super::lexer::Token;
use super::members::{ITEMS, Member};
use super::place::{Of, Place};
use super::uses::{Event, Node, Use};

/// Beginnings of names of functions that return what they get, with the same members.
const MAKERS: [&str; 6] = ["normal", "sanit", "valid", "clean", "ensure", "coerce"];

/// Returns the uses of a node; of the arguments themselves only those of parts of them.
pub(super) fn uses<'a>(readers: &[Reader<'_, 'a>], node: Node<'a>, is_root: bool) -> Vec<Use<'a>> {
    let (file, function, name) = node;
    let of = Of {
        readers,
        reader: &readers[file],
        file,
        function,
    };
    let reader = of.reader;
    let body = reader.functions[function].body.clone();
    let all = reader.index.of(name);
    let start = all.partition_point(|at| *at < body.start);
    let end = all.partition_point(|at| *at < body.end);
    let mut res = Vec::new();
    for &at in &all[start..end] {
        if of.is_it(name, at) {
            of.read(at, is_root, &mut res);
        }
    }
    res
}

impl<'a> Of<'_, '_, 'a> {
    fn read(&self, at: usize, is_root: bool, res: &mut Vec<Use<'a>>) {
        let place = self.place(at);
        let least = usize::from(is_root);
        let tokens = self.reader.tokens;
        let is_set = matches!(tokens[place.end..], [Token::Sign('='), next, ..]
            if !matches!(next, Token::Sign('=' | '>')));
        if is_set || place.path.len() < least || place.path.first() == Some(&ITEMS) && is_root {
            return;
        }
        if let Some(event) = self.passed(&place) {
            if let Some(made) = self.made(&place) {
                res.push(Use {
                    at,
                    path: place.path.clone(),
                    event: made,
                });
            }
            // What is made of it may also be needed.
            let at_first = res.len();
            res.push(Use {
                at,
                path: place.path.clone(),
                event,
            });
            if res.len() > 1 && matches!(res[at_first - 1].event, Event::Made(_)) {
                res.swap(at_first - 1, at_first);
            }
        }
        for (items, event) in self.items(&place) {
            let mut path = place.path.clone();
            path.extend(items.then_some(ITEMS));
            res.push(Use { at, path, event });
        }
        let (member, aliases) = self.facts(&place);
        res.push(Use {
            at,
            path: place.path,
            event: Event::Read(Box::new(member)),
        });
        for path in aliases {
            res.push(Use {
                at,
                path,
                event: Event::Read(Box::new(Member {
                    is_alias: true,
                    ..Member::default()
                })),
            });
        }
    }

    /// Returns the function of a name: the one of the file, or the only one of another.
    fn callee(&self, name: &str) -> Option<(usize, usize)> {
        match self.reader.named(name) {
            [number] => return Some((self.file, *number)),
            [] => {}
            _ => return None,
        }
        let mut others = self.readers.iter().enumerate();
        let file = others.find(|(_, it)| !it.named(name).is_empty())?.0;
        let is_other = self.readers.iter().skip(file + 1);
        let is_only = is_other.clone().all(|it| it.named(name).is_empty());
        match self.readers[file].named(name) {
            [number] if is_only => Some((file, *number)),
            _ => None,
        }
    }

    /// Returns what a parameter of a function gets.
    fn to(&self, (file, function): (usize, usize), number: usize) -> Option<Event<'a>> {
        match self.readers[file].functions[function]
            .parameters
            .get(number)?
        {
            Parameter::Name("") => None,
            Parameter::Name(name) => Some(Event::Pass((file, function, name))),
            Parameter::Keys(keys) => Some(Event::Take((file, function), keys.clone())),
        }
    }

    /// Returns the call of which a position is an argument: the bracket, the name, the number and the start of the
    /// argument.
    fn call(&self, at: usize) -> Option<(usize, &'a str, usize, usize)> {
        let tokens = self.reader.tokens;
        let open = self.reader.index.around(at)?;
        let Token::Word(name) = *tokens.get(open.checked_sub(1)?)? else {
            return None;
        };
        if tokens[open] != Token::Sign('(') {
            return None;
        }
        let before = items(&tokens[open + 1..at]);
        let is_start = open + 1 == at || tokens[at - 1] == Token::Sign(',');
        let number = if is_start {
            before.len()
        } else {
            before.len().checked_sub(1)?
        };
        let start = if is_start {
            at
        } else {
            at - before.last().map_or(0, |it| it.len())
        };
        Some((open, name, number, start))
    }

    /// Follows `brew(x.pot)`, `brew({ ...x, id: 1 })`, `y = x.pot` and `{ a, b } = x.pot`.
    fn passed(&self, place: &Place<'a>) -> Option<Event<'a>> {
        let tokens = self.reader.tokens;
        let (at, end) = (place.at, self.after_others(place));
        if let [Token::Word(name), Token::Sign('=')] = tokens[..at].last_chunk::<2>()? {
            let is_member = matches!(tokens[..at - 2], [.., Token::Sign('.')]);
            let is_end = self.ends(end);
            return (is_end && !is_member).then(|| {
                Event::Pass((
                    self.file,
                    owner(&self.reader.functions, name, at - 2),
                    *name,
                ))
            });
        }
        if let [Token::Sign('}'), Token::Sign('=')] = tokens[..at].last_chunk::<2>()?
            && self.ends(end)
        {
            let open = self.opening(at - 2)?;
            let found = keys(&tokens[open + 1..at - 2]);
            return Some(Event::Take((self.file, self.function), found));
        }
        if tokens[..at].ends_with(&[Token::Sign('.'); 3]) {
            let open = self.reader.index.around(at)?;
            if tokens[open] != Token::Sign('{') {
                return None;
            }
            let (_, name, number, start) = self.call(open)?;
            let close = self.reader.index.closing(open)?;
            let is_whole = start == open && matches!(tokens[close + 1], Token::Sign(',' | ')'));
            // Members after it have other values.
            let others = keys(&tokens[end..close]).names;
            let Event::Pass(node) = self.to(self.callee(name)?, number)? else {
                return None;
            };
            let is_change = tokens[open..at - 3].ends_with(&[Token::Sign(',')])
                && tokens[open + 1..at - 3].starts_with(&[Token::Sign('.'); 3]);
            return is_whole.then_some(Event::Copy(node, others, is_change));
        }
        let (_, name, number, start) = self.call(at)?;
        let is_whole = start == at && matches!(tokens.get(end), Some(Token::Sign(',' | ')')));
        if !is_whole {
            return None;
        }
        self.to(self.callee(name)?, number)
    }

    /// Returns the position after other names of a part and an empty replacement: `|| x.b || []`.
    fn after_others(&self, place: &Place<'a>) -> usize {
        let tokens = self.reader.tokens;
        let mut end = place.end;
        while let [Token::Sign('|'), Token::Sign('|'), next, ..]
        | [Token::Sign('?'), Token::Sign('?'), next, ..] = tokens[end..]
        {
            if next != tokens[place.at] {
                break;
            }
            end = self.place(end + 2).end;
        }
        self.after_empty(end)
    }

    /// Returns the position after an empty replacement: `|| {}`, `?? []`, `or {}`.
    fn after_empty(&self, end: usize) -> usize {
        let tokens = &self.reader.tokens[end..];
        let length = match tokens {
            [Token::Sign('|'), Token::Sign('|'), ..] | [Token::Sign('?'), Token::Sign('?'), ..] => {
                2
            }
            [Token::Word("or"), ..] => 1,
            _ => return end,
        };
        match tokens[length..] {
            [Token::Sign('{'), Token::Sign('}'), ..] | [Token::Sign('['), Token::Sign(']'), ..] => {
                end + length + 2
            }
            _ => end,
        }
    }

    fn ends(&self, at: usize) -> bool {
        match self.reader.tokens.get(at) {
            None | Some(Token::Sign(';' | '}')) => true,
            Some(Token::Word(word)) => {
                self.reader.columns.get(at).is_some_and(Option::is_some)
                    || matches!(*word, "const" | "let" | "var" | "if" | "return" | "for")
            }
            Some(_) => false,
        }
    }

    fn opening(&self, close: usize) -> Option<usize> {
        let start = self.reader.functions[self.function].body.start;
        let all = (start..close).rev();
        let mut opening = all.filter(|at| self.reader.tokens[*at] == Token::Sign('{'));
        opening.find(|at| self.reader.index.closing(*at) == Some(close))
    }

    /// Follows `y = normalizePot(x)`: the result has the same members.
    fn made(&self, place: &Place<'a>) -> Option<Event<'a>> {
        let tokens = self.reader.tokens;
        let mut at = place.at;
        if tokens[..at].ends_with(&[Token::Sign('.'); 3]) {
            at = self.reader.index.around(at)?;
        }
        let (open, callee, ..) = self.call(at)?;
        let is_maker = MAKERS
            .iter()
            .any(|it| callee.to_lowercase().starts_with(it));
        let mut start = open.checked_sub(1)?;
        if matches!(tokens[..start], [.., Token::Word("await")]) {
            start -= 1;
        }
        let [.., Token::Word(name), Token::Sign('=')] = tokens[..start] else {
            return None;
        };
        is_maker.then(|| {
            Event::Made((
                self.file,
                owner(&self.reader.functions, name, start - 2),
                name,
            ))
        })
    }

    /// Follows `x.pots.map(f)`, `x.pots.forEach((pot) => …)` and `for (const pot of x.pots)`; also whether the
    /// items are meant.
    fn items(&self, place: &Place<'a>) -> Vec<(bool, Event<'a>)> {
        let tokens = self.reader.tokens;
        let mut res = Vec::new();
        if let [before @ .., Token::Word(name), Token::Word("of" | "in")] = &tokens[..place.at] {
            let is_loop = matches!(before, [.., Token::Word("for" | "const" | "let" | "var")]);
            let is_list = tokens[place.at - 1] == Token::Word("of")
                || self.reader.language == Language::Python;
            if is_loop && is_list && *name != "if" {
                let function = owner(&self.reader.functions, name, place.at);
                res.push((true, Event::Pass((self.file, function, *name))));
            }
        }
        let end = match tokens[place.end..] {
            [Token::Sign('?'), Token::Sign('.'), ..] => place.end + 2,
            [Token::Sign('.'), ..] => place.end + 1,
            _ => return res,
        };
        let [
            Token::Word("map" | "forEach" | "filter" | "flatMap" | "every" | "some" | "find"),
            Token::Sign('('),
            ..,
        ] = tokens[end..]
        else {
            return res;
        };
        let first = end + 2;
        let function = match tokens[first..] {
            [Token::Word(name), Token::Sign(')' | ','), ..] if name != "Boolean" => {
                self.callee(name)
            }
            _ => {
                let functions = &self.reader.functions;
                let start = functions.partition_point(|it| it.head < first);
                let near = functions.iter().enumerate().skip(start).take(1);
                let near = near.filter(|(_, it)| it.head <= first + 1);
                near.map(|(number, _)| (self.file, number)).next()
            }
        };
        if let Some(event) = function.and_then(|it| self.to(it, 0)) {
            res.push((true, event));
        }
        res
    }
}
