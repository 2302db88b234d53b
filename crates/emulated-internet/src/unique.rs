//! JSON in which an object repeats a key: readers disagree on what it says.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A value whose objects have each key once.
struct Unique;

/// Returns true if no object in a text of JSON repeats a key.
pub(crate) fn has_unique_keys(text: &str) -> bool {
    serde_json::from_str::<Unique>(text).is_ok()
}

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value whose objects have each key once")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value::<Self>()?;
            if !seen.insert(key) {
                return Err(A::Error::custom("a repeated key"));
            }
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_keys() {
        for (text, expected) in [
            (
                r#"{"a": [1, -2, 0.5, "x", null, true], "b": {"a": {}}}"#,
                true,
            ),
            (r#"{"a": 1, "a": 1}"#, false),
            (r#"[{"b": {"a": 1, "a": 2}}]"#, false),
        ] {
            assert_eq!(has_unique_keys(text), expected, "{text}");
        }
    }
}
