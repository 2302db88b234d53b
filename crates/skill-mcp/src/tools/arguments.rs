//! Checked arguments of a call.

use rmcp::model::JsonObject;
use serde_json::Value;
use skill_diagnostics::nearest;
use skill_loader::load::Selection;

use super::answer::Refusal;

/// The longest string argument, in bytes.
const MAX: usize = 4_096;

/// The arguments that a model passed.
#[derive(Debug, Default)]
pub(crate) struct Arguments(JsonObject);

impl Arguments {
    /// Checks that all arguments of a call are among the properties of the schema `known`.
    pub(crate) fn new(passed: Option<JsonObject>, known: &JsonObject) -> Result<Self, Refusal> {
        let passed = passed.unwrap_or_default();
        let known = known.get("properties").and_then(Value::as_object);
        let names: Vec<&str> = known
            .into_iter()
            .flat_map(|known| known.keys())
            .map(|k| &**k)
            .collect();
        if let Some(unknown) = passed.keys().find(|key| !names.contains(&key.as_str())) {
            let unknown_shown = unknown.escape_debug();
            let all = names.iter().map(|name| format!("`{name}`"));
            let all = all.collect::<Vec<_>>().join(", ");
            let message = match &*all {
                "" => format!("this tool has no argument `{unknown_shown}`; it has none"),
                all => format!("this tool has no argument `{unknown_shown}`; it has {all}"),
            };
            let mut refusal = Refusal::new("bad-arguments", message);
            let near = nearest(unknown, names.iter().copied());
            refusal.nearest = near.into_iter().map(str::to_owned).collect();
            return Err(refusal);
        }
        Ok(Self(passed))
    }

    /// Returns a string, or `None` if it is absent or null.
    pub(crate) fn text(&self, key: &str) -> Result<Option<&str>, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.len() <= MAX => Ok(Some(text)),
            Some(Value::String(_)) => Err(bad(key, "is longer than 4096 bytes")),
            Some(_) => Err(bad(key, "is not a string")),
        }
    }

    /// Returns a string that is required.
    pub(crate) fn needed(&self, key: &str) -> Result<&str, Refusal> {
        self.text(key)?.ok_or_else(|| bad(key, "is missing"))
    }

    /// Returns a boolean, false if it is absent.
    pub(crate) fn flag(&self, key: &str) -> Result<bool, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(bad(key, "is not a boolean")),
        }
    }

    /// Returns an integer from `min` to `max`, or `None` if it is absent.
    pub(crate) fn number(&self, key: &str, min: u64, max: u64) -> Result<Option<u64>, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) if (min..=max).contains(&number) => Ok(Some(number)),
                _ => Err(bad(key, &format!("is not an integer from {min} to {max}"))),
            },
        }
    }

    /// Returns a number from 0 to 1, or `None` if it is absent.
    pub(crate) fn share(&self, key: &str) -> Result<Option<f64>, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) if (0.0..=1.0).contains(&number) => Ok(Some(number)),
                _ => Err(bad(key, "is not a number from 0 to 1")),
            },
        }
    }

    /// Returns an object, empty if it is absent.
    pub(crate) fn object(&self, key: &str) -> Result<Value, Refusal> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(Value::Object(JsonObject::new())),
            Some(object @ Value::Object(_)) => Ok(object.clone()),
            Some(_) => Err(bad(key, "is not an object")),
        }
    }

    /// Returns the part of a text to read.
    pub(crate) fn selection(&self) -> Result<Selection, Refusal> {
        let is_set = |text: &&str| !text.is_empty();
        Ok(Selection {
            section: self.text("section")?.filter(is_set).map(str::to_owned),
            cursor: self.text("cursor")?.filter(is_set).map(str::to_owned),
        })
    }
}

fn bad(key: &str, why: &str) -> Refusal {
    Refusal::new("bad-arguments", format!("`{key}` {why}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_unknown_argument_is_answered_with_those_that_exist() {
        let object = |value: Value| value.as_object().cloned().unwrap_or_default();
        let schema = object(json!({"properties": {"skill_name": {}, "command": {}}}));
        let passed = object(json!({"name": "x"}));
        let refusal = Arguments::new(Some(passed.clone()), &schema).unwrap_err();
        let words = ["`name`", "`skill_name`", "`command`"];
        assert!(
            words.iter().all(|word| refusal.message.contains(word)),
            "{}",
            refusal.message
        );
        let refusal = Arguments::new(Some(passed), &object(json!({}))).unwrap_err();
        assert!(
            refusal.message.ends_with("it has none"),
            "{}",
            refusal.message
        );
    }
}
