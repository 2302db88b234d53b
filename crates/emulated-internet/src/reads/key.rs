//! A key, and the value that it is expected to have.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::media::SENTENCE;

/// Values that services give to what has succeeded, the best first.
const SUCCESS: [&str; 12] = [
    "success",
    "succeeded",
    "succeed",
    "completed",
    "complete",
    "process_completed",
    "finished",
    "done",
    "ok",
    "200",
    "0",
    "true",
];
/// Parts of values and of keys that say that something failed.
pub(super) const FAILURE: [&str; 6] = ["err", "fail", "cancel", "exception", "warning", "timeout"];
/// The form of the value of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) enum Form {
    #[default]
    Unknown,
    Number,
    Text,
    Object,
    List,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Key {
    pub(super) form: Form,
    /// Values that it is compared with.
    pub(super) literals: Vec<Value>,
    /// Keys that are read of its value.
    pub(super) parts: BTreeSet<String>,
}

/// Returns the value of those that a key is compared with that means success; otherwise the first that does
/// not mean a failure.
pub(super) fn expected(literals: &[Value]) -> Option<Value> {
    let text = |value: &Value| match value {
        Value::String(text) => text.to_ascii_lowercase(),
        other => other.to_string(),
    };
    let by_success = SUCCESS
        .iter()
        .find_map(|word| literals.iter().find(|literal| text(literal) == *word));
    let other = || {
        literals.iter().find(|literal| {
            let text = text(literal);
            !FAILURE.iter().any(|part| text.contains(part))
        })
    };
    by_success.or_else(other).cloned()
}

/// Returns the value of a key of which nothing is known but the name.
pub(super) fn by_name(host: &str, name: &str) -> Value {
    let lower = name.to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| lower.ends_with(end));
    match () {
        () if ends(&["image", "img", "cover", "thumbnail", "src"]) => {
            json!(format!("https://{host}/image.png"))
        }
        () if ends(&["video"]) => json!(format!("https://{host}/video.mp4")),
        () if ends(&["url", "link", "href", "path"]) => json!(format!("https://{host}/item/1")),
        () if ends(&["id"]) => json!("1"),
        () if ["tz", "timezone"].contains(&lower.as_str()) => json!("UTC"),
        () if ends(&["utcoffset"]) => json!("+00:00"),
        () if ["lat", "lon", "lng", "latitude", "longitude"].contains(&lower.as_str()) => {
            json!("1.5")
        }
        () if ends(&["time", "date", "_at"]) => json!("2025-01-01T00:00:00Z"),
        () if ends(&["count", "total", "size", "score", "num", "index", "page"]) => json!(1),
        () if ends(&["success", "ok", "finished", "done", "exists"]) => json!(true),
        () => json!(SENTENCE),
    }
}
