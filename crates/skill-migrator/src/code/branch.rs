//! A part of a program that a value selects.

use std::ops::Range;

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
