//! Arguments by their places.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Returns the arguments, to be changed.
pub(super) fn object<'i>(input: &'i mut Cow<'_, Value>) -> &'i mut Map<String, Value> {
    let value = input.to_mut();
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it was just made an object")
}

/// Builds a JSON Pointer.
pub(super) fn pointer(parts: &[&str]) -> String {
    let mut res = String::new();
    for part in parts {
        res.push('/');
        res.push_str(&part.replace('~', "~0").replace('/', "~1"));
    }
    res
}
