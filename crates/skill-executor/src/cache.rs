//! Answers that may be given again: only where `cache.cacheable` says so.
//!
//! The key is everything that an answer may depend on: the bytes of the skill, the command, the
//! arguments, the configuration and the caller.

use serde_json::{Map, Value, json};
use skill_loader::Hasher;

use crate::call::Call;
use crate::envelope::{Envelope, Meta, Success};
use crate::{answer, clock, json};

const DIR: &str = "cache";

/// Returns the path at which the answer of a call is cached; `None` for skills whose answers are
/// not.
pub(crate) fn key(call: &Call<'_>) -> Option<String> {
    let metadata = &call.skill.metadata;
    if !metadata.cache.cacheable || metadata.cache.ttl_s == 0 {
        return None;
    }
    let options = call.options;
    let caller = json!([
        options.request_ip,
        options.request_config,
        options.preferences
    ]);
    let config = Value::Object(call.config.values.clone());
    let mut hasher = Hasher::default();
    for part in [
        call.skill.digest().ok()?,
        call.command.unwrap_or_default().to_owned(),
        json::stringify(&canonical(call.input)),
        json::stringify(&canonical(&config)),
        call.config.file.clone().unwrap_or_default().text,
        json::stringify(&canonical(&caller)),
    ] {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Some(format!("{}.json", hasher.finish().hex()))
}

/// Returns a cached answer that is not too old.
pub(crate) fn find(call: &Call<'_>, key: &str) -> Option<Envelope> {
    let metadata = &call.skill.metadata;
    let record = call.host.state.read(&format!("{DIR}/{key}"))?;
    let age = clock::now_ms() - record["at_ms"].as_i64()?;
    let ttl = i64::try_from(metadata.cache.ttl_s)
        .ok()?
        .saturating_mul(1_000);
    if !(0..ttl).contains(&age) {
        return None;
    }
    let extra = Map::from_iter([("cached_ms".to_owned(), age.into())]);
    Some(Envelope {
        outcome: Ok(Success::new(record["value"].clone())),
        warnings: Vec::new(),
        meta: Meta {
            extra,
            ..answer::meta(call)
        },
    })
}

/// Stores a value. If that fails, the value is computed again the next time.
pub(crate) fn keep(call: &Call<'_>, key: &str, envelope: &Envelope) {
    if let Ok(success) = &envelope.outcome {
        let record = json!({"at_ms": clock::now_ms(), "value": success.value});
        let _ = call.host.state.write(DIR, key, &json::stringify(&record));
    }
}

/// Sorts the keys of a value, so that their order does not matter.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let sorted = entries
                .into_iter()
                .map(|(key, value)| (key.clone(), canonical(value)));
            Value::Object(sorted.collect())
        }
        Value::Array(items) => items.iter().map(canonical).collect(),
        other => other.clone(),
    }
}
