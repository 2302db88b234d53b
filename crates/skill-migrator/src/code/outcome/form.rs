//! The forms that results have, and what two of them have in common.

use std::collections::BTreeSet;

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

    /// Marks the members that have only the name of a parameter.
    pub(crate) fn mark_echoes(&mut self, parameters: &BTreeSet<String>) {
        if let Self::Members(members) | Self::TextOrMembers(members) = self {
            for member in members {
                let is_plain = member.members.is_empty() && member.parts.is_empty();
                member.is_echo = is_plain && !member.is_list && parameters.contains(&member.name);
            }
        }
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

    /// Returns the form with its names in the spelling of JavaScript: `drawnCards` for `drawn_cards`.
    pub(super) fn in_camel_case(self) -> Self {
        let all = |mut members: Vec<Member>| {
            for member in &mut members {
                member.name = camel_case(&member.name);
                for name in &mut member.members {
                    *name = camel_case(name);
                }
            }
            members
        };
        match self {
            Self::Members(members) => Self::Members(all(members)),
            Self::TextOrMembers(members) => Self::TextOrMembers(all(members)),
            Self::List(names) => Self::List(names.iter().map(|it| camel_case(it)).collect()),
            Self::Text => Self::Text,
        }
    }

    /// Returns the members that all forms have in one way, for messages that differ beside them; `None` if
    /// there are none.
    pub(crate) fn common(&self, forms: &[&Self]) -> Option<Self> {
        let Self::Members(members) = self else {
            return None;
        };
        let is_common = |member: &&Member| {
            forms.iter().all(|form| {
                let Self::Members(others) = form else {
                    return false;
                };
                let other = others.iter().find(|it| it.name == member.name);
                other.is_some_and(|it| it.parts.is_empty() == member.parts.is_empty())
            })
        };
        let common: Vec<Member> = members.iter().filter(is_common).cloned().collect();
        (!common.is_empty()).then_some(Self::Members(common))
    }

    /// Returns what is left to say beside another form: nothing if it is the same, more members if all
    /// others are in both.
    pub(crate) fn beside(&self, other: &Self) -> Option<Self> {
        let (Self::Members(members), Self::Members(known)) = (self, other) else {
            return Some(self.clone()).filter(|it| it != other);
        };
        let has = |list: &[Member], name: &str| list.iter().any(|it| it.name == name);
        if !known.iter().all(|it| has(members, &it.name)) {
            return Some(self.clone());
        }
        let more = members.iter().filter(|it| !has(known, &it.name));
        let more: Vec<Member> = more.cloned().collect();
        (!more.is_empty()).then_some(Self::Members(more))
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
    /// True for a value with the name of a parameter, which the caller knows.
    pub(crate) is_echo: bool,
}

impl Member {
    /// A member of which only the name is known.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            members: Vec::new(),
            parts: Vec::new(),
            is_list: false,
            is_echo: false,
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
    /// The object in a text that is JSON.
    pub(crate) json: Option<Json>,
}

impl Part {
    /// A part of which only the type is known.
    pub(crate) fn of_kind(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            guard: None,
            json: None,
        }
    }
}

/// An object that is written as a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Json {
    /// The names of its members.
    pub(crate) members: Vec<String>,
    /// The names of the members that an object of a failure has in the same place.
    pub(crate) failure: Vec<String>,
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
                share(&mut known.members, member.members);
                known.is_list |= member.is_list;
                all_parts(&mut known.parts, member.parts);
            }
            None => one.push(member),
        }
    }
    one
}

/// Adds the parts of another message; a text is JSON if it is in both.
pub(super) fn all_parts(list: &mut Vec<Part>, others: Vec<Part>) {
    for other in others {
        let is_same = |it: &&mut Part| it.kind == other.kind && it.guard == other.guard;
        let Some(known) = list.iter_mut().find(is_same) else {
            list.push(other);
            continue;
        };
        known.json = match (known.json.take(), other.json) {
            (Some(mut one), Some(other)) => {
                share(&mut one.members, other.members);
                extend(&mut one.failure, other.failure);
                Some(one)
            }
            _ => None,
        };
    }
}

/// Keeps the names that both lists have, where both have some: the others are of one branch only.
fn share(list: &mut Vec<String>, others: Vec<String>) {
    if others.is_empty() {
        return;
    }
    if list.is_empty() {
        *list = others;
        return;
    }
    list.retain(|name| others.contains(name));
    if list.is_empty() {
        list.push(REST.to_owned());
    }
}

/// Returns `drawnCards` for `drawn_cards`.
fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |res, part| {
        let mut chars = part.chars();
        let start = chars.next().map(|c| c.to_ascii_uppercase());
        res + &start.map_or_else(String::new, String::from) + chars.as_str()
    })
}

/// Adds what a list does not have.
pub(super) fn extend<T: PartialEq>(list: &mut Vec<T>, others: Vec<T>) {
    for other in others {
        if !list.contains(&other) {
            list.push(other);
        }
    }
}
