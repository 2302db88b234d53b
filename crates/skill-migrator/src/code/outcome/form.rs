//! The forms that results have, and what two of them have in common.

use super::super::lexer::Token;

/// The form of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// A text.
    Text,
    /// An object with these members.
    Members(Vec<Member>),
    /// A text in some cases, an object with these members in the others.
    TextOrMembers(Vec<Member>),
    /// A list; names of the members of its items, where these are objects.
    List(Vec<String>),
}

impl Outcome {
    /// Returns the names of all members, with those of members and items.
    pub(crate) fn members(&self) -> impl Iterator<Item = &str> {
        let (members, items): (&[Member], &[String]) = match self {
            Self::Text => (&[], &[]),
            Self::Members(members) | Self::TextOrMembers(members) => (members, &[]),
            Self::List(items) => (&[], items),
        };
        let names = members.iter().flat_map(|it| {
            let inner = it.members.iter().map(String::as_str);
            std::iter::once(it.name.as_str()).chain(inner)
        });
        names.chain(items.iter().map(String::as_str))
    }

    /// Returns true for an object with a member of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        match self {
            Self::Members(members) | Self::TextOrMembers(members) => {
                members.iter().any(|it| it.name == name)
            }
            Self::Text | Self::List(_) => false,
        }
    }

    /// Returns an object with a text as this member.
    pub(super) fn into_object(self, name: &str) -> Self {
        let member = || Member::named(name);
        match self {
            Self::Text => Self::Members(vec![member()]),
            Self::TextOrMembers(mut members) => {
                if members.iter().all(|it| it.name != name) {
                    members.insert(0, member());
                }
                Self::Members(members)
            }
            form => form,
        }
    }

    /// Returns a form without the member for an error, which has its own place; `None` if nothing is left.
    pub(super) fn without_error(self) -> Option<Self> {
        let others = |mut members: Vec<Member>| {
            members.retain(|it| it.name != "error");
            let is_known = members.iter().any(|it| it.name != REST);
            Some(members).filter(|_| is_known)
        };
        match self {
            Self::Members(members) => others(members).map(Self::Members),
            Self::TextOrMembers(members) => {
                Some(others(members).map_or(Self::Text, Self::TextOrMembers))
            }
            form => Some(form),
        }
    }
}

/// The name for other members, of which nothing is known.
pub(crate) const REST: &str = "…";

/// The way in which a program answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answers {
    /// It prints an object with a status; a text that is JSON is parsed.
    Program,
    /// A function returns the object.
    Module,
    /// It prints the data.
    Printed,
}

/// A member of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    /// Its name.
    pub(crate) name: String,
    /// Names of its own members.
    pub(crate) members: Vec<String>,
    /// The parts of a message.
    pub(crate) parts: Vec<Part>,
    /// True for a list, whose items have the members or parts.
    pub(crate) is_list: bool,
}

impl Member {
    /// A member of which only the name is known.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            members: Vec::new(),
            parts: Vec::new(),
            is_list: false,
        }
    }
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// Its type: `text`, `image_url`.
    pub(crate) kind: String,
    /// The argument without which the message does not have it.
    pub(crate) guard: Option<String>,
}

/// Returns true for tokens with which a member of a successful answer begins.
pub(super) type Starts = fn(&[Token<'_>]) -> bool;

/// Returns the form of a result that has either form; `None` if no form has both.
pub(super) fn merged(one: Outcome, other: Outcome) -> Option<Outcome> {
    use Outcome::{List, Members, Text, TextOrMembers};
    match (one, other) {
        (Text, Text) => Some(Text),
        (Members(one), Members(other)) => Some(Members(all_members(one, other))),
        (Text, Members(members) | TextOrMembers(members))
        | (Members(members) | TextOrMembers(members), Text) => Some(TextOrMembers(members)),
        (TextOrMembers(one), TextOrMembers(other) | Members(other))
        | (Members(one), TextOrMembers(other)) => Some(TextOrMembers(all_members(one, other))),
        (List(mut one), List(other)) => {
            extend(&mut one, other);
            Some(List(one))
        }
        (List(_), _) | (_, List(_)) => None,
    }
}

fn all_members(mut one: Vec<Member>, other: Vec<Member>) -> Vec<Member> {
    for member in other {
        match one.iter_mut().find(|known| known.name == member.name) {
            Some(known) => {
                extend(&mut known.members, member.members);
                known.is_list |= member.is_list;
                extend(&mut known.parts, member.parts);
            }
            None => one.push(member),
        }
    }
    one
}

/// Adds what a list does not have.
pub(super) fn extend<T: PartialEq>(list: &mut Vec<T>, others: Vec<T>) {
    for other in others {
        if !list.contains(&other) {
            list.push(other);
        }
    }
}
