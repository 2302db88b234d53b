//! The definitions of a schema.

use serde_json::Value;

/// The schema whose `$defs` references mean.
#[derive(Clone, Copy)]
pub(super) struct Definitions<'s>(pub(super) &'s Value);

impl<'s> Definitions<'s> {
    /// Returns the schema that a reference means.
    pub(super) fn target(self, schema: &Value) -> Option<&'s Value> {
        let pointer = schema["$ref"].as_str()?.strip_prefix('#')?;
        self.0.pointer(pointer)
    }
}

/// Returns a list of a schema.
pub(super) fn parts<'v>(schema: &'v Value, key: &str) -> &'v [Value] {
    schema[key].as_array().map_or(&[][..], Vec::as_slice)
}
