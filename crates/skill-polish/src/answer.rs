//! The answers of a model: lines of a file, or its replies in a chat.

use serde_json::{Map, Value};

/// The slots for one skill, not yet checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The name of the skill.
    pub skill: String,
    /// The digest of the texts that it was written for.
    pub digest: String,
    /// The model, if it is known.
    pub model: Option<String>,
    /// Each slot by its key.
    pub slots: Map<String, Value>,
}

/// A line of a file of answers that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BrokenAnswer {
    /// The line, from 1.
    pub line: usize,
    /// The problem, and what was expected.
    pub reason: String,
}

/// Reads `answers.jsonl`: a JSON object on each line with `skill`, `digest`, and `slots`, or `content`, the
/// reply of a model as text. Empty lines are ignored.
pub fn answers(text: &str) -> (Vec<Answer>, Vec<BrokenAnswer>) {
    let mut good = Vec::new();
    let mut broken = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match read_line(line) {
            Ok(answer) => good.push(answer),
            Err(reason) => broken.push(BrokenAnswer {
                line: at + 1,
                reason,
            }),
        }
    }
    (good, broken)
}

fn read_line(line: &str) -> Result<Answer, String> {
    let value: Value = serde_json::from_str(line)
        .map_err(|error| format!("{error}; expected one JSON object on each line"))?;
    let text = |key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.map(str::to_owned)
            .ok_or_else(|| format!("the answer has no text `{key}`; copy it from the job"))
    };
    let slots = match (value.get("slots"), value.get("content")) {
        (Some(Value::Object(slots)), _) => slots.clone(),
        (None, Some(Value::String(content))) => reply(content)?,
        _ => {
            return Err("the answer has neither an object `slots` nor a text `content`".to_owned());
        }
    };
    Ok(Answer {
        skill: text("skill")?,
        digest: text("digest")?,
        model: text("model").ok(),
        slots,
    })
}

/// Reads the reply of a model: a JSON object, alone, in a fence, or after other words.
///
/// # Errors
///
/// The reply has no JSON object.
pub fn reply(content: &str) -> Result<Map<String, Value>, String> {
    let starts = content.match_indices('{').map(|(at, _)| at);
    let found = starts.take(MAX_STARTS).find_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&content[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => Some(object),
            _ => None,
        }
    });
    let object = found.ok_or("the reply has no JSON object with slots")?;
    Ok(match object.get("slots") {
        Some(Value::Object(slots)) => slots.clone(),
        _ => object,
    })
}

/// The maximum number of braces at which an object is looked for.
const MAX_STARTS: usize = 20;
