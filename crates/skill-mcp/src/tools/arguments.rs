//! The arguments of a call, checked.

use rmcp::model::JsonObject;
use serde_json::Value;
use skill_diagnostics::nearest;
use skill_loader::load::Selection;

use super::Refusal;

/// Longest argument, in bytes.
const MAX: usize = 4_096;

/// What a model passed.
#[derive(Debug, Default)]
pub(crate) struct Arguments(JsonObject);

impl Arguments {
    /// Takes the arguments of a call, if they are all among `known`.
    pub(crate) fn new(given: Option<JsonObject>, known: &JsonObject) -> Result<Self, Refusal> {
        let given = given.unwrap_or_default();
        let known = known.get("properties").and_then(Value::as_object);
        let names: Vec<&str> = known
            .into_iter()
            .flat_map(|known| known.keys())
            .map(|k| &**k)
            .collect();
        if let Some(stranger) = given.keys().find(|key| !names.contains(&key.as_str())) {
            let message = format!("`{}` is no argument of this tool", stranger.escape_debug());
            let mut refusal = Refusal::new("bad-arguments", message);
            let near = nearest(stranger, names.iter().copied());
            refusal.nearest = near.into_iter().map(str::to_owned).collect();
            return Err(refusal);
        }
        Ok(Self(given))
    }

    /// A text, if it is there; null is as good as nothing.
    pub(crate) fn text(&self, key: &str) -> Result<Option<&str>, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.len() <= MAX => Ok(Some(text)),
            Some(Value::String(_)) => Err(bad(key, "is longer than 4096 bytes")),
            Some(_) => Err(bad(key, "is no string")),
        }
    }

    /// A text that must be there.
    pub(crate) fn needed(&self, key: &str) -> Result<&str, Refusal> {
        self.text(key)?.ok_or_else(|| bad(key, "is missing"))
    }

    /// A truth value, false unless it is there.
    pub(crate) fn flag(&self, key: &str) -> Result<bool, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(bad(key, "is neither true nor false")),
        }
    }

    /// A whole number within bounds, if it is there.
    pub(crate) fn number(&self, key: &str, min: u64, max: u64) -> Result<Option<u64>, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) if (min..=max).contains(&number) => Ok(Some(number)),
                _ => Err(bad(key, &format!("is no whole number from {min} to {max}"))),
            },
        }
    }

    /// A number from 0 to 1, if it is there.
    pub(crate) fn share(&self, key: &str) -> Result<Option<f64>, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) if (0.0..=1.0).contains(&number) => Ok(Some(number)),
                _ => Err(bad(key, "is no number from 0 to 1")),
            },
        }
    }

    /// An object, empty unless it is there.
    pub(crate) fn object(&self, key: &str) -> Result<Value, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(Value::Object(JsonObject::new())),
            Some(object @ Value::Object(_)) => Ok(object.clone()),
            Some(_) => Err(bad(key, "is no object")),
        }
    }

    /// The part of a text that is asked for.
    pub(crate) fn selection(&self) -> Result<Selection, Refusal> {
        let given = |text: &&str| !text.is_empty();
        Ok(Selection {
            section: self.text("section")?.filter(given).map(str::to_owned),
            cursor: self.text("cursor")?.filter(given).map(str::to_owned),
        })
    }
}

fn bad(key: &str, why: &str) -> Refusal {
    Refusal::new("bad-arguments", format!("`{key}` {why}"))
}
