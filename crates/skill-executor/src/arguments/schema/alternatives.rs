//! The choice between several schemas for a value: its type, a constant or a discriminator selects the one
//! that findings are about.

use std::cell::Cell;

use serde_json::Value;

use super::definitions::{Definitions, parts};
use super::misfit::{Kind, Misfit, unique};
use super::scalar::{is_of, one_of, text_of};

/// The number of alternatives whose reasons a message has.
const N_REASONS: usize = 3;
/// The most values that a message lists.
const N_VALUES: usize = 12;
/// The deepest composition in which constants are looked for.
const MAX_PARTS: usize = 6;
/// The deepest schema that is looked through for what is not checked.
const MAX_LOOK: usize = 12;
/// The keywords that may tell alternatives apart and are not checked.
const UNCHECKED: [&str; 17] = [
    "pattern",
    "format",
    "not",
    "if",
    "contains",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "uniqueItems",
    "multipleOf",
    "minProperties",
    "maxProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentMediaType",
    "contentEncoding",
];

/// Schemas of which a value fits at least one.
pub(super) struct Alternatives<'v> {
    pub(super) list: &'v [Value],
    /// `propertyName`, and the position of an alternative by the value of that member (`mapping`).
    pub(super) discriminator: &'v Value,
    /// Exactly one may fit.
    pub(super) is_one: bool,
}

impl Alternatives<'_> {
    /// Returns the alternative that a discriminator selects.
    pub(super) fn by_discriminator(&self, value: &Value) -> Option<usize> {
        let name = self.discriminator["propertyName"].as_str()?;
        let word = value.get(name)?.as_str()?;
        let at = self.discriminator["mapping"].get(word)?.as_u64()?;
        let at = usize::try_from(at).ok()?;
        (at < self.list.len()).then_some(at)
    }

    /// Returns what is wrong with the member that a discriminator names, if its value selects nothing.
    pub(super) fn wrong_discriminator(&self, value: &Value) -> Option<Misfit> {
        let name = self.discriminator["propertyName"].as_str()?;
        let words = self.discriminator["mapping"].as_object()?.keys();
        let words: Vec<String> = words.take(N_VALUES).cloned().collect();
        let given = value.as_object()?.get(name);
        if words.is_empty() || self.by_discriminator(value).is_some() {
            return None;
        }
        let misfit = match given {
            Some(_) => Misfit::new(one_of(&words)),
            None => missing_one_of(&words),
        };
        Some(misfit.in_member(name))
    }
}

/// Returns the flaw of a member that is missing and has one of some values.
fn missing_one_of(words: &[String]) -> Misfit {
    let words = words.join(", ");
    let mut res = Misfit::new(format!("is missing, expected one of {words}"));
    res.kind = Kind::Missing;
    res
}

/// The values of a member that belong to an alternative.
struct Tag<'v> {
    values: Vec<&'v Value>,
    is_required: bool,
}

impl<'s> Definitions<'s> {
    /// Returns the alternative that the constants of a member select; or what is wrong with this member if
    /// all alternatives have constants for it. `n_left` is the number of schemas that are looked at, here and
    /// below.
    pub(super) fn by_tag(
        self,
        list: &[Value],
        value: &Value,
        n_left: &Cell<usize>,
    ) -> Option<Result<usize, Misfit>> {
        let members = value.as_object()?;
        let mut names: Vec<&str> = Vec::new();
        for alternative in list {
            self.add_tag_names(alternative, (0, n_left), &mut names);
        }
        let mut wrong = None;
        for name in names {
            let tags = list.iter().map(|it| self.tag(it, name, (0, n_left)));
            let tags: Vec<Option<Tag<'_>>> = tags.collect();
            // What was looked at in part selects nothing.
            if n_left.get() == 0 {
                break;
            }
            if tags.iter().flatten().count() < 2 {
                continue;
            }
            let given = members.get(name);
            let has = |tag: &Option<Tag<'_>>| {
                let tag = tag.as_ref();
                tag.is_some_and(|tag| given.is_some_and(|given| tag.values.contains(&given)))
            };
            let matching: Vec<usize> = (0..list.len()).filter(|at| has(&tags[*at])).collect();
            if let [only] = matching[..] {
                return Some(Ok(only));
            }
            let all: Option<Vec<Tag<'_>>> = tags.into_iter().collect();
            let Some(all) = all.filter(|_| matching.is_empty() && wrong.is_none()) else {
                continue;
            };
            let mut words: Vec<String> = Vec::new();
            for value in all.iter().flat_map(|tag| &tag.values) {
                let word = text_of(value);
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            words.truncate(N_VALUES);
            if given.is_some() {
                let misfit = Misfit::new(one_of(&words));
                wrong = Some(Err(misfit.in_member(name)));
            } else if all.iter().all(|tag| tag.is_required) {
                wrong = Some(Err(missing_one_of(&words).in_member(name)));
            }
        }
        wrong
    }

    /// Adds the names of the members of a schema that have constants.
    fn add_tag_names<'v>(
        self,
        schema: &'v Value,
        (depth, n_left): (usize, &Cell<usize>),
        names: &mut Vec<&'v str>,
    ) where
        's: 'v,
    {
        if depth > MAX_PARTS || !is_left(n_left) {
            return;
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let is_constant = !constants(member).is_empty();
            if is_constant && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        if let Some(target) = self.target(schema) {
            self.add_tag_names(target, (depth + 1, n_left), names);
        }
        for part in parts(schema, "allOf") {
            self.add_tag_names(part, (depth + 1, n_left), names);
        }
    }

    /// Returns the constants of a member of a schema, its own and those of its parts.
    fn tag<'v>(
        self,
        schema: &'v Value,
        name: &str,
        (depth, n_left): (usize, &Cell<usize>),
    ) -> Option<Tag<'v>>
    where
        's: 'v,
    {
        if depth > MAX_PARTS || !is_left(n_left) {
            return None;
        }
        let mut values = constants(&schema["properties"][name]);
        let mut is_required = parts(schema, "required").iter().any(|it| it == name);
        let target = self.target(schema);
        for part in target.into_iter().chain(parts(schema, "allOf")) {
            let inner = self.tag(part, name, (depth + 1, n_left));
            is_required |= parts(part, "required").iter().any(|it| it == name);
            if let Some(inner) = inner {
                is_required |= inner.is_required;
                // The nearest says it best: a base has the values of all.
                if values.is_empty() || inner.values.len() < values.len() {
                    values = inner.values;
                }
            }
        }
        (!values.is_empty()).then_some(Tag {
            values,
            is_required,
        })
    }

    /// Returns the only alternative for values of this type.
    pub(super) fn by_type(
        self,
        list: &[Value],
        value: &Value,
        n_left: &Cell<usize>,
    ) -> Option<usize> {
        let takes = |schema: &Value| self.takes_type(schema, value, (0, n_left));
        let mut taking = (0..list.len()).filter(|at| takes(&list[*at]));
        let first = taking.next()?;
        taking.next().is_none().then_some(first)
    }

    fn takes_type(
        self,
        schema: &Value,
        value: &Value,
        (depth, n_left): (usize, &Cell<usize>),
    ) -> bool {
        if depth > MAX_PARTS || !is_left(n_left) {
            return true;
        }
        let is_type = |name: &Value| name.as_str().is_none_or(|name| is_of(name, value, false));
        let own = match &schema["type"] {
            Value::Null if schema["properties"].is_object() => value.is_object(),
            Value::Array(names) => names.iter().any(is_type),
            name => is_type(name),
        };
        let target = self.target(schema);
        let mut parts = target.into_iter().chain(parts(schema, "allOf"));
        own && parts.all(|part| self.takes_type(part, value, (depth + 1, n_left)))
    }

    /// Returns true for a schema with a restriction, all of whose keywords are checked.
    pub(super) fn is_checked(self, schema: &Value, n_left: &Cell<usize>) -> bool {
        let is_some = schema.as_object().is_some_and(|map| !map.is_empty());
        is_some && self.has_no_unchecked(schema, 0, n_left)
    }

    fn has_no_unchecked(self, schema: &Value, depth: usize, n_left: &Cell<usize>) -> bool {
        if depth > MAX_LOOK || !is_left(n_left) {
            return false;
        }
        let Some(map) = schema.as_object() else {
            return true;
        };
        // A format of a number is the space that it needs.
        let is_number = matches!(schema["type"].as_str(), Some("integer" | "number"));
        let mut keys = UNCHECKED.iter().filter(|key| map.contains_key(**key));
        if keys.any(|key| !(is_number && *key == "format")) {
            return false;
        }
        let lists = ["allOf", "anyOf", "oneOf", "prefixItems"];
        let lists = lists.iter().flat_map(|key| parts(schema, key));
        let members = schema["properties"].as_object().into_iter().flatten();
        let members = members.map(|(_, member)| member);
        let others = ["items", "additionalProperties"].map(|key| &schema[key]);
        let mut all = lists
            .chain(members)
            .chain(others)
            .chain(self.target(schema));
        all.all(|part| self.has_no_unchecked(part, depth + 1, n_left))
    }
}

/// Returns the text about a value that fits several alternatives, by their positions.
pub(super) fn several(list: &[Value], fitting: &[usize]) -> Misfit {
    let words = fitting.iter().take(N_REASONS).map(|at| {
        let title = list[*at]["title"].as_str();
        title.map_or_else(|| (at + 1).to_string(), |title| format!("`{title}`"))
    });
    let words: Vec<String> = words.collect();
    Misfit::new(format!(
        "fits several of the alternatives ({}), expected exactly one",
        words.join(", ")
    ))
}

/// Counts a schema that is looked at; returns false if no more may be.
fn is_left(n_left: &Cell<usize>) -> bool {
    let is_left = n_left.get() > 0;
    n_left.set(n_left.get().saturating_sub(1));
    is_left
}

/// Returns the values of a member with a constant or a list of values.
fn constants(member: &Value) -> Vec<&Value> {
    match (member.get("const"), member["enum"].as_array()) {
        (Some(only), _) => vec![only],
        (None, Some(values)) => values.iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns a finding with the reasons of all alternatives, which each have one.
pub(super) fn none_of(found: &[Vec<Misfit>]) -> Misfit {
    let first = found.iter().filter_map(|misfits| misfits.first().cloned());
    let reasons = unique(first.collect(), N_REASONS);
    let reasons = reasons.iter().map(|misfit| {
        let part = misfit.part();
        match part.trim_start_matches('.') {
            "" => misfit.why.clone(),
            part => format!("`{part}` {}", misfit.why),
        }
    });
    let reasons: Vec<String> = reasons.collect();
    let reasons = reasons.join(", or ");
    Misfit::new(format!("fits none of the alternatives: {reasons}"))
}
