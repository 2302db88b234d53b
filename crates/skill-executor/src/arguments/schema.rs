//! The comparison of a value with a schema, by the keywords that decide whether a service takes a
//! request.
//!
//! - `misfit`: a part of a value that does not fit; `alternatives`: which of several schemas a value is
//!   meant for; `scalar`: values without parts.
//!
//! `pattern`, `format`, `not` and conditions are not checked; they never cause a finding.

mod alternatives;
mod definitions;
mod misfit;
mod scalar;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use serde_json::Value;

use alternatives::{Alternatives, none_of, several};
use definitions::{Definitions, parts};
pub(super) use misfit::{Kind, Misfit};
use scalar::scalar;

/// The deepest nesting that is checked.
const MAX_DEPTH: usize = 32;
/// The most schemas that are compared with values in one check.
const MAX_STEPS: usize = 20_000;
/// The most findings about one value.
const MAX_MISFITS: usize = 100;

/// The places in which text counts as the type that it can be read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Texts {
    /// In the value itself.
    pub(super) own: bool,
    /// In its members, which are arguments.
    pub(super) members: bool,
}

impl Texts {
    const NONE: Self = Self {
        own: false,
        members: false,
    };

    /// Returns the rule for a member.
    fn inside(self) -> Self {
        Self {
            own: self.members,
            members: false,
        }
    }
}

/// The comparison of values with a schema and its definitions.
pub(super) struct Fit<'s> {
    definitions: Definitions<'s>,
    n_left: Cell<usize>,
    /// The schemas that may still be looked at to choose between alternatives.
    n_looks: Cell<usize>,
    /// A part of the value was not compared.
    is_cut: Cell<bool>,
}

impl<'s> Fit<'s> {
    /// `root` has the definitions (`$defs`).
    pub(super) fn new(root: &'s Value) -> Self {
        Self {
            definitions: Definitions(root),
            n_left: Cell::new(MAX_STEPS),
            n_looks: Cell::new(MAX_STEPS),
            is_cut: Cell::new(false),
        }
    }

    /// Returns the parts of a value that do not fit.
    pub(super) fn misfits(&self, schema: &Value, value: &Value, texts: Texts) -> Vec<Misfit> {
        self.of(schema, value, texts, 0)
    }

    /// Returns why the arguments fit none of the alternatives at the top of their schema
    /// (`x-alternatives`), or several of those of which only one may fit.
    pub(super) fn top(&self, schema: &Value, arguments: &Value, texts: Texts) -> Vec<Misfit> {
        let list = schema["x-alternatives"].as_array();
        let alternatives = Alternatives {
            list: list.map_or(&[][..], Vec::as_slice),
            discriminator: &schema["x-discriminator"],
            is_one: schema["x-exclusive"] == true,
        };
        self.fitting(&alternatives, arguments, texts, 0)
    }

    fn of(&self, schema: &Value, value: &Value, texts: Texts, depth: usize) -> Vec<Misfit> {
        let n_left = self.n_left.get();
        if n_left == 0 || depth > MAX_DEPTH {
            self.is_cut.set(true);
            return Vec::new();
        }
        self.n_left.set(n_left - 1);
        if schema == &Value::Bool(false) {
            return vec![Misfit::new("is not allowed".to_owned())];
        }
        let mut res = Vec::new();
        if let Some(target) = self.definitions.target(schema) {
            res = self.of(target, value, texts, depth + 1);
        }
        res.extend(scalar(schema, value, texts.own).map(Misfit::new));
        res.extend(self.list(schema, value, depth));
        res.extend(self.object(schema, value, texts, depth));
        for part in parts(schema, "allOf") {
            res.extend(self.of(part, value, texts, depth + 1));
        }
        for key in ["anyOf", "oneOf"] {
            let alternatives = Alternatives {
                list: parts(schema, key),
                discriminator: &schema["x-discriminator"],
                is_one: key == "oneOf",
            };
            res.extend(self.fitting(&alternatives, value, texts, depth));
        }
        misfit::unique(res, MAX_MISFITS)
    }

    /// Returns why a value fits none of the alternatives, or more than one of those that exclude each other.
    fn fitting(
        &self,
        alternatives: &Alternatives<'_>,
        value: &Value,
        texts: Texts,
        depth: usize,
    ) -> Vec<Misfit> {
        let list = alternatives.list;
        if let Some(at) = alternatives.by_discriminator(value) {
            return self.of(&list[at], value, texts, depth + 1);
        }
        let found = list.iter().map(|it| self.of(it, value, texts, depth + 1));
        let mut found: Vec<Vec<Misfit>> = found.collect();
        let is_fitting = found.iter().any(Vec::is_empty);
        if list.is_empty() || is_fitting && !alternatives.is_one {
            return Vec::new();
        }
        if is_fitting {
            return self.several(list, value, depth).into_iter().collect();
        }
        let (all, n_left) = (self.definitions, &self.n_looks);
        if let Some(misfit) = alternatives.wrong_discriminator(value) {
            return vec![misfit];
        }
        let chosen = all.by_tag(list, value, n_left);
        match chosen.or_else(|| all.by_type(list, value, n_left).map(Ok)) {
            Some(Ok(at)) => std::mem::take(&mut found[at]),
            Some(Err(misfit)) => vec![misfit],
            None => vec![none_of(&found)],
        }
    }

    /// Returns a finding about a value that fits several of the alternatives that exclude each other. Where
    /// something that is not checked may tell them apart, there is none.
    fn several(&self, list: &[Value], value: &Value, depth: usize) -> Option<Misfit> {
        let fits = |schema: &Value| self.of(schema, value, Texts::NONE, depth + 1).is_empty();
        let fitting: Vec<usize> = (0..list.len()).filter(|at| fits(&list[*at])).collect();
        let mut known = fitting.iter();
        let is_known = known.all(|at| self.definitions.is_checked(&list[*at], &self.n_looks));
        let are_several = fitting.len() > 1 && is_known && !self.is_cut.get();
        are_several.then(|| several(list, &fitting))
    }

    fn list(&self, schema: &Value, value: &Value, depth: usize) -> Vec<Misfit> {
        let mut res = Vec::new();
        let Some(items) = value.as_array() else {
            return res;
        };
        let count = |key: &str| schema[key].as_u64().and_then(|n| usize::try_from(n).ok());
        if let Some(least) = count("minItems").filter(|least| items.len() < *least) {
            res.push(Misfit::new(format!("should have at least {least} items")));
        }
        if let Some(most) = count("maxItems").filter(|most| items.len() > *most) {
            res.push(Misfit::new(format!("should have at most {most} items")));
        }
        let first = parts(schema, "prefixItems");
        for (at, item) in items.iter().enumerate() {
            let declared = first.get(at).unwrap_or(&schema["items"]);
            let found = self.of(declared, item, Texts::NONE, depth + 1);
            res.extend(found.into_iter().map(|misfit| misfit.in_item(at)));
        }
        res
    }

    fn object(&self, schema: &Value, value: &Value, texts: Texts, depth: usize) -> Vec<Misfit> {
        let mut res = Vec::new();
        let Some(members) = value.as_object() else {
            return res;
        };
        let required = parts(schema, "required").iter().filter_map(Value::as_str);
        let missing = required.filter(|name| !members.contains_key(*name));
        res.extend(missing.map(Misfit::missing));
        let others = &schema["additionalProperties"];
        let has_patterns = !schema["patternProperties"].is_null();
        for (name, member) in members {
            let declared = &schema["properties"][name];
            let is_unknown = declared.is_null();
            if is_unknown && has_patterns {
                continue;
            }
            let declared = if is_unknown { others } else { declared };
            let found = self.of(declared, member, texts.inside(), depth + 1);
            res.extend(found.into_iter().map(|mut misfit| {
                if is_unknown && *others == false {
                    misfit.kind = Kind::Unknown;
                }
                misfit.in_member(name)
            }));
        }
        res
    }
}
