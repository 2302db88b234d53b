//! The part of a program that each command runs: its branches, with the functions that only they call.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Reader, is_of_other_object, owners};
use super::branches::{Branch, branches};
use super::facts::Language;
use super::lexer::Token;
use super::spelling::spelling;
use super::ternary::is_alternative;

/// The commands by which each position is reached.
pub(super) struct Scopes<'t, 'r, 'a> {
    readers: &'r [Reader<'t, 'a>],
    /// The branches of each file with their commands.
    branches: Vec<Vec<(Branch<'a>, BTreeSet<usize>)>>,
    /// The branches of each file that end their function.
    exits: Vec<Vec<Exit>>,
    /// The commands of each file that is loaded by the name of one; `None` for all.
    files: Vec<Option<BTreeSet<usize>>>,
    n_commands: usize,
    /// The state of each function: file and number.
    functions: BTreeMap<(usize, usize), Scope>,
}

/// The end of a branch that ends its function: its commands do not go on.
struct Exit {
    /// The beginning of the function.
    function: usize,
    end: usize,
    commands: BTreeSet<usize>,
}

/// The conditions under which a position is reached.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Scope {
    /// The commands; `None` for all.
    pub(super) commands: Option<BTreeSet<usize>>,
    /// True if that depends on something else than the command.
    pub(super) is_conditional: bool,
    /// The commands for which it depends on something else, although not for all.
    pub(super) sometimes: BTreeSet<usize>,
}

impl Scope {
    /// Returns true if a command comes here whatever else its call has.
    fn is_certain(&self, command: usize) -> bool {
        !self.is_conditional && !self.sometimes.contains(&command)
    }

    /// Returns the scope without the commands that come there only under some condition.
    pub(super) fn certain(&self, n_commands: usize) -> Self {
        let mut res = self.clone();
        if !self.sometimes.is_empty() {
            let all = self.commands.clone();
            let all = all.unwrap_or_else(|| (0..n_commands).collect());
            let certain = all.into_iter().filter(|it| self.is_certain(*it));
            res.commands = Some(certain.collect());
        }
        res
    }
}

/// The surroundings of a position.
struct Place {
    function: Option<(usize, usize)>,
    /// The commands of the branches around it in its function.
    commands: Option<BTreeSet<usize>>,
    /// The commands of the branches before it that end its function.
    gone: BTreeSet<usize>,
    is_conditional: bool,
    /// True for one of two calls between which a condition chooses.
    is_alternative: bool,
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
            let subjects: BTreeSet<&str> = found
                .iter()
                .filter(|(_, commands)| !commands.is_empty())
                .map(|(branch, _)| branch.subject)
                .collect();
            let is_of = |branch: &Branch<'_>| {
                if branch.values.is_empty() {
                    openers.contains(&branch.opener)
                } else {
                    is_other(branch, &subjects, values)
                }
            };
            let mut found = found;
            found.retain(|(branch, commands)| !commands.is_empty() || is_of(branch));
            found
        });
        let mut res = Self {
            readers,
            branches: branches.collect(),
            exits: Vec::new(),
            files: of_names(readers, values),
            n_commands: values.len(),
            functions: BTreeMap::new(),
        };
        res.exits = (0..readers.len()).map(|file| res.exits_of(file)).collect();
        res.follow();
        res
    }

    /// Returns the commands that have a branch.
    pub(super) fn known(&self) -> BTreeSet<usize> {
        let all = self.branches.iter().flatten();
        let mut res: BTreeSet<usize> = all
            .flat_map(|(_, commands)| commands.iter().copied())
            .collect();
        let exits = self.exits.iter().flatten();
        let gone: BTreeSet<usize> = exits.flat_map(|it| it.commands.iter().copied()).collect();
        res.extend(self.files.iter().flatten().flatten());
        // All others end before: the rest is the last one's.
        if !gone.is_empty() && gone.len() + 1 == self.n_commands {
            res.extend(0..self.n_commands);
        }
        res
    }

    /// Returns the branches of a file that end their function.
    fn exits_of(&self, file: usize) -> Vec<Exit> {
        let reader = &self.readers[file];
        let ends = self.branches[file].iter().filter(|(branch, commands)| {
            !commands.is_empty() && !branch.values.is_empty() && reader.ends_function(branch)
        });
        let exits = ends.filter_map(|(branch, commands)| {
            let function = self.start(file, branch.opener).1;
            let is_conditional = match reader.language {
                Language::JavaScript => self.is_nested(file, function, branch.opener),
                Language::Python => self.is_indented(file, function, branch.opener),
            };
            (!is_conditional).then(|| Exit {
                function,
                end: branch.body.end,
                commands: commands.clone(),
            })
        });
        exits.collect()
    }

    /// Returns the named function around a position, and its beginning.
    fn start(&self, file: usize, at: usize) -> (Option<usize>, usize) {
        let around = self.readers[file].functions.iter().enumerate().skip(1);
        let around = around.filter(|(_, it)| it.body.contains(&at) && !it.name.is_empty());
        let innermost = around.min_by_key(|(_, it)| it.body.len());
        let start = innermost.map_or(0, |(_, function)| function.body.start);
        (innermost.map(|(number, _)| number), start)
    }

    /// Finds the state of each function from the places that call it.
    fn follow(&mut self) {
        const ROUNDS: usize = 12;
        let calls = self.calls().into_iter().map(|(key, places)| {
            let places = places.into_iter().map(|(file, at)| {
                let mut place = self.place(file, at);
                place.is_alternative = is_alternative(self.readers[file].tokens, at);
                place.is_conditional |= place.is_alternative;
                place
            });
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
                    sometimes: BTreeSet::new(),
                },
            );
        }
        for _ in 0..ROUNDS {
            self.functions.clone_from(&state);
            for (key, places) in &calls {
                let mut scope = Scope {
                    commands: Some(BTreeSet::new()),
                    is_conditional: true,
                    sometimes: BTreeSet::new(),
                };
                // The commands that come here whatever else their calls have.
                let mut certain = BTreeSet::new();
                let scopes: Vec<Scope> = places.iter().map(|place| self.scope(place)).collect();
                // Where a condition decides, something else than the command is known to.
                let is_always = scopes.iter().any(|scope| !scope.is_conditional);
                for (place, of_place) in places.iter().zip(scopes) {
                    let own = of_place.commands.iter().flatten();
                    if is_always && of_place.is_conditional {
                        if place.is_alternative {
                            scope.sometimes.extend(own);
                        }
                        continue;
                    }
                    certain.extend(own.filter(|it| !of_place.sometimes.contains(it)));
                    scope.sometimes.extend(of_place.sometimes.iter());
                    match (&mut scope.commands, of_place.commands) {
                        (Some(known), Some(more)) => known.extend(more),
                        (commands, _) => *commands = None,
                    }
                    scope.is_conditional &= of_place.is_conditional;
                }
                scope.sometimes = &scope.sometimes - &certain;
                if let Some(known) = &mut scope.commands {
                    known.extend(&scope.sometimes);
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
                // The tool of another program has the same name.
                let is_other_tool = name == "processToolCall"
                    && matches!(
                        reader.tokens[..at],
                        [.., Token::Word(object), Token::Sign('.')] if object != "this"
                    );
                if is_other_tool || found.iter().any(|it| is_head(&it)) {
                    continue;
                }
                let (own, others): (Vec<_>, Vec<_>) =
                    found.iter().partition(|(other, _)| *other == file);
                let is_other = is_of_other_object(reader.tokens, at)
                    && owners(self.readers, file, name).len() == 1;
                let targets: Vec<&(usize, usize)> = if own.is_empty() || is_other {
                    others
                } else {
                    own
                };
                let is_call = reader.tokens.get(at + 1) == Some(&Token::Sign('('))
                    || is_given_items(reader.tokens, at);
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
        let (function, start) = self.start(file, at);
        let exits = self.exits[file].iter();
        let gone = exits.filter(|it| it.function == start && it.end <= at);
        let own = self.branches[file].iter();
        let own = own.filter(|(branch, _)| branch.body.contains(&at) && branch.body.start > start);
        let mut commands: Option<BTreeSet<usize>> = self.files[file].clone();
        for (_, more) in own {
            commands = Some(both(commands, more));
        }
        Place {
            function: function.map(|number| (file, number)),
            commands,
            gone: gone.flat_map(|it| it.commands.iter().copied()).collect(),
            is_conditional: match reader.language {
                Language::JavaScript => self.is_nested(file, start, at),
                Language::Python => self.is_indented(file, start, at),
            },
            is_alternative: false,
        }
    }

    fn scope(&self, place: &Place) -> Scope {
        let outer = place
            .function
            .and_then(|function| self.functions.get(&function));
        let mut res = outer.cloned().unwrap_or_default();
        // The name of the command chose the file.
        let is_chosen = place
            .function
            .is_some_and(|(file, _)| self.readers[file].is_chosen);
        res.is_conditional &= !is_chosen;
        if let Some(own) = &place.commands {
            res.commands = Some(both(res.commands, own));
        }
        if !place.gone.is_empty() {
            let all = res
                .commands
                .unwrap_or_else(|| (0..self.n_commands).collect());
            res.commands = Some(&all - &place.gone);
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
        let reader = &self.readers[file];
        let tokens = reader.tokens;
        let around = std::iter::successors(reader.index.around(at), |it| reader.index.around(*it));
        let around = around.take_while(|open| *open > start);
        for open in around.filter(|open| tokens[*open] == Token::Sign('{')) {
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
            let is_program =
                before.is_some_and(|before| tokens[before..open].contains(&Token::Word("require")));
            if is_else || is_condition && !is_program {
                return true;
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

/// Returns the commands whose values have the name of a file that is loaded by one: `engines/tea.js` for `tea_search`.
fn of_names(readers: &[Reader<'_, '_>], values: &[Vec<String>]) -> Vec<Option<BTreeSet<usize>>> {
    let stems = readers.iter().filter(|it| it.is_chosen);
    let stems: Vec<String> = stems.map(|it| spelling(it.stem())).collect();
    let of_value = |value: &String| {
        let value = spelling(value);
        let found = stems.iter().filter(|stem| value.contains(stem.as_str()));
        found.max_by_key(|stem| stem.len())
    };
    let commands = |stem: &str| -> BTreeSet<usize> {
        let is_it = |own: &Vec<String>| {
            own.iter()
                .any(|it| of_value(it).is_some_and(|it| it == stem))
        };
        (0..values.len()).filter(|at| is_it(&values[*at])).collect()
    };
    let all = readers
        .iter()
        .map(|it| it.is_chosen.then(|| commands(&spelling(it.stem()))));
    all.collect()
}

/// Returns the commands of an outer and an inner branch.
fn both(outer: Option<BTreeSet<usize>>, inner: &BTreeSet<usize>) -> BTreeSet<usize> {
    match outer {
        Some(outer) if !outer.is_disjoint(inner) => &outer & inner,
        _ => inner.clone(),
    }
}

/// Returns true for the branch of a command that is not offered, beside branches of those that are.
fn is_other(branch: &Branch<'_>, subjects: &BTreeSet<&str>, values: &[Vec<String>]) -> bool {
    let is_like = |value: &&str| -> bool {
        let mut all = values.iter().flatten();
        all.any(|own| spelling(own) == spelling(value))
    };
    matches!(branch.subject, "command" | "cmd" | "action" | "operation")
        && subjects.contains(branch.subject)
        && !branch.values.iter().any(is_like)
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

/// Returns true for a function that gets the items of a list: `teas.map(brew)`.
fn is_given_items(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(
        tokens[..at],
        [
            ..,
            Token::Sign('.'),
            Token::Word("map" | "forEach" | "filter" | "flatMap" | "some" | "every" | "find"),
            Token::Sign('(')
        ]
    )
}
