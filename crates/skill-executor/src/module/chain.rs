//! Preprocessors, one after the other.
//!
//! Source: `docs/design/legacy-host.md` §1.1.6: the names of `preprocessor_order.json` first, unknown ones
//! ignored; then the rest, sorted as JavaScript sorts text.

use std::time::Instant;

use serde_json::Value;

use super::executor::{Modules, messages};
use crate::answer::elapsed_ms;
use crate::call::Call;
use crate::envelope::{Envelope, Meta, Success, Warning};
use crate::preflight;
use crate::redact::Redactor;

/// The order of preprocessors: `saved` is the content of `preprocessor_order.json`, anything but an
/// array counts as none. The result holds every name once; of equal names, the first counts.
pub fn order<'n>(names: &[&'n str], saved: &Value) -> Vec<&'n str> {
    let mut res: Vec<&str> = Vec::new();
    for name in saved
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if let Some(name) = names.iter().find(|known| **known == name)
            && !res.contains(name)
        {
            res.push(name);
        }
    }
    let mut rest: Vec<&str> = names
        .iter()
        .filter(|name| !res.contains(name))
        .copied()
        .collect();
    rest.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    rest.dedup();
    res.extend(rest);
    res
}

/// Sends the messages through the skills in their order. `links` are calls that differ in skill
/// and configuration; their input is not read. A link that cannot run, or fails, passes its input
/// on, with a warning.
pub fn run(modules: &Modules, links: &[Call<'_>], saved: &Value, input: Value) -> Envelope {
    let started = Instant::now();
    let names: Vec<_> = links.iter().map(|call| call.skill.legacy_name()).collect();
    let mut warnings = Vec::new();
    let mut current = Some(input);
    let order = order(&names, saved);
    for name in &order {
        let link = links.iter().find(|call| call.skill.legacy_name() == *name);
        let Some(call) = link else { continue };
        if call.options.cancel.is_cancelled() {
            break;
        }
        let (next, warning) = step(modules, call, current);
        warnings.extend(warning.map(|warning| named(warning, call)));
        current = next;
    }
    let meta = Meta {
        executor: "preprocessor".to_owned(),
        skill: order.join(", "),
        elapsed_ms: elapsed_ms(started),
        ..Meta::default()
    };
    let envelope = Envelope {
        outcome: Ok(Success::new(current.unwrap_or_default())),
        warnings,
        meta,
    };
    match links.first() {
        Some(call) => call.unless_cancelled(envelope),
        None => envelope,
    }
}

fn step(
    modules: &Modules,
    call: &Call<'_>,
    input: Option<Value>,
) -> (Option<Value>, Option<Warning>) {
    let res = preflight::check(call)
        .and_then(|()| modules.worker(call))
        .and_then(|worker| messages(call, input.as_ref(), &worker));
    res.unwrap_or_else(|failure| {
        let warning = Warning {
            code: "preprocessor-skipped",
            message: failure.message,
            pointer: None,
        };
        (input, Some(warning))
    })
}

fn named(warning: Warning, call: &Call<'_>) -> Warning {
    Warning {
        message: Redactor::new(call).redact(&warning.message),
        ..warning
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::order;

    #[track_caller]
    fn check(names: &[&str], saved: &Value, expected: &[&str]) {
        assert_eq!(order(names, saved), expected);
    }

    #[test]
    fn saved_names_come_first() {
        let names = ["b", "A", "d", "C"];
        check(&names, &Value::Null, &["A", "C", "b", "d"]);
        check(&names, &json!(["d", "b"]), &["d", "b", "A", "C"]);
        check(
            &names,
            &json!(["x", "d", "d", 5, null]),
            &["d", "A", "C", "b"],
        );
        check(&names, &json!({"0": "d"}), &["A", "C", "b", "d"]);
        check(
            &["é", "Z", "a", "𝒳", "\u{ffff}"],
            &json!([]),
            &["Z", "a", "é", "𝒳", "\u{ffff}"],
        );
        check(&["a", "a"], &json!([]), &["a"]);
        check(&[], &json!(["a"]), &[]);
    }
}
