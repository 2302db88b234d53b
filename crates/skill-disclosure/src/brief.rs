//! The brief description: metadata, when to use it, the commands with their parameters, and the
//! index of the sections.
//!
//! Each entry of the text is whole or absent. Metadata comes first. Then, as the budget allows,
//! follow when to use the skill, the names of the commands, some of the sections, the parameters,
//! all sections, the rest of the description, and a sentence per command.

use std::fmt::Write as _;

use crate::description::{Budgets, Omissions};
use crate::metadata::{fitted_what, head};
use crate::sentence::{CUT_MARK, fit, join, sentences};
use crate::{CommandFacts, Facts};
use skill_tokens::TokenCounter;

/// The fraction of the budget (one third) for sentences on when to use the skill, before parameters
/// and sections are considered.
const WHEN_SHARE: usize = 3;
/// The fraction of the budget (one eighth) for titles of sections, before parameters are
/// considered.
const SECTIONS_SHARE: usize = 8;
/// The maximum number of values for prompts that are named.
const N_PLACEHOLDERS: usize = 3;
/// The maximum number of skills that the skill builds on that are named.
const N_REQUIRED: usize = 3;
/// The tokens that a list entry may cost beyond its own: a sign, a space, a line end.
const SEPARATOR: usize = 2;

/// The level of detail of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Absent,
    Name,
    Signature,
    Described,
}

/// The contents of a brief description.
#[derive(Clone)]
struct Plan<'f> {
    facts: &'f Facts,
    what: String,
    when: String,
    commands: Vec<Detail>,
    n_sections: usize,
    n_what_left_out: usize,
    n_when_left_out: usize,
}

pub(crate) fn write(
    facts: &Facts,
    budgets: &Budgets,
    counter: &dyn TokenCounter,
) -> (String, Omissions) {
    let plan = Plan::new(facts, budgets, counter);
    (plan.text(), plan.left_out())
}

impl<'f> Plan<'f> {
    fn new(facts: &'f Facts, budgets: &Budgets, counter: &dyn TokenCounter) -> Self {
        let what = fitted_what(facts, budgets.metadata.min(budgets.brief), counter);
        let mut plan = Plan {
            facts,
            n_what_left_out: what.n_left_out,
            what: what.text,
            when: String::new(),
            commands: vec![Detail::Absent; facts.commands.len()],
            n_sections: 0,
            n_when_left_out: 0,
        };
        let mut room = Room {
            budget: budgets.brief,
            counter,
        };
        plan.add_when(&mut room);
        plan.add_names(&mut room);
        plan.add_sections(budgets.brief / SECTIONS_SHARE, &mut room);
        plan.add_details(Detail::Signature, &mut room);
        plan.add_sections(budgets.brief, &mut room);
        plan.add_what(&mut room);
        plan.add_details(Detail::Described, &mut room);
        plan
    }

    /// Adds the names of as many commands as fit, in their order.
    fn add_names(&mut self, room: &mut Room<'_>) {
        let n_commands = self.commands.len();
        let names = |n: usize, plan: &Self| {
            let mut plan = plan.clone();
            plan.commands[..n].fill(Detail::Name);
            plan
        };
        let fits = |n: &usize| room.has(&names(*n, self));
        let counts: Vec<usize> = (1..=n_commands).collect();
        let n = if fits(&n_commands) {
            n_commands
        } else {
            counts.partition_point(fits)
        };
        self.commands[..n].fill(Detail::Name);
    }

    /// Adds sentences on when to use the skill.
    fn add_when(&mut self, room: &mut Room<'_>) {
        let (_, when) = self.facts.what_and_when();
        let when = join(&when);
        let free = room
            .budget
            .saturating_sub(room.counter.count(&self.text()) + SEPARATOR);
        let max = free.min(room.budget / WHEN_SHARE);
        let fitted = fit(&when, max, room.counter);
        self.n_when_left_out = fitted.n_left_out;
        self.when = fitted.text;
    }

    /// Adds detail to each command in order, until one does not fit.
    fn add_details(&mut self, detail: Detail, room: &mut Room<'_>) {
        let mut free = room.budget.saturating_sub(room.counter.count(&self.text()));
        for at in 0..self.commands.len() {
            let command = &self.facts.commands[at];
            if self.commands[at] == Detail::Absent || entry(command, detail).is_none() {
                continue;
            }
            let before = self.commands[at];
            let cost = room.cost(command, detail)
                - room.cost(command, before).min(room.cost(command, detail));
            if cost > free {
                continue;
            }
            self.commands[at] = detail;
            if room.has(self) {
                free -= cost;
            } else {
                self.commands[at] = before;
                break;
            }
        }
    }

    /// Adds the titles of as many sections as fit and as `max` tokens allow, in their order.
    fn add_sections(&mut self, max: usize, room: &mut Room<'_>) {
        let with = |n: usize, plan: &Self| {
            let mut plan = plan.clone();
            plan.n_sections = n;
            plan
        };
        let n_sections = self.facts.sections.len();
        let counts: Vec<usize> = (1..=n_sections).collect();
        let line = |n: usize| room.counter.count(&self.facts.sections[..n].join(" · "));
        let fits = |n: &usize| line(*n) <= max && room.has(&with(*n, self));
        self.n_sections = if fits(&n_sections) {
            n_sections
        } else {
            counts.partition_point(fits)
        };
    }

    /// Extends the description of what the skill does, as a whole or to as many sentences as fit.
    fn add_what(&mut self, room: &mut Room<'_>) {
        let (what, _) = self.facts.what_and_when();
        let what = join(&what);
        let others = room.counter.count(&self.text());
        let others = others.saturating_sub(room.counter.count(&self.what));
        let max = room.budget.saturating_sub(others + SEPARATOR);
        let longer = fit(&what, max, room.counter);
        if longer.n_left_out < self.n_what_left_out {
            let before = self.clone();
            self.what = longer.text;
            self.n_what_left_out = longer.n_left_out;
            if !room.has(self) {
                *self = before;
            }
        }
    }

    fn text(&self) -> String {
        let mut res = format!("{}{}\n", head(self.facts), self.what);
        if !self.when.is_empty() {
            let _ = writeln!(res, "{}", self.when);
        }
        res.push_str(&self.command_lines());
        res.push_str(&self.placeholder_line());
        res.push_str(&self.requires_line());
        let n_more = self.facts.sections.len() - self.n_sections;
        if self.n_sections > 0 {
            let shown = self.facts.sections[..self.n_sections].join(" · ");
            let more = if n_more > 0 {
                format!(" and {n_more} more")
            } else {
                String::new()
            };
            let _ = writeln!(res, "Sections: {shown}{more}");
        } else if n_more > 0 {
            let _ = writeln!(res, "{n_more} sections");
        }
        res
    }

    /// Returns the first values that the skill provides to prompts, and the number of others.
    fn placeholder_line(&self) -> String {
        let all = &self.facts.placeholders;
        let shown = all.iter().take(N_PLACEHOLDERS);
        let shown: Vec<String> = shown.map(|(key, _)| format!("{{{{{key}}}}}")).collect();
        match all.len() - shown.len() {
            _ if all.is_empty() => String::new(),
            0 => format!("Provides {}\n", shown.join(", ")),
            n => format!("Provides {} and {n} more\n", shown.join(", ")),
        }
    }

    /// Returns the first skills that the skill builds on, and the number of others.
    fn requires_line(&self) -> String {
        let all = &self.facts.requires;
        let shown = all[..all.len().min(N_REQUIRED)].join(", ");
        match all.len().saturating_sub(N_REQUIRED) {
            _ if all.is_empty() => String::new(),
            0 => format!("Builds on {shown}\n"),
            n => format!("Builds on {shown} and {n} more\n"),
        }
    }

    /// Returns a list if there is detail on any command, otherwise the names on one line.
    fn command_lines(&self) -> String {
        let shown = |keep: fn(Detail) -> bool| {
            let all = self.facts.commands.iter().zip(&self.commands);
            all.filter(move |(_, detail)| keep(**detail))
        };
        let n_absent = shown(|detail| detail == Detail::Absent).count();
        let names: Vec<&str> = shown(|it| it == Detail::Name)
            .map(|(it, _)| &*it.id)
            .collect();
        let mut res = String::new();
        let detailed = shown(|detail| detail > Detail::Name);
        let entries: Vec<String> = detailed
            .filter_map(|(it, detail)| entry(it, *detail))
            .collect();
        if !entries.is_empty() {
            res.push_str("Commands:\n");
        }
        for entry in &entries {
            let _ = writeln!(res, "- {entry}");
        }
        let label = if entries.is_empty() {
            "Commands: "
        } else {
            "- "
        };
        let more = match (n_absent, names.is_empty()) {
            (0, _) => String::new(),
            (1, true) => "and 1 more command".to_owned(),
            (n, true) => format!("and {n} more commands"),
            (1, false) => ", and 1 more command".to_owned(),
            (n, false) => format!(", and {n} more commands"),
        };
        if !names.is_empty() || n_absent > 0 {
            let _ = writeln!(res, "{label}{}{more}", names.join(", "));
        }
        res
    }

    fn left_out(&self) -> Omissions {
        let commands = self.commands.iter().zip(&self.facts.commands);
        let is_bare = |(detail, command): &(&Detail, &CommandFacts)| {
            **detail == Detail::Name && !command.parameters.is_empty()
        };
        Omissions {
            chars: self.n_what_left_out + self.n_when_left_out,
            commands: self
                .commands
                .iter()
                .filter(|it| **it == Detail::Absent)
                .count(),
            parameters: commands.filter(is_bare).count(),
            sections: self.facts.sections.len() - self.n_sections,
        }
    }
}

/// Returns the text for a command, or `None` if this level adds nothing to the one below it.
fn entry(command: &CommandFacts, detail: Detail) -> Option<String> {
    match detail {
        Detail::Absent => None,
        Detail::Name => Some(command.id.clone()),
        Detail::Signature => Some(command.signature()),
        Detail::Described => {
            let first = sentences(&command.description).first().copied()?;
            let is_cut = first.len() < command.description.len();
            let mark = if is_cut { CUT_MARK } else { "" };
            Some(format!("{}: {first}{mark}", command.signature()))
        }
    }
}

/// The budget that the description must keep.
struct Room<'c> {
    budget: usize,
    counter: &'c dyn TokenCounter,
}

impl Room<'_> {
    fn has(&self, plan: &Plan<'_>) -> bool {
        self.counter.count(&plan.text()) <= self.budget
    }

    fn cost(&self, command: &CommandFacts, detail: Detail) -> usize {
        let text = entry(command, detail).unwrap_or_default();
        self.counter.count(&text) + if detail > Detail::Name { SEPARATOR } else { 0 }
    }
}
