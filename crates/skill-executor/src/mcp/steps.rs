//! The messages of a server while it works: its log and its progress, within bounds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

/// The most messages of one call that are kept.
const MAX_STEPS: usize = 100;
/// The most bytes of one message, as JSON.
const MAX_STEP: usize = 4 << 10;

/// The messages of one call, as `intermediate_steps` of its answer has them.
#[derive(Clone, Default, Debug)]
pub(super) struct Steps(Arc<Mutex<Kept>>);

#[derive(Default, Debug)]
struct Kept {
    steps: Vec<Value>,
    n_left: usize,
}

impl Steps {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a log message (`notifications/message`).
    pub(super) fn log(&self, params: &Value) {
        self.add("log", params, &["level", "logger", "data"]);
    }

    /// Adds a report of progress (`notifications/progress`).
    pub(super) fn progress(&self, params: &Value) {
        self.add("progress", params, &["progress", "total", "message"]);
    }

    fn add(&self, kind: &str, params: &Value, keys: &[&str]) {
        let mut kept = self.kept();
        if kept.steps.len() >= MAX_STEPS {
            kept.n_left += 1;
            return;
        }
        let mut step = Map::from_iter([("type".to_owned(), Value::from(kind))]);
        for key in keys {
            if let Some(value) = params.get(key) {
                step.insert((*key).to_owned(), bounded(value));
            }
        }
        kept.steps.push(Value::Object(step));
    }

    /// Returns the messages, and the number of those beyond the bound.
    pub(super) fn take(&self) -> Vec<Value> {
        let Kept { mut steps, n_left } = std::mem::take(&mut *self.kept());
        if n_left > 0 {
            steps.push(json!({"type": "left-out", "count": n_left}));
        }
        steps
    }
}

/// Returns a value, or the beginning of a long one as text.
pub(super) fn bounded(value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    if text.len() <= MAX_STEP {
        return value.clone();
    }
    let end = (0..=MAX_STEP).rev().find(|at| text.is_char_boundary(*at));
    format!("{}…", &text[..end.unwrap_or_default()]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_kept_within_bounds() {
        let steps = Steps::default();
        steps.log(&json!({"level": "info", "data": {"a": 1}, "_meta": {}}));
        steps.progress(&json!({"progressToken": 7, "progress": 1, "total": 2}));
        assert_eq!(
            steps.take(),
            [
                json!({"type": "log", "level": "info", "data": {"a": 1}}),
                json!({"type": "progress", "progress": 1, "total": 2})
            ]
        );
        for _ in 0..105 {
            steps.log(&json!({"level": "debug", "data": "ü".repeat(9_000)}));
        }
        let found = steps.take();
        assert_eq!(found[100], json!({"type": "left-out", "count": 5}));
        let text = found[0]["data"].as_str().expect("a text");
        assert!(
            text.len() <= MAX_STEP + 3 && text.ends_with("ü…"),
            "{}",
            text.len()
        );
        assert_eq!(steps.take(), [Value::Null; 0]);
    }
}
