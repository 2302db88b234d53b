//! The part of a program that each command runs: `switch (command) { case 'brew': … }` and chains of
//! `if (command === 'brew')`, with the functions that only they call.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::arguments::Reader;
use super::facts::Language;
use super::fallback::is_trimming;
use super::functions::closing;
use super::lexer::Token;

/// A branch of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Branch<'a> {
    /// The name that is compared: the last word before the comparison, `command` of `args.command`.
    pub(super) subject: &'a str,
    /// The values that lead to it.
    pub(super) values: Vec<&'a str>,
    /// Its positions.
    pub(super) body: Range<usize>,
    /// The position of the bracket or word that begins the statement with the branch.
    pub(super) opener: usize,
}

/// Returns the branches of a file, in its order.
pub(super) fn branches<'a>(reader: &Reader<'_, 'a>) -> Vec<Branch<'a>> {
    let mut res = Vec::new();
    for at in 0..reader.tokens.len() {
        match (reader.tokens[at], reader.language) {
            (Token::Word("switch"), Language::JavaScript) => {
                res.extend(of_switch(reader.tokens, at));
            }
            (Token::Word("if"), Language::JavaScript) => res.extend(of_if(reader.tokens, at)),
            (Token::Word("if" | "elif"), Language::Python) => res.extend(of_python(reader, at)),
            _ => {}
        }
    }
    res
}

fn of_switch<'a>(tokens: &[Token<'a>], at: usize) -> Vec<Branch<'a>> {
    let Some(end) = closing(tokens, at + 1) else {
        return Vec::new();
    };
    let subject = tokens[at + 1..end]
        .iter()
        .rev()
        .find_map(|token| match token {
            Token::Word(word) if !is_case_change(word) => Some(*word),
            Token::Text(text) => Some(*text),
            _ => None,
        });
    let (Some(subject), Some(close)) = (subject, closing(tokens, end + 1)) else {
        return Vec::new();
    };
    let mut res: Vec<Branch<'a>> = Vec::new();
    let mut values = Vec::new();
    let mut depth = 0_usize;
    for position in end + 2..close {
        match tokens[position] {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth = depth.saturating_sub(1),
            Token::Word("case") if depth == 0 => {
                if let Some(Token::Text(value)) = tokens.get(position + 1) {
                    values.push(*value);
                }
                let is_next = matches!(
                    tokens.get(position + 3),
                    Some(Token::Word("case" | "default"))
                );
                if !is_next {
                    push(
                        &mut res,
                        subject,
                        std::mem::take(&mut values),
                        position + 2..close,
                        end + 1,
                    );
                }
            }
            Token::Word("default") if depth == 0 => {
                push(
                    &mut res,
                    subject,
                    std::mem::take(&mut values),
                    position..close,
                    end + 1,
                );
            }
            _ => {}
        }
    }
    res
}

/// Adds a branch, with which the one before ends.
fn push<'a>(
    res: &mut Vec<Branch<'a>>,
    subject: &'a str,
    values: Vec<&'a str>,
    body: Range<usize>,
    opener: usize,
) {
    if let Some(last) = res.last_mut() {
        last.body.end = last.body.end.min(body.start);
    }
    res.push(Branch {
        subject,
        values,
        body,
        opener,
    });
}

fn of_if<'a>(tokens: &[Token<'a>], at: usize) -> Option<Branch<'a>> {
    let end = closing(tokens, at + 1)?;
    let (subject, values) = compared(&tokens[at + 2..end])?;
    let opener = end + 1;
    let body = match tokens.get(opener)? {
        Token::Sign('{') => opener..closing(tokens, opener)?,
        _ => {
            let length = tokens[opener..]
                .iter()
                .position(|it| *it == Token::Sign(';'));
            opener..opener + length.unwrap_or(0)
        }
    };
    Some(Branch {
        subject,
        values,
        body,
        opener,
    })
}

fn of_python<'a>(reader: &Reader<'_, 'a>, at: usize) -> Option<Branch<'a>> {
    const WINDOW: usize = 60;
    let column = reader.columns[at]?;
    let rest = &reader.tokens[at + 1..reader.tokens.len().min(at + WINDOW)];
    let colon = rest.iter().position(|it| *it == Token::Sign(':'))?;
    let (subject, values) = compared(&rest[..colon])?;
    let start = at + 2 + colon;
    let is_after = |position: &usize| reader.columns[*position].is_some_and(|it| it <= column);
    let end = (start..reader.tokens.len()).find(is_after);
    Some(Branch {
        subject,
        values,
        body: start..end.unwrap_or(reader.tokens.len()),
        opener: at,
    })
}

/// Reads `command === 'a' || command === 'b'`, `action in ("a", "b")`.
fn compared<'a>(tokens: &[Token<'a>]) -> Option<(&'a str, Vec<&'a str>)> {
    if let [
        Token::Word(subject),
        Token::Word("in"),
        Token::Sign('(' | '[' | '{'),
        values @ ..,
        Token::Sign(_),
    ] = tokens
    {
        let texts = values.iter().filter_map(|token| match token {
            Token::Text(text) => Some(*text),
            _ => None,
        });
        return Some((subject, texts.collect()));
    }
    let mut subject = None;
    let mut values = Vec::new();
    let is_between = |token: &Token<'_>| matches!(token, Token::Sign('|') | Token::Word("or"));
    for clause in tokens.split(is_between).filter(|clause| !clause.is_empty()) {
        let (left, value) = match clause {
            [
                left @ ..,
                Token::Sign('='),
                Token::Sign('='),
                Token::Sign('='),
                Token::Text(value),
            ]
            | [
                left @ ..,
                Token::Sign('='),
                Token::Sign('='),
                Token::Text(value),
            ] => (left, *value),
            _ => return None,
        };
        let name = left.iter().rev().find_map(|token| match token {
            Token::Word(word) if !is_case_change(word) => Some(*word),
            _ => None,
        })?;
        if left.contains(&Token::Word("typeof")) || subject.is_some_and(|known| known != name) {
            return None;
        }
        subject = Some(name);
        values.push(value);
    }
    Some((subject?, values))
}

fn is_case_change(word: &str) -> bool {
    is_trimming(word) || word == "String"
}

/// The commands by which each position is reached.
pub(super) struct Scopes<'t, 'r, 'a> {
    readers: &'r [Reader<'t, 'a>],
    /// The branches of each file with their commands.
    branches: Vec<Vec<(Branch<'a>, BTreeSet<usize>)>>,
    /// The state of each function: file and number.
    functions: BTreeMap<(usize, usize), Scope>,
}

/// The conditions under which a position is reached.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Scope {
    /// The commands; `None` for all.
    pub(super) commands: Option<BTreeSet<usize>>,
    /// True if that depends on something else than the command.
    pub(super) is_conditional: bool,
}

/// The surroundings of a position.
struct Place {
    function: Option<(usize, usize)>,
    /// The commands of the branches around it in its function.
    commands: Option<BTreeSet<usize>>,
    is_conditional: bool,
}

impl<'t, 'r, 'a> Scopes<'t, 'r, 'a> {
    /// Finds what the commands with these values run; each has all values by which it may be called.
    pub(super) fn new(readers: &'r [Reader<'t, 'a>], values: &[Vec<String>]) -> Self {
        let commands_of = |branch: &Branch<'_>| -> BTreeSet<usize> {
            let is_it = |own: &Vec<String>| {
                branch
                    .values
                    .iter()
                    .any(|value| own.iter().any(|it| it == value))
            };
            (0..values.len()).filter(|at| is_it(&values[*at])).collect()
        };
        let branches = readers.iter().map(|reader| {
            let found = branches(reader).into_iter();
            let found = found.map(|branch| {
                let commands = commands_of(&branch);
                (branch, commands)
            });
            let found: Vec<(Branch<'_>, BTreeSet<usize>)> = found.collect();
            // The branch without a value belongs to no command.
            let openers: BTreeSet<usize> = found
                .iter()
                .filter(|(_, commands)| !commands.is_empty())
                .map(|(branch, _)| branch.opener)
                .collect();
            let is_of =
                |branch: &Branch<'_>| branch.values.is_empty() && openers.contains(&branch.opener);
            let mut found = found;
            found.retain(|(branch, commands)| !commands.is_empty() || is_of(branch));
            found
        });
        let mut res = Self {
            readers,
            branches: branches.collect(),
            functions: BTreeMap::new(),
        };
        res.follow();
        res
    }

    /// Returns the commands that have a branch.
    pub(super) fn known(&self) -> BTreeSet<usize> {
        let all = self.branches.iter().flatten();
        all.flat_map(|(_, commands)| commands.iter().copied())
            .collect()
    }

    /// Finds the state of each function from the places that call it.
    fn follow(&mut self) {
        const ROUNDS: usize = 12;
        let calls = self.calls().into_iter().map(|(key, places)| {
            let places = places.into_iter().map(|(file, at)| self.place(file, at));
            (key, places.collect::<Vec<_>>())
        });
        let calls: BTreeMap<_, _> = calls.collect();
        let mut state: BTreeMap<(usize, usize), Scope> = BTreeMap::new();
        for key in calls.keys() {
            state.insert(
                *key,
                Scope {
                    commands: Some(BTreeSet::new()),
                    is_conditional: true,
                },
            );
        }
        for _ in 0..ROUNDS {
            self.functions.clone_from(&state);
            for (key, places) in &calls {
                let mut scope = Scope {
                    commands: Some(BTreeSet::new()),
                    is_conditional: true,
                };
                let scopes: Vec<Scope> = places.iter().map(|place| self.scope(place)).collect();
                // Where a condition decides, something else than the command is known to.
                let is_always = scopes.iter().any(|scope| !scope.is_conditional);
                for of_place in scopes {
                    if is_always && of_place.is_conditional {
                        continue;
                    }
                    match (&mut scope.commands, of_place.commands) {
                        (Some(known), Some(more)) => known.extend(more),
                        (commands, _) => *commands = None,
                    }
                    scope.is_conditional &= of_place.is_conditional;
                }
                state.insert(*key, scope);
            }
            if self.functions == state {
                break;
            }
        }
    }

    /// Returns the functions with the places that call them.
    fn calls(&self) -> BTreeMap<(usize, usize), Vec<(usize, usize)>> {
        let mut by_name: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        for (file, reader) in self.readers.iter().enumerate() {
            for (number, function) in reader.functions.iter().enumerate() {
                if !function.name.is_empty() {
                    by_name
                        .entry(function.name)
                        .or_default()
                        .push((file, number));
                }
            }
        }
        let mut res: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
        // A list of functions, such as that of exports, counts where nothing calls them.
        let mut named = res.clone();
        for (file, reader) in self.readers.iter().enumerate() {
            for at in 0..reader.tokens.len() {
                let Token::Word(name) = reader.tokens[at] else {
                    continue;
                };
                let Some(found) = by_name.get(name) else {
                    continue;
                };
                let is_head = |(other, number): &&(usize, usize)| {
                    *other == file && reader.functions[*number].head == at
                };
                if found.iter().any(|it| is_head(&it)) {
                    continue;
                }
                let own: Vec<_> = found.iter().filter(|(other, _)| *other == file).collect();
                let targets = if own.is_empty() {
                    found.iter().collect()
                } else {
                    own
                };
                let is_call = reader.tokens.get(at + 1) == Some(&Token::Sign('('));
                let list = if is_call { &mut res } else { &mut named };
                for target in targets {
                    list.entry(*target).or_default().push((file, at));
                }
            }
        }
        named.extend(res);
        named
    }

    /// Returns how a position is reached.
    pub(super) fn at(&self, file: usize, at: usize) -> Scope {
        self.scope(&self.place(file, at))
    }

    fn place(&self, file: usize, at: usize) -> Place {
        let reader = &self.readers[file];
        let around = reader.functions.iter().enumerate().skip(1);
        let around = around.filter(|(_, it)| it.body.contains(&at) && !it.name.is_empty());
        let innermost = around.min_by_key(|(_, it)| it.body.len());
        let start = innermost.map_or(0, |(_, function)| function.body.start);
        let own = self.branches[file].iter();
        let own = own.filter(|(branch, _)| branch.body.contains(&at) && branch.body.start > start);
        let mut commands: Option<BTreeSet<usize>> = None;
        for (_, more) in own {
            commands = Some(both(commands, more));
        }
        Place {
            function: innermost.map(|(number, _)| (file, number)),
            commands,
            is_conditional: match reader.language {
                Language::JavaScript => self.is_nested(file, start, at),
                Language::Python => self.is_indented(file, start, at),
            },
        }
    }

    fn scope(&self, place: &Place) -> Scope {
        let outer = place
            .function
            .and_then(|function| self.functions.get(&function));
        let mut res = outer.cloned().unwrap_or_default();
        if let Some(own) = &place.commands {
            res.commands = Some(both(res.commands, own));
        }
        res.is_conditional |= place.is_conditional;
        res
    }

    fn is_dispatch(&self, file: usize, opener: usize) -> bool {
        self.branches[file]
            .iter()
            .any(|(branch, _)| branch.opener == opener)
    }

    /// Returns true if a block of `if`, `else`, `case` or `catch` is around a position.
    fn is_nested(&self, file: usize, start: usize, at: usize) -> bool {
        let tokens = self.readers[file].tokens;
        let mut depth = 0_usize;
        for open in (start + 1..at).rev() {
            match tokens[open] {
                Token::Sign('}') => depth += 1,
                Token::Sign('{') if depth > 0 => depth -= 1,
                Token::Sign('{') => {
                    if self.is_dispatch(file, open) {
                        continue;
                    }
                    let is_else = matches!(tokens[..open], [.., Token::Word("else")]);
                    let before = opening(tokens, open.saturating_sub(1));
                    let word = before
                        .and_then(|before| before.checked_sub(1))
                        .map(|it| tokens[it]);
                    let is_condition = matches!(
                        word,
                        Some(Token::Word("if" | "while" | "catch" | "switch" | "for"))
                    );
                    // `if (require.main === module)`
                    let is_program = before.is_some_and(|before| {
                        tokens[before..open].contains(&Token::Word("require"))
                    });
                    if is_else || is_condition && !is_program {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn is_indented(&self, file: usize, start: usize, at: usize) -> bool {
        let reader = &self.readers[file];
        let mut column = usize::MAX;
        for position in (start..=at).rev() {
            let Some(found) = reader.columns[position].filter(|found| *found < column) else {
                continue;
            };
            if column != usize::MAX {
                let is_condition = matches!(
                    reader.tokens[position],
                    Token::Word("if" | "elif" | "else" | "for" | "while" | "except")
                );
                let is_program = reader.tokens.get(position + 1) == Some(&Token::Word("__name__"));
                if is_condition && !is_program && !self.is_dispatch(file, position) {
                    return true;
                }
            }
            column = found;
        }
        false
    }
}

/// Returns the commands of an outer and an inner branch.
fn both(outer: Option<BTreeSet<usize>>, inner: &BTreeSet<usize>) -> BTreeSet<usize> {
    match outer {
        Some(outer) if !outer.is_disjoint(inner) => &outer & inner,
        _ => inner.clone(),
    }
}

/// Returns the position of the bracket that opens the one that closes at a position.
fn opening(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    if tokens.get(at) != Some(&Token::Sign(')')) {
        return None;
    }
    let mut depth = 0_usize;
    (0..=at).rev().find(|position| {
        match tokens[*position] {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}
