//! An answer that has the keys that a program reads.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::key::{Form, Key, by_name, expected};
use crate::media::SENTENCE;

/// The most levels of objects in an answer.
const MAX_DEPTH: usize = 6;
/// The most values in an answer.
const MAX_VALUES: usize = 20_000;
/// A place in an answer.
struct Place<'a> {
    host: &'a str,
    depth: usize,
    /// The number of lists that it is in.
    n_lists: usize,
    /// The number of values that may be added.
    left: &'a Cell<usize>,
}

impl Place<'_> {
    fn inside(&self, is_list: bool) -> Self {
        Self {
            depth: self.depth + 1,
            n_lists: self.n_lists + usize::from(is_list),
            ..*self
        }
    }
}

/// The keys that a program reads.
pub(super) struct Keys<'k>(pub(super) &'k BTreeMap<String, Key>);

impl Keys<'_> {
    /// Returns `usual` with the keys that are read: lists where code reads lists, objects where it reads
    /// objects, values that it expects. `id` is the last part of the path, which some services use as a key.
    pub(super) fn answer(&self, host: &str, usual: Value, id: &str) -> Value {
        let left = Cell::new(MAX_VALUES);
        let place = Place {
            host,
            depth: 0,
            n_lists: 0,
            left: &left,
        };
        let mut res = usual;
        for (name, value) in self.object(&place, |_| true) {
            let is_known = res.get(&name).is_some();
            if !is_known || self.is_certain(&name) {
                res[name.as_str()] = value;
            }
        }
        if !id.is_empty() && res.get(id).is_none() {
            res[id] = res.clone();
        }
        res
    }

    /// Returns true if the code shows more of a key than its name.
    fn is_certain(&self, name: &str) -> bool {
        let key = &self.0[name];
        !matches!(key.form, Form::Unknown | Form::Text) || expected(&key.literals).is_some()
    }

    fn object(&self, place: &Place<'_>, has: impl Fn(&str) -> bool) -> Map<String, Value> {
        let keys = self.0.iter().filter(|(name, _)| has(name));
        let keys = keys.take_while(|_| {
            let left = place.left.get();
            place.left.set(left.saturating_sub(1));
            left > 0
        });
        keys.map(|(name, key)| (name.clone(), self.value(place, name, key)))
            .collect()
    }

    fn value(&self, place: &Place<'_>, name: &str, key: &Key) -> Value {
        if let Some(value) = expected(&key.literals) {
            return value;
        }
        let part = |other: &str| other != name && key.parts.contains(other);
        match key.form {
            Form::Number => json!(1),
            // Code that goes through a list names its items itself: any key may be one of theirs.
            Form::List if place.n_lists == 0 => {
                json!([self.object(&place.inside(true), |other| other != name)])
            }
            Form::List if place.n_lists == 1 && !key.parts.is_empty() => {
                json!([self.object(&place.inside(true), part)])
            }
            Form::List => json!([SENTENCE]),
            Form::Object if place.depth < MAX_DEPTH => {
                json!(self.object(&place.inside(false), part))
            }
            Form::Object | Form::Text | Form::Unknown => by_name(place.host, name),
        }
    }
}
