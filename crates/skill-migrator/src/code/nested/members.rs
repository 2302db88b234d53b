//! Members of a value: their defaults, choices, bounds, needs.

use serde_json::{Map, Value, json};

/// The segment of a path for the items of a list.
pub(super) const ITEMS: &str = "[]";
/// A value and its members.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Member {
    /// Its type in JSON, if the code shows it.
    pub(crate) kind: Option<&'static str>,
    /// The literal that replaces it.
    pub(crate) default: Option<Value>,
    /// The only values.
    pub(crate) choices: Vec<String>,
    /// The least and the greatest value.
    pub(crate) bounds: (Option<Value>, Option<Value>),
    /// When the program ends with an error without it.
    pub(crate) need: Option<Need>,
    /// True if it is another name of the one before.
    pub(crate) is_alias: bool,
    /// True if it only changes a value that is there: members that are missing stay as they are.
    pub(crate) is_change: bool,
    /// The members in the order in which the code names them; one of a list is [`ITEMS`].
    pub(crate) members: Vec<(String, Member)>,
}

/// When a member is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// In every call.
    Always,
    /// With a value of another member, which has a path from the argument.
    When(Vec<String>, String),
}

impl Member {
    /// Returns the member at a path, which is made where it is missing.
    pub(super) fn reach(&mut self, path: &[&str]) -> &mut Self {
        let [first, rest @ ..] = path else {
            return self;
        };
        let at = self.members.iter().position(|(name, _)| name == first);
        let at = at.unwrap_or_else(|| {
            self.members.push(((*first).to_owned(), Self::default()));
            self.members.len() - 1
        });
        self.members[at].1.reach(rest)
    }

    /// Adds what another use shows.
    pub(super) fn merge(&mut self, other: Self) {
        self.kind = self.kind.or(other.kind);
        self.default = self.default.take().or(other.default);
        self.need = self.need.take().or(other.need);
        if self.choices.is_empty() {
            self.choices = other.choices;
        }
        self.bounds.0 = self.bounds.0.take().or(other.bounds.0);
        self.bounds.1 = self.bounds.1.take().or(other.bounds.1);
        self.is_alias |= other.is_alias;
        self.is_change |= other.is_change;
        for (name, member) in other.members {
            self.reach(&[&name]).merge(member);
        }
    }

    /// Adds the needs of members that are known.
    pub(super) fn overlay(&mut self, other: &Self) {
        if self.need.is_none() {
            self.need.clone_from(&other.need);
        }
        for (name, member) in &mut self.members {
            if let Some((_, other)) = other.members.iter().find(|(it, _)| it == name) {
                member.overlay(other);
            }
        }
    }

    /// Marks a value that only changes another one: nothing is needed, and nothing replaces what is missing.
    pub(super) fn be_change(&mut self) {
        self.is_change = true;
        self.forget();
    }

    fn forget(&mut self) {
        self.default = None;
        self.need = None;
        for (_, member) in &mut self.members {
            member.forget();
        }
    }

    /// Puts a path before the members that needs name.
    pub(super) fn lead(&mut self, path: &[&str]) {
        if let Some(Need::When(other, _)) = &mut self.need {
            let path = path.iter().map(|it| (*it).to_owned());
            other.splice(0..0, path);
        }
        for (_, member) in &mut self.members {
            member.lead(path);
        }
    }

    /// Returns a schema of it. `root` is the number of segments of a path that every member has.
    pub(crate) fn schema(&self, root: usize) -> Value {
        let mut res = json!({});
        if self.is_change {
            res["x-change"] = json!(true);
        }
        if let [(name, items)] = &self.members[..]
            && name == ITEMS
        {
            res["type"] = json!("array");
            res["items"] = items.schema(root + 1);
            return res;
        }
        let members: Vec<&(String, Self)> = self
            .members
            .iter()
            .filter(|(name, member)| name != ITEMS && !member.is_alias)
            .collect();
        if members.is_empty() {
            if let Some(kind) = self.kind {
                res["type"] = json!(kind);
            }
        } else {
            res["type"] = json!("object");
            let properties = members
                .iter()
                .map(|(name, it)| (name.clone(), it.row(root)));
            res["properties"] = Value::Object(properties.collect::<Map<_, _>>());
            let needed = members.iter().filter(|(_, it)| it.is_needed());
            let needed: Vec<&String> = needed.map(|(name, _)| name).collect();
            if !needed.is_empty() {
                res["required"] = json!(needed);
            }
        }
        res
    }

    /// Returns true if every call needs it, or a part of it.
    pub(crate) fn is_needed(&self) -> bool {
        let is_own = self.need == Some(Need::Always) && self.default.is_none();
        // An empty list needs nothing.
        let mut members = self.members.iter().filter(|(name, _)| name != ITEMS);
        is_own || members.any(|(_, it)| it.is_needed())
    }

    fn row(&self, root: usize) -> Value {
        let mut res = self.schema(root);
        if let Some(value) = &self.default {
            res["default"] = value.clone();
        }
        if !self.choices.is_empty() {
            res["enum"] = json!(self.choices);
        }
        let (least, most) = &self.bounds;
        for (keyword, bound) in [("minimum", least), ("maximum", most)] {
            if let Some(bound) = bound {
                res[keyword] = bound.clone();
            }
        }
        if let Some(Need::When(path, value)) = &self.need
            && self.default.is_none()
        {
            let path = path.get(root..).unwrap_or_default().join(".");
            res["x-required-when"] = json!(format!("{path} = {value}"));
        }
        res
    }
}
