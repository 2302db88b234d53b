//! The members of arguments that are objects or lists: `args.pot.lid.kind`, followed from function to function.
//!
//! Each name that holds an argument, or a part of one, is a node. What its function reads of it, and to which
//! other names it passes parts of it, is found once; the members that a command takes are then put together.

mod facts;
mod members;
mod place;
mod reads;
#[cfg(test)]
mod tests;
mod uses;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use members::{Member, Need};

use super::arguments::Reader;
use super::functions::Keys;
use super::scopes::Scopes;
use uses::{Event, Node, Use};

/// Maximum number of functions through which a value is followed.
const MAX_DEPTH: usize = 6;
/// Maximum number of nodes of a program.
const MAX_NODES: usize = 2000;
/// Maximum number of uses that are followed for a command. Functions that hand a value to one another have
/// more ways through them than anybody could wait for; a real command has a few hundred uses.
const MAX_USES: usize = 20_000;

/// The uses of all nodes that arguments reach.
pub(super) struct Nested<'t, 'r, 'a> {
    readers: &'r [Reader<'t, 'a>],
    uses: BTreeMap<Node<'a>, Vec<Use<'a>>>,
    /// The names of the arguments themselves.
    roots: Vec<Node<'a>>,
}

impl<'t, 'r, 'a> Nested<'t, 'r, 'a> {
    /// Reads the uses of the arguments in all files.
    pub(super) fn new(readers: &'r [Reader<'t, 'a>]) -> Self {
        let mut roots = Vec::new();
        for (file, reader) in readers.iter().enumerate() {
            roots.extend(
                reader
                    .objects()
                    .iter()
                    .map(|(function, name)| (file, *function, *name)),
            );
        }
        let mut res = Self {
            readers,
            uses: BTreeMap::new(),
            roots: roots.clone(),
        };
        let mut open = roots;
        while let Some(node) = open.pop() {
            if res.uses.contains_key(&node) || res.uses.len() > MAX_NODES {
                continue;
            }
            let is_root = res.roots.contains(&node);
            let uses = reads::uses(readers, node, is_root);
            for it in &uses {
                match &it.event {
                    Event::Pass(next) | Event::Copy(next, ..) | Event::Made(next) => {
                        open.push(*next);
                    }
                    Event::Take((file, function), keys) => {
                        let locals = keys.locals.iter();
                        open.extend(locals.map(|(_, local)| (*file, *function, *local)));
                    }
                    Event::Read(_) => {}
                }
            }
            res.uses.insert(node, uses);
        }
        res
    }

    /// Returns the arguments that a command takes, with their members.
    pub(super) fn of(
        &self,
        scopes: &Scopes<'_, '_, '_>,
        command: usize,
    ) -> BTreeMap<String, Member> {
        let mut all = Member::default();
        let walk = Walk {
            scopes,
            command,
            left: Cell::new(MAX_USES),
        };
        for root in &self.roots {
            self.add(&mut all, *root, &walk, &mut BTreeSet::new());
        }
        all.members.into_iter().collect()
    }

    fn add(
        &self,
        target: &mut Member,
        node: Node<'a>,
        walk: &Walk<'_>,
        seen: &mut BTreeSet<Node<'a>>,
    ) {
        if seen.len() >= MAX_DEPTH || !seen.insert(node) {
            return;
        }
        // What it reads itself comes before what others read of it, which may use up what is left.
        let (own, passed): (Vec<_>, Vec<_>) = self
            .uses
            .get(&node)
            .into_iter()
            .flatten()
            .partition(|it| matches!(it.event, Event::Read(_)));
        for it in own.into_iter().chain(passed) {
            let Some(left) = walk.left.get().checked_sub(1) else {
                break;
            };
            walk.left.set(left);
            let scope = walk.scopes.at(node.0, it.at);
            let is_of = scope.commands.as_ref();
            if is_of.is_some_and(|commands| !commands.contains(&walk.command)) {
                continue;
            }
            let mut found = Member::default();
            match &it.event {
                Event::Read(member) => {
                    let mut member = (**member).clone();
                    member.need = member.need.filter(|_| !scope.is_conditional);
                    target.reach(&it.path).merge(member);
                    continue;
                }
                Event::Pass(next) => self.add(&mut found, *next, walk, seen),
                Event::Copy(next, others, is_change) => {
                    self.add(&mut found, *next, walk, seen);
                    if *is_change {
                        found.be_change();
                    }
                    found
                        .members
                        .retain(|(name, _)| !others.contains(&name.as_str()));
                }
                Event::Made(next) => {
                    self.add(&mut found, *next, walk, seen);
                    if !scope.is_conditional {
                        found.lead(&it.path);
                        target.reach(&it.path).overlay(&found);
                    }
                    continue;
                }
                Event::Take((file, function), keys) => {
                    self.take(&mut found, (*file, *function), keys, walk, seen);
                }
            }
            found.lead(&it.path);
            target.reach(&it.path).merge(found);
        }
        seen.remove(&node);
    }

    /// Adds the members that a pattern takes.
    fn take(
        &self,
        target: &mut Member,
        (file, function): (usize, usize),
        keys: &Keys<'a>,
        walk: &Walk<'_>,
        seen: &mut BTreeSet<Node<'a>>,
    ) {
        for (key, local) in &keys.locals {
            let default = keys.defaults.iter().find(|(name, _)| name == key);
            let default = default.and_then(|(_, tokens)| self.readers[file].constant(tokens));
            let mut found = Member {
                default,
                ..Member::default()
            };
            self.add(&mut found, (file, function, local), walk, seen);
            found.lead(&[key]);
            target.reach(&[key]).merge(found);
        }
    }
}

/// The command of which members are asked.
struct Walk<'s> {
    scopes: &'s Scopes<'s, 's, 's>,
    command: usize,
    /// The number of uses that may still be followed.
    left: Cell<usize>,
}
