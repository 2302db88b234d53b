//! The settings in the address of a server.

use http_request::{login, percent_encoded};
use serde_json::Value;

use crate::call::Call;

/// Returns an address with the values of its settings, and the settings that have none: those stay as they
/// are written, so that the address shows them. A value in the login is percent-encoded; the query of a value
/// that the address begins with comes after the path.
pub(crate) fn with_settings(
    template: &str,
    value: impl Fn(&str) -> Option<String>,
) -> (String, Vec<String>) {
    let login = login(template).unwrap_or_default();
    let (mut res, mut missing) = (String::new(), Vec::new());
    let (mut at, mut query) = (0, None);
    while let Some(start) = template[at..].find("${").map(|start| at + start) {
        let Some(end) = template[start..].find('}').map(|end| start + end) else {
            break;
        };
        res.push_str(&template[at..start]);
        let key = &template[start + 2..end];
        match value(key) {
            Some(value) if login.contains(&start) => res.push_str(&percent_encoded(&value)),
            Some(value) if start == 0 && template[end + 1..].starts_with('/') => {
                let value = value.trim().split('#').next().unwrap_or_default();
                let (base, more) = value.split_once('?').unwrap_or((value, ""));
                res.push_str(base.trim_end_matches('/'));
                query = (!more.is_empty()).then(|| more.to_owned());
            }
            Some(value) => res.push_str(&value),
            None => {
                res.push_str(&template[start..=end]);
                missing.push(key.to_owned());
            }
        }
        at = end + 1;
    }
    res.push_str(&template[at..]);
    if let Some(query) = query {
        res.push(if res.contains('?') { '&' } else { '?' });
        res.push_str(&query);
    }
    missing.dedup();
    (res, missing)
}

/// Returns the default of a setting.
pub(crate) fn usual(call: &Call<'_>, key: &str) -> Option<String> {
    let schema = call.skill.metadata.config.schema.as_ref()?;
    let usual = schema.get("properties")?.get(key)?.get("default")?;
    Some(match usual {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    })
}
