//! The requests of an observation.

use serde_json::Value;

/// Sorts the requests of an observation, where their order is not to be compared.
pub(crate) fn sort(observed: &mut Value) {
    if let Some(requests) = observed["requests"].as_array_mut() {
        requests.sort_by_cached_key(Value::to_string);
    }
}

/// Returns the method and the address of each request of an observation, in order.
pub(crate) fn sequence(observed: &Value) -> Vec<String> {
    let requests = observed["requests"].as_array().into_iter().flatten();
    requests
        .map(|request| format!("{} {}", request["method"], request["url"]))
        .collect()
}
