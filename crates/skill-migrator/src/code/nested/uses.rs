//! The uses of a part of a value.

use super::super::functions::Keys;
use super::members::Member;

/// A name that holds a value: its file, its function, the name.
pub(super) type Node<'a> = (usize, usize, &'a str);

/// One use of a part of a value.
pub(super) struct Use<'a> {
    /// The position of the name.
    pub(super) at: usize,
    /// The members that lead to the part.
    pub(super) path: Vec<&'a str>,
    pub(super) event: Event<'a>,
}

/// The use of a part.
pub(super) enum Event<'a> {
    /// It is read.
    Read(Box<Member>),
    /// It goes to another name as a whole.
    Pass(Node<'a>),
    /// It goes to another name, without members that have other values there; true if a whole value is before it,
    /// whose members count where they are missing.
    Copy(Node<'a>, Vec<&'a str>, bool),
    /// Another name gets what a function made of it, with the same members.
    Made(Node<'a>),
    /// A pattern of a function takes members of it.
    Take((usize, usize), Keys<'a>),
}
