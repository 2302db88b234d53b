//! The replacement of an argument that is missing, or the error without it.
//!
//! Only literals count (`args.size || '1024x1024'`, `{ n = 3 } = args`, `args.get("n", 3)`), so that a fact
//! is certain; most arguments have none.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::analysis::Analysis;
use super::argument_checks::Check;
use super::arguments::Reader;
use super::closed::escapes;
use super::exits::Exit;
use super::modes::{Mode, modes, reaches};
use super::nested::{Member as NestedMember, Nested};
use super::numbered::{Family, families, filled};
use super::overridden::{given, overridden};
use super::said::{one_of_said, said};
use super::said_needs::said_needs;
use super::scopes::{Scope, Scopes};
use super::shape::Shape;
use super::spelling::spelling;
use super::values::Member;

/// The facts on one argument.
#[derive(Clone, PartialEq, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each fact is independent of the others"
)]
pub(crate) struct ArgumentFacts {
    /// The values that replace it, as written at different places.
    pub(crate) defaults: Vec<Value>,
    /// The value that it gets where it is missing, before anything else: `args.size = args.size || '1x1'`.
    pub(crate) settled: Option<Value>,
    /// True if that happens in the object of the arguments itself, for all commands.
    pub(crate) is_normalised: bool,
    /// True if the program ends with an error without it.
    pub(crate) is_checked: bool,
    /// The type of JavaScript without which it is refused: `number`, `boolean`.
    pub(crate) strict: Option<&'static str>,
    /// The value of a switch without it, and whether every comparison wants a JSON boolean.
    pub(crate) flag: Option<(bool, bool)>,
    /// True if the program only gives it back in its answer.
    pub(crate) is_echoed: bool,
    /// True if the program uses it in another way.
    is_used: bool,
    /// True if the program makes text of it at some place.
    pub(crate) is_text: bool,
    /// True if the program handles it as text without a look at its type at some place.
    is_only_text: bool,
    /// True if the program handles it in another type at some place.
    has_other_type: bool,
    /// True if the program tests whether it is true.
    is_tested: bool,
    /// True if the program makes a value where it is missing.
    pub(crate) is_made: bool,
    /// The form that the program expects.
    pub(crate) shape: Shape,
    /// The least and the greatest value.
    pub(crate) bounds: (Option<Value>, Option<Value>),
    /// The only values.
    pub(crate) choices: Vec<String>,
    /// The argument with or without which it counts.
    pub(crate) mode: Option<Mode>,
    /// The least and the greatest number of its items.
    pub(crate) lengths: (Option<u64>, Option<u64>),
    /// The texts with which it is compared.
    pub(crate) compared: BTreeSet<String>,
    /// The literal in place of it where a setting has no value either: `args.n || config.n || 5`.
    pub(crate) configured: Option<Value>,
    /// The type of the number that the program makes of it.
    pub(crate) number: Option<&'static str>,
    /// The arguments with which it is not needed: the function ends before it is looked at.
    pub(crate) unless: BTreeSet<String>,
}

impl ArgumentFacts {
    /// Returns true for a value that the program takes as text only.
    pub(crate) fn takes_text(&self) -> bool {
        let is_parsed = matches!(self.shape, Shape::JsonText | Shape::JsonOrText);
        self.is_only_text && !self.has_other_type && !self.is_text && !is_parsed
    }

    /// Returns true for a number whose value without one, if there is one, is a number as well.
    pub(crate) fn is_number(&self, default: Option<&Value>) -> bool {
        let fits = |value: &Value| {
            value.is_number() || value.as_str().is_some_and(|it| it.parse::<f64>().is_ok())
        };
        self.number.is_some()
            && !self.is_only_text
            && self.flag.is_none()
            && default.is_none_or(fits)
            && self.defaults.iter().all(fits)
    }

    /// Returns true for a switch that any text turns on: the program only tests whether it is true.
    pub(crate) fn takes_boolean(&self) -> bool {
        let has_text = self.is_only_text || self.is_text || self.has_other_type;
        self.is_tested && !has_text && self.flag.is_none_or(|(_, is_strict)| is_strict)
    }
}

/// The facts on the arguments of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Those on each argument.
    pub(crate) arguments: BTreeMap<String, ArgumentFacts>,
    /// Groups of arguments that are read for one value.
    pub(crate) aliases: Vec<Vec<String>>,
    /// Groups of arguments of which one is needed.
    pub(crate) one_of: Vec<Vec<String>>,
    /// Groups of arguments of which an error wants one.
    pub(crate) one_of_said: Vec<Vec<String>>,
    /// Groups of arguments of which one is needed under some condition.
    pub(crate) one_of_some: Vec<Vec<String>>,
    /// The error that says with which others an argument goes.
    pub(crate) said: BTreeMap<String, String>,
    /// The arguments that have a value of their own: `limit: args.limit`.
    pub(crate) alone: BTreeSet<String>,
    /// The arguments that the part of the code reads which only some commands run.
    pub(crate) own: BTreeSet<String>,
    /// The members of arguments that are objects, with the literals in place of missing ones.
    pub(crate) members: BTreeMap<String, BTreeMap<String, Option<Value>>>,
    /// The arguments that are objects or lists, with what the code says of their members.
    pub(crate) nested: BTreeMap<String, NestedMember>,
    /// The families of arguments with numbers.
    pub(crate) families: Vec<Family>,
    /// True if the code gives the arguments as a whole to code that is not known.
    pub(crate) is_passed_on: bool,
    /// True if the code shows which part of it the command runs.
    pub(crate) is_scoped: bool,
}

/// Returns the facts on the arguments that the reached files read, for each command, which has all values
/// that select it.
pub(crate) fn argument_facts(code: &Analysis<'_, '_>, commands: &[Vec<String>]) -> Vec<Facts> {
    in_scopes(code, &Scopes::new(&code.readers, commands), commands)
}

/// Returns the same facts with the members of arguments that are objects or lists.
pub(crate) fn nested_facts(code: &Analysis<'_, '_>, commands: &[Vec<String>]) -> Vec<Facts> {
    let scopes = Scopes::new(&code.readers, commands);
    let mut res = in_scopes(code, &scopes, commands);
    let nested = Nested::new(&code.readers);
    for (command, facts) in res.iter_mut().enumerate() {
        facts.nested = nested.of(&scopes, command);
    }
    res
}

fn in_scopes(
    code: &Analysis<'_, '_>,
    scopes: &Scopes<'_, '_, '_>,
    commands: &[Vec<String>],
) -> Vec<Facts> {
    let known = scopes.known();
    let mut found = Found {
        commands: vec![Facts::default(); commands.len()],
    };
    for (at, facts) in found.commands.iter_mut().enumerate() {
        facts.is_scoped = commands.len() == 1 || known.contains(&at);
    }
    for (file, reader) in code.readers.iter().enumerate() {
        found.read(reader, |at| scopes.at(file, at));
    }
    for (file, reader) in code.readers.iter().enumerate() {
        found.read_numbered(reader, |at| scopes.at(file, at));
        for at in escapes(&code.readers, file) {
            for facts in found.of(&scopes.at(file, at)) {
                facts.is_passed_on = true;
            }
        }
    }
    for it in overridden(&code.readers, scopes, commands.len()) {
        let outside = |file: usize, at: usize| {
            !(file == it.file && it.body.contains(&at)) && reaches(&scopes.at(file, at), it.command)
        };
        let facts = &mut found.commands[it.command];
        let names = given(&code.readers, &facts.aliases, &it.keys, &outside);
        facts.drop(&names);
    }
    for facts in &mut found.commands {
        facts.drop_replacements();
    }
    for (file, reader) in code.readers.iter().enumerate() {
        for (command, facts) in found.commands.iter_mut().enumerate() {
            facts
                .said
                .extend(said(reader, &|at| reaches(&scopes.at(file, at), command)));
        }
    }
    if let [reader] = &code.readers[..] {
        for (command, facts) in found.commands.iter_mut().enumerate() {
            let modes = modes(reader, &|at| reaches(&scopes.at(0, at), command));
            for (name, mode) in modes {
                facts.arguments.entry(name).or_default().mode = Some(mode);
            }
        }
    }
    found.commands
}

impl Facts {
    /// Drops arguments with the groups that they are in.
    fn drop(&mut self, names: &BTreeSet<String>) {
        self.arguments.retain(|name, _| !names.contains(name));
        self.own.retain(|name| !names.contains(name));
        let is_left = |group: &Vec<String>| !group.iter().any(|it| names.contains(it));
        for groups in [&mut self.aliases, &mut self.one_of, &mut self.one_of_some] {
            groups.retain(is_left);
        }
    }

    /// Takes arguments from the groups that are read for one value if they have one of their own and a name
    /// of other words: they only replace it, `rows: args.maxRows || args.limit`.
    fn drop_replacements(&mut self) {
        let alone = &self.alone;
        for group in &mut self.aliases {
            let first = group.first().map(|it| spelling(it)).unwrap_or_default();
            group.retain(|name| {
                let name_spelling = spelling(name);
                let is_like = first.contains(&name_spelling) || name_spelling.contains(&first);
                is_like || !alone.contains(name)
            });
        }
        self.aliases.retain(|group| group.len() > 1);
    }
}

/// The facts so far.
struct Found {
    commands: Vec<Facts>,
}

/// Maximum number of groups of arguments of a command; code with more is not written by hand.
const MAX_GROUPS: usize = 200;

impl Found {
    fn read(&mut self, reader: &Reader<'_, '_>, scope: impl Fn(usize) -> Scope) {
        for (function, name, tokens) in &reader.defaults {
            let scope = scope(reader.functions[*function].body.start + 1);
            self.each(&scope, name, |facts| {
                let value = reader.constant(tokens);
                facts.settled.clone_from(&value);
                add(facts, value);
            });
        }
        for (at, names) in reader.helper_groups() {
            self.group(&scope(at), &names, |facts| &mut facts.aliases);
        }
        let mut exits = reader.exits();
        exits.retain(|it| !scope(it.at).is_conditional);
        for (at, names) in one_of_said(reader) {
            let scope = scope(at);
            if !scope.is_conditional {
                self.group(&scope, &names, |facts| &mut facts.one_of_said);
            }
        }
        for at in 0..reader.tokens.len() {
            for name in reader.in_template(at) {
                let scope = scope(at);
                self.each(&scope, name, |facts| facts.is_used = true);
                self.own(&scope, name, None);
            }
            let Some((names, end)) = reader.whole(at) else {
                continue;
            };
            let scope = scope(at);
            let member = reader.member(at);
            let is_echo = reader.is_echo(at, end);
            for name in &names {
                self.each(&scope, name, |facts| {
                    facts.is_echoed = is_echo && (facts.is_echoed || !facts.is_used);
                    facts.is_used |= !is_echo;
                });
            }
            self.own(&scope, names[0], member.as_ref());
            let Some(chain) = reader.chain(at).filter(|_| member.is_none()) else {
                continue;
            };
            self.group(&scope, &chain.names, |facts| &mut facts.aliases);
            if chain.names.len() == 1 && reader.is_assigned_to(names[0], at).is_some() {
                for facts in self.of(&scope) {
                    facts.alone.insert(names[0].to_owned());
                }
            }
            if let Some(value) = &chain.configured {
                for name in &names {
                    self.each(&scope, name, |facts| facts.configured = Some(value.clone()));
                }
            }
            let own = reader.is_assigned_to(names[0], at);
            let is_of_other = reader.is_of_other(&chain.names, at);
            for name in &names {
                self.each(&scope, name, |facts| {
                    if let Some(is_own) = own.filter(|_| chain.default.is_some()) {
                        facts.settled.clone_from(&chain.default);
                        facts.is_normalised |= is_own;
                    }
                    if !is_of_other {
                        add(facts, chain.default.clone());
                    }
                });
            }
            if names.len() == 1
                && let Some(members) = reader.taken_apart(at, end)
            {
                for facts in self.of(&scope) {
                    let known = facts.members.entry(names[0].to_owned()).or_default();
                    for (member, default) in &members {
                        let default = default.clone();
                        known.entry((*member).to_owned()).or_insert(default);
                    }
                }
                self.check(&scope, &names, &Check::Object);
            }
            for check in reader.checks(at, end) {
                self.check(&scope, &names, &check);
                if check == Check::Needed {
                    self.spare(&scope, &names, at, &exits);
                }
            }
            if reader.is_looked_up(at, end) {
                self.check(&scope, &names, &Check::Needed);
            }
            if let Some(names) = reader.needed_of(at) {
                self.group(&scope, &names, groups_of(&scope));
            }
        }
    }

    /// Notes the arguments with which a function ends before it asks for others at a position.
    fn spare(&mut self, scope: &Scope, names: &[&str], at: usize, exits: &[Exit<'_>]) {
        for exit in exits.iter().filter(|it| it.rest.contains(&at)) {
            for name in names.iter().filter(|name| **name != exit.name) {
                self.each(scope, name, |facts| {
                    facts.unless.insert(exit.name.to_owned());
                });
            }
        }
    }

    fn read_numbered(&mut self, reader: &Reader<'_, '_>, scope: impl Fn(usize) -> Scope) {
        let all = families(reader);
        for (at, names) in filled(reader, &all) {
            let scope = scope(at);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.group(&scope, &names, groups_of(&scope));
        }
        for family in all {
            for facts in self.of(&scope(family.at)) {
                facts.families.push(family.clone());
            }
        }
        for (at, groups) in said_needs(reader) {
            let scope = scope(at);
            for group in groups {
                match group[..] {
                    [name] => self.check(&scope, &[name], &Check::Needed),
                    _ => {
                        let scope = scope.certain(self.commands.len());
                        self.group(&scope, &group, groups_of(&scope));
                    }
                }
            }
        }
        let starts = reader.index.of("if").iter();
        for &at in starts {
            let scope = scope(at);
            if let Some(names) = reader.one_of_chain(at) {
                self.group(&scope, &names, groups_of(&scope));
            }
        }
    }

    /// Notes that only some commands read an argument, and which member of it.
    fn own(&mut self, scope: &Scope, name: &str, member: Option<&Member<'_>>) {
        for facts in self.of(scope).filter(|_| scope.commands.is_some()) {
            facts.own.insert(name.to_owned());
            if let Some((argument, member, default)) = member {
                let all = facts.members.entry((*argument).to_owned()).or_default();
                let known = all.entry((*member).to_owned()).or_default();
                *known = known.take().or_else(|| default.clone());
            }
        }
    }

    fn check(&mut self, scope: &Scope, names: &[&str], check: &Check) {
        if *check == Check::Needed && names.len() > 1 {
            if !scope.is_conditional {
                self.group(&scope.certain(self.commands.len()), names, |facts| {
                    &mut facts.one_of
                });
            }
            return;
        }
        let scope = &match check {
            Check::Needed => scope.certain(self.commands.len()),
            _ => scope.clone(),
        };
        for name in names {
            self.each(scope, name, |facts| match check {
                Check::Needed => facts.is_checked |= !scope.is_conditional,
                Check::Strict(kind) => facts.strict = Some(kind),
                Check::Flag(value, is_strict) => {
                    let is_strict = *is_strict && facts.flag.is_none_or(|(_, strict)| strict);
                    facts.flag = Some((*value, is_strict));
                }
                Check::Text => facts.is_text = true,
                Check::OnlyText => facts.is_only_text = true,
                Check::Tested => facts.is_tested = true,
                Check::OtherType => facts.has_other_type = true,
                Check::Object if facts.shape == Shape::Any => facts.shape = Shape::Object,
                Check::Object => {}
                Check::JsonText => facts.shape = Shape::JsonText,
                Check::JsonOrText if facts.shape == Shape::Any => facts.shape = Shape::JsonOrText,
                Check::JsonOrText => {}
                Check::Lengths(least, most) => {
                    facts.lengths.0 = facts.lengths.0.or(*least);
                    facts.lengths.1 = facts.lengths.1.or(*most);
                }
                Check::Compared(text) => {
                    facts.compared.insert(text.clone());
                }
                Check::Made => facts.is_made |= !scope.is_conditional,
                Check::AtLeast(value) => facts.bounds.0 = Some(value.clone()),
                Check::AtMost(value) => facts.bounds.1 = Some(value.clone()),
                Check::Choices(values) => facts.choices.clone_from(values),
                Check::Number(kind) => {
                    let is_other = facts.number.is_some_and(|it| it != *kind);
                    facts.number = Some(if is_other { "number" } else { kind });
                }
                Check::Default(value) => {
                    facts.settled.get_or_insert_with(|| value.clone());
                    add(facts, Some(value.clone()));
                }
            });
        }
    }

    fn of(&mut self, scope: &Scope) -> impl Iterator<Item = &mut Facts> {
        let commands = scope.commands.clone();
        let is_of = move |at: usize| commands.as_ref().is_none_or(|it| it.contains(&at));
        let all = self.commands.iter_mut().enumerate();
        all.filter(move |(at, _)| is_of(*at))
            .map(|(_, facts)| facts)
    }

    fn each(&mut self, scope: &Scope, name: &str, mut change: impl FnMut(&mut ArgumentFacts)) {
        for facts in self.of(scope) {
            change(facts.arguments.entry(name.to_owned()).or_default());
        }
    }

    fn group(
        &mut self,
        scope: &Scope,
        names: &[&str],
        list: fn(&mut Facts) -> &mut Vec<Vec<String>>,
    ) {
        let mut group: Vec<String> = Vec::new();
        for name in names {
            if !group.iter().any(|it| it == name) {
                group.push((*name).to_owned());
            }
        }
        if group.len() < 2 {
            return;
        }
        for facts in self.of(scope) {
            let list = list(facts);
            if list.len() < MAX_GROUPS && !list.contains(&group) {
                list.push(group.clone());
            }
        }
    }
}

/// Returns the list of the groups of arguments that are needed, in every call or under some condition.
fn groups_of(scope: &Scope) -> fn(&mut Facts) -> &mut Vec<Vec<String>> {
    if scope.is_conditional {
        |facts| &mut facts.one_of_some
    } else {
        |facts| &mut facts.one_of
    }
}

fn add(facts: &mut ArgumentFacts, value: Option<Value>) {
    if let Some(value) = value.filter(|value| !facts.defaults.contains(value)) {
        facts.defaults.push(value);
    }
}
