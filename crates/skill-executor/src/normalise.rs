//! Turns the result of a tool into what the model gets.
//!
//! Source: `docs/design/legacy-host.md` §1.3, *Result normalisation*, in that order.

use serde_json::{Map, Value, json};

use crate::envelope::{ErrorCode, Failure, Success};
use crate::json;

/// The flag of the old host's own silent answers; a reply that carries it is passed on as it is.
pub const SILENT: &str = "__vcpArcheryNoReplySilent";

/// Data that only the caller and the clock provide.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// The name of the plugin in the old host.
    pub name: &'c str,
    /// `maid` of the arguments.
    pub maid: Option<&'c Value>,
    /// The time stamp that every object gets.
    pub timestamp: &'c str,
}

impl<'c> Context<'c> {
    /// The context of a call with these arguments.
    pub fn new(name: &'c str, input: &'c Value, timestamp: &'c str) -> Self {
        let maid = input.get("maid").filter(|maid| is_truthy(maid));
        Self {
            name,
            maid,
            timestamp,
        }
    }
}

/// The reply of a stdio tool: an object with `status`.
pub fn from_reply(mut reply: Map<String, Value>, context: Context<'_>) -> Result<Success, Failure> {
    let memory_writes = list(reply.remove("memory_writes"));
    let intermediate_steps = list(reply.remove("intermediate_steps"));
    let result = reply.remove("result");
    if reply.get(SILENT).is_some_and(is_truthy) {
        return Ok(Success::new(result.unwrap_or_default()));
    }
    if reply.get("status").and_then(Value::as_str) != Some("success") {
        let error = reply.remove("error").filter(is_truthy);
        let said = reply.remove("message").filter(|_| error.is_none());
        let failure = outer_error(error, result.filter(is_truthy), context);
        return Err(with_message(failure, said));
    }
    let result = match result {
        Some(Value::String(text)) => Some(match json::parse(&text) {
            Ok(value) => value,
            Err(_) => json!({"original_plugin_output": text}),
        }),
        other => other,
    };
    let mut res = from_returned(result, context)?;
    res.memory_writes = memory_writes;
    res.intermediate_steps = intermediate_steps;
    Ok(res)
}

/// Normalises the value of a function, or the `result` of a reply: `None` is JavaScript's
/// undefined.
pub fn from_returned(result: Option<Value>, context: Context<'_>) -> Result<Success, Failure> {
    let value = match result {
        Some(Value::Object(map)) => unwrapped(map, context)?,
        other => other,
    };
    Ok(Success::new(finished(value, context)))
}

/// An error in the object is thrown; a success around another object is taken off, once.
fn unwrapped(mut map: Map<String, Value>, context: Context<'_>) -> Result<Option<Value>, Failure> {
    match map.get("status").and_then(Value::as_str) {
        Some("error") => Err(inner_error(map, context)),
        Some("success") if is_js_object(map.get("result")) => Ok(map.remove("result")),
        _ => Ok(Some(Value::Object(map))),
    }
}

fn is_js_object(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Object(_) | Value::Array(_)))
}

/// Objects get a maid and a time stamp; arrays pass; everything else is wrapped.
fn finished(value: Option<Value>, context: Context<'_>) -> Value {
    let mut map = match value {
        Some(Value::Array(items)) => return Value::Array(items),
        Some(Value::Object(map)) => map,
        Some(other) => Map::from_iter([("original_plugin_output".to_owned(), other)]),
        None => Map::new(),
    };
    if let Some(maid) = context.maid {
        map.insert("MaidName".to_owned(), maid.clone());
    }
    map.insert("timestamp".to_owned(), context.timestamp.into());
    Value::Object(map)
}

/// Keeps `result`, drops the plugin's code: `{status:"error"}` around everything.
fn outer_error(error: Option<Value>, result: Option<Value>, context: Context<'_>) -> Failure {
    let mut legacy = Map::new();
    let reason = reason(error.as_ref(), result.as_ref());
    if let Some(result) = result {
        legacy.insert("result".to_owned(), result);
    }
    legacy.insert(
        "plugin_error".to_owned(),
        error.unwrap_or_else(|| unspecified(context)),
    );
    plugin_error(legacy, reason, context)
}

/// Returns the text of a reply that says its error in `result` only. The old host gave that to the model
/// too, beside an error without words.
fn reason(error: Option<&Value>, result: Option<&Value>) -> Option<String> {
    let text = result.and_then(Value::as_str).map(str::trim);
    let text = text.filter(|text| !text.is_empty() && error.is_none());
    text.map(str::to_owned)
}

/// Adds the message of a reply without `error`, which the old host dropped.
fn with_message(mut failure: Failure, said: Option<Value>) -> Failure {
    if let Some(Value::String(text)) = said.filter(is_truthy) {
        failure.message = format!("{} {text}", failure.message);
        failure.details.insert("message".to_owned(), text.into());
    }
    failure
}

/// Keeps `result` and `code`: `{status:"error"}` inside a success, or returned by a function.
fn inner_error(mut map: Map<String, Value>, context: Context<'_>) -> Failure {
    let mut legacy = Map::new();
    let result = map.remove("result").filter(is_truthy);
    let error = map.remove("error").filter(is_truthy);
    let error = error.or_else(|| map.remove("message").filter(is_truthy));
    let reason = reason(error.as_ref(), result.as_ref());
    if let Some(result) = result {
        legacy.insert("result".to_owned(), result);
    }
    legacy.insert(
        "plugin_error".to_owned(),
        error.unwrap_or_else(|| unspecified(context)),
    );
    if let Some(code) = map.remove("code").filter(is_truthy) {
        legacy.insert("code".to_owned(), code);
    }
    plugin_error(legacy, reason, context)
}

fn unspecified(context: Context<'_>) -> Value {
    format!("Plugin \"{}\" reported an unspecified error.", context.name).into()
}

/// `legacy` as the details of a failure whose message is its `plugin_error`, and the reason that is only
/// elsewhere.
fn plugin_error(
    mut legacy: Map<String, Value>,
    reason: Option<String>,
    context: Context<'_>,
) -> Failure {
    let mut message = match &legacy["plugin_error"] {
        Value::String(text) => text.clone(),
        other => json::stringify(other),
    };
    if let Some(reason) = reason {
        message = format!("{message} {reason}");
    }
    if let Some(maid) = context.maid {
        legacy.insert("MaidName".to_owned(), maid.clone());
    }
    Failure {
        code: ErrorCode::PluginError,
        message,
        details: legacy,
    }
}

/// Returns true if JavaScript treats the value as true.
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64().is_some_and(|value| value != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn list(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Context, from_reply, from_returned};
    use crate::envelope::{Failure, Success};
    use crate::json::{parse, stringify};

    fn text(res: Result<Success, Failure>) -> String {
        match res {
            Ok(success) => stringify(&success.value),
            Err(failure) => format!("{} {}", failure.message, json!(failure.details)),
        }
    }

    #[track_caller]
    fn check(input: &Value, reply: &str, expected: &str) {
        let Ok(Value::Object(map)) = parse(reply) else {
            panic!("{reply} is no object");
        };
        let context = Context::new("X", input, "T");
        assert_eq!(text(from_reply(map, context)), expected, "{reply}");
    }

    #[test]
    fn replies() {
        let none = Value::Null;
        for (reply, expected) in [
            // Objects get the time, over their own.
            (
                r#"{"status":"success","result":{"a":1}}"#,
                r#"{"a":1,"timestamp":"T"}"#,
            ),
            (
                r#"{"status":"success","result":{"timestamp":"own","MaidName":"m"}}"#,
                r#"{"timestamp":"T","MaidName":"m"}"#,
            ),
            // 1. Text is tried as JSON, once.
            (
                r#"{"status":"success","result":"42"}"#,
                r#"{"original_plugin_output":42,"timestamp":"T"}"#,
            ),
            (
                r#"{"status":"success","result":"hi"}"#,
                r#"{"original_plugin_output":"hi","timestamp":"T"}"#,
            ),
            (
                r#"{"status":"success","result":"{\"a\":1}"}"#,
                r#"{"a":1,"timestamp":"T"}"#,
            ),
            (r#"{"status":"success","result":" [1, 2] "}"#, "[1,2]"),
            (
                r#"{"status":"success","result":"\"{}\""}"#,
                r#"{"original_plugin_output":"{}","timestamp":"T"}"#,
            ),
            // 2. Errors inside and outside.
            (
                r#"{"status":"success","result":{"status":"error","message":"m","code":7}}"#,
                r#"m {"plugin_error":"m","code":7}"#,
            ),
            (
                r#"{"status":"success","result":{"status":"error","error":"e","message":"m","result":{"r":1}}}"#,
                r#"e {"result":{"r":1},"plugin_error":"e"}"#,
            ),
            (
                r#"{"status":"error","error":"boom","code":7}"#,
                r#"boom {"plugin_error":"boom"}"#,
            ),
            (
                r#"{"status":"error","result":"only"}"#,
                r#"Plugin "X" reported an unspecified error. only {"result":"only","plugin_error":"Plugin \"X\" reported an unspecified error."}"#,
            ),
            (
                r#"{"status":"error","message":"too short"}"#,
                r#"Plugin "X" reported an unspecified error. too short {"plugin_error":"Plugin \"X\" reported an unspecified error.","message":"too short"}"#,
            ),
            (
                r#"{"status":"error","error":{"a":[1]}}"#,
                r#"{"a":[1]} {"plugin_error":{"a":[1]}}"#,
            ),
            // 3. One layer of success goes, around objects and arrays.
            (
                r#"{"status":"success","result":{"status":"success","result":{"status":"success","result":{"a":1}}}}"#,
                r#"{"status":"success","result":{"a":1},"timestamp":"T"}"#,
            ),
            (
                r#"{"status":"success","result":{"status":"success","result":"s"}}"#,
                r#"{"status":"success","result":"s","timestamp":"T"}"#,
            ),
            (
                r#"{"status":"success","result":{"status":"success","result":[1]}}"#,
                "[1]",
            ),
            (
                r#"{"status":"success","result":{"status":"success","result":null}}"#,
                r#"{"status":"success","result":null,"timestamp":"T"}"#,
            ),
            // 4. A value that is not an object is wrapped; arrays pass; nothing stays nothing.
            (
                r#"{"status":"success","result":null}"#,
                r#"{"original_plugin_output":null,"timestamp":"T"}"#,
            ),
            (
                r#"{"status":"success","result":true}"#,
                r#"{"original_plugin_output":true,"timestamp":"T"}"#,
            ),
            (r#"{"status":"success","result":[1,2]}"#, "[1,2]"),
            (r#"{"status":"success"}"#, r#"{"timestamp":"T"}"#),
            // The host's private flag.
            (
                r#"{"status":"success","__vcpArcheryNoReplySilent":true,"result":{"raw":1}}"#,
                r#"{"raw":1}"#,
            ),
        ] {
            check(&none, reply, expected);
        }
    }

    #[test]
    fn maids() {
        let maid = json!({"maid": "Ada"});
        check(
            &maid,
            r#"{"status":"success","result":1}"#,
            r#"{"original_plugin_output":1,"MaidName":"Ada","timestamp":"T"}"#,
        );
        check(
            &maid,
            r#"{"status":"error","error":"e"}"#,
            r#"e {"plugin_error":"e","MaidName":"Ada"}"#,
        );
        check(&maid, r#"{"status":"success","result":[1]}"#, "[1]");
        check(
            &json!({"maid": ""}),
            r#"{"status":"success","result":{}}"#,
            r#"{"timestamp":"T"}"#,
        );
    }

    #[test]
    fn returned_values() {
        // Functions: text stays text, undefined leaves the time stamp alone.
        let input = Value::Null;
        let context = Context::new("X", &input, "T");
        for (result, expected) in [
            (None, r#"{"timestamp":"T"}"#),
            (
                Some(json!("{\"a\":1}")),
                r#"{"original_plugin_output":"{\"a\":1}","timestamp":"T"}"#,
            ),
            (
                Some(json!({"status": "error", "error": "biz", "code": "C"})),
                r#"biz {"plugin_error":"biz","code":"C"}"#,
            ),
            (
                Some(json!({"status": "success"})),
                r#"{"status":"success","timestamp":"T"}"#,
            ),
        ] {
            assert_eq!(text(from_returned(result, context)), expected);
        }
    }

    #[test]
    fn what_passes_beside_the_value() {
        let reply = json!({
            "status": "success",
            "result": {"content": [{"type": "text", "text": "t"}]},
            "memory_writes": [{"k": 1}],
            "intermediate_steps": ["looked"],
        });
        let Value::Object(map) = reply else {
            unreachable!()
        };
        let input = Value::Null;
        let res = from_reply(map, Context::new("X", &input, "T")).expect("a success");
        assert_eq!(res.content, [json!({"type": "text", "text": "t"})]);
        assert_eq!(res.memory_writes, [json!({"k": 1})]);
        assert_eq!(res.intermediate_steps, [json!("looked")]);
    }
}
