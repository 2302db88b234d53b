//! A part of a value that does not fit.

use std::fmt::Write as _;

use super::super::values::pointer;

/// The kind of a flaw of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Its value.
    Wrong,
    /// It is missing.
    Missing,
    /// Nothing has its name.
    Unknown,
}

impl Kind {
    /// Returns the code of the warning.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Wrong => "wrong-argument",
            Self::Missing => "missing-argument",
            Self::Unknown => "unknown-argument",
        }
    }
}

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    Member(String),
    Item(usize),
}

/// A part of a value that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    /// The way to it, the last step first; empty for the value itself.
    steps: Vec<Step>,
    /// The reason.
    pub(crate) why: String,
    pub(crate) kind: Kind,
}

impl Misfit {
    pub(super) fn new(why: String) -> Self {
        Self {
            steps: Vec::new(),
            why,
            kind: Kind::Wrong,
        }
    }

    /// A member that is missing.
    pub(super) fn missing(name: &str) -> Self {
        let mut res = Self::new("is missing".to_owned());
        res.kind = Kind::Missing;
        res.in_member(name)
    }

    pub(super) fn in_member(mut self, name: &str) -> Self {
        self.steps.push(Step::Member(name.to_owned()));
        self
    }

    pub(super) fn in_item(mut self, at: usize) -> Self {
        self.steps.push(Step::Item(at));
        self
    }

    /// Returns the part, relative to the value: `.kind`, `[0].size`; empty for the value itself.
    pub(crate) fn part(&self) -> String {
        let mut res = String::new();
        for step in self.steps.iter().rev() {
            // A string takes everything.
            let _ = match step {
                Step::Member(name) => write!(res, ".{name}"),
                Step::Item(at) => write!(res, "[{at}]"),
            };
        }
        res
    }

    /// Returns the same as a JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut res = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Member(name) => res.push_str(&pointer(&[name])),
                // A string takes everything.
                Step::Item(at) => drop(write!(res, "/{at}")),
            }
        }
        res
    }
}

/// Returns the first `max` findings, each once: parts of a schema may say the same.
pub(super) fn unique(all: Vec<Misfit>, max: usize) -> Vec<Misfit> {
    let mut res: Vec<Misfit> = Vec::with_capacity(all.len().min(max));
    for misfit in all {
        if res.len() < max && !res.contains(&misfit) {
            res.push(misfit);
        }
    }
    res
}
