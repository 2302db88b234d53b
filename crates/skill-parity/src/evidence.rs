//! The evidence that an answer gives: whether the plugin did its work in it.

use std::collections::BTreeSet;

use serde_json::Value;
use skill_executor::envelope::Envelope;
use skill_executor::module::FAILED;
use skill_executor::{NO_NEW_VALUE, Request};

/// The evidence that an answer gives about a plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Evidence {
    /// It did its work.
    Worked,
    /// A conversation passed unchanged.
    Unchanged,
    /// It answered, but the answer shows no work, for this reason.
    Doubtful(String),
    /// It failed, with this message.
    Failed(String),
}

impl Evidence {
    /// Changes its text.
    pub(crate) fn map(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Doubtful(why) => Self::Doubtful(change(why)),
            Self::Failed(why) => Self::Failed(change(why)),
            other => other,
        }
    }
}

/// The signs of work besides the answers of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs<'s> {
    /// The program added, changed or removed files.
    pub(crate) changes_files: bool,
    /// The texts that the code of the plugin has for failures and for nothing else.
    pub(crate) excuses: &'s [String],
}

/// Returns what the answers to some calls prove: as much as the best of them.
pub(crate) fn of_all(envelopes: &[Envelope], requests: &[Request], signs: Signs<'_>) -> Evidence {
    let all = envelopes.iter().zip(requests);
    let all: Vec<_> = all
        .map(|(envelope, request)| of_one(envelope, &request.input, signs))
        .collect();
    let rank = |it: &&Evidence| match it {
        Evidence::Worked => 0,
        Evidence::Unchanged => 1,
        Evidence::Doubtful(_) => 2,
        Evidence::Failed(_) => 3,
    };
    all.iter().min_by_key(rank).unwrap_or(&all[0]).clone()
}

/// Returns what an answer to an input proves. Responses of routes prove something if one of them is not
/// an error of HTTP.
fn of_one(envelope: &Envelope, input: &Value, signs: Signs<'_>) -> Evidence {
    let value = match &envelope.outcome {
        Ok(success) => &success.value,
        Err(failure) => return Evidence::Failed(failure.message.clone()),
    };
    if let Some(why) = unmade(envelope) {
        return Evidence::Failed(why);
    }
    let is_conversation = input[0]["role"].is_string();
    if let (true, Some(messages)) = (is_conversation, value.as_array()) {
        return of_conversation(input, value, messages.len(), signs);
    }
    let is_request = input[0]["path"].is_string();
    let responses = value["responses"].as_array().filter(|_| is_request);
    let Some(responses) = responses else {
        return of_value(value, signs);
    };
    let mut statuses: Vec<u64> = responses
        .iter()
        .filter_map(|response| response["status"].as_u64())
        .collect();
    if statuses.iter().any(|status| *status < 400) {
        return Evidence::Worked;
    }
    statuses.sort_unstable();
    statuses.dedup();
    let statuses: Vec<_> = statuses.iter().map(u64::to_string).collect();
    Evidence::Failed(format!("every route answers {}", statuses.join(" or ")))
}

/// Returns the reason why a value is not one that the program made: the executor puts the last one, or
/// the input, in the place of an answer.
fn unmade(envelope: &Envelope) -> Option<String> {
    let mut warnings = envelope.warnings.iter();
    let warning = warnings.find(|it| [NO_NEW_VALUE, FAILED].contains(&it.code))?;
    let stderr = envelope.meta.stderr.as_deref().unwrap_or_default();
    let last = stderr.lines().map(str::trim).rfind(|it| !it.is_empty());
    Some(match last.filter(|_| warning.code == NO_NEW_VALUE) {
        Some(line) => format!("the program failed or printed nothing: {line}"),
        None => warning.message.clone(),
    })
}

/// Returns what a conversation proves: the texts that were put into it count.
fn of_conversation(input: &Value, value: &Value, n_messages: usize, signs: Signs<'_>) -> Evidence {
    if value == input {
        return Evidence::Unchanged;
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    append_texts(input, &mut before);
    append_texts(value, &mut after);
    let known: BTreeSet<&str> = before
        .iter()
        .flat_map(|text| text.split_whitespace())
        .collect();
    let all = after.iter().flat_map(|text| text.split_whitespace());
    let new: Vec<&str> = all.filter(|word| !known.contains(word)).collect();
    let is_same_length = input.as_array().map(Vec::len) == Some(n_messages);
    if signs.changes_files || new.is_empty() && !is_same_length {
        return Evidence::Worked;
    }
    if new.is_empty() {
        let why = "its answer only lacks texts of the conversation";
        return Evidence::Doubtful(why.to_owned());
    }
    of_text(&new.join(" "), signs.excuses)
}

/// Words of answers that report a failure, or that there is nothing to report; one in each line.
const FAILURES: &str = include_str!("evidence/failures.txt");
/// The longest answer that is searched for such words, in characters. A longer one has other content.
const MAX_EXCUSE: usize = 400;

/// Returns what a value proves that is neither a conversation nor responses.
fn of_value(value: &Value, signs: Signs<'_>) -> Evidence {
    if let Some(why) = reported_failure(value) {
        return Evidence::Failed(why);
    }
    if signs.changes_files {
        return Evidence::Worked;
    }
    let mut texts = Vec::new();
    append_texts(value, &mut texts);
    of_text(&texts.join(" "), signs.excuses)
}

/// Returns what the text of an answer proves that changes no file.
fn of_text(text: &str, excuses: &[String]) -> Evidence {
    let doubtful = |why: &str| Evidence::Doubtful(why.to_owned());
    if text.trim().is_empty() {
        return doubtful("its answer is empty, and it changes no file");
    }
    let lower = text.to_lowercase();
    let is_short = text.chars().count() <= MAX_EXCUSE;
    let is_excuse = is_short && FAILURES.lines().any(|word| lower.contains(word))
        || lower.lines().any(is_failed_line);
    if is_excuse {
        let shown: String = text.chars().take(MAX_SHOWN).collect();
        let why = format!("its answer may be the report of a failure: {shown}");
        return Evidence::Doubtful(why);
    }
    let mut excuses = excuses.iter();
    match excuses.find(|excuse| is_short && text.contains(excuse.as_str())) {
        Some(excuse) => {
            let why =
                format!("its answer has a text that its code shows after a failure: {excuse}");
            Evidence::Doubtful(why)
        }
        None => Evidence::Worked,
    }
}

/// The longest part of an answer in a reason, in characters.
const MAX_SHOWN: usize = 80;

/// Returns true for a line that states an error, perhaps as Markdown.
fn is_failed_line(line: &str) -> bool {
    let plain: String = line.chars().filter(|c| !"*#`>- ".contains(*c)).collect();
    let plain = plain.replace('：', ":");
    ["error:", "错误:", "status:failed", "状态:failed"]
        .iter()
        .any(|start| plain.starts_with(start))
}

/// Returns the message of a failure that a program reports as its value: an object, or the text of one,
/// for the value as a whole or for each placeholder.
fn reported_failure(value: &Value) -> Option<String> {
    let of_object = |value: &Value| {
        let is_failure = value["status"] == "error" || value.get("plugin_error").is_some();
        let message = ["plugin_error", "error", "message"].map(|key| &value[key]);
        let message = message.into_iter().find_map(Value::as_str);
        is_failure.then(|| message.unwrap_or("status: error").to_owned())
    };
    let of_text = |value: &Value| {
        let parsed = skill_executor::json::parse(value.as_str()?).ok()?;
        of_object(&parsed)
    };
    let map = value.as_object()?;
    of_object(value).or_else(|| map.values().find_map(of_text))
}

/// Appends the texts and numbers of a value, without the time of the answer.
fn append_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(_) | Value::Bool(_) => texts.push(value.to_string()),
        Value::Array(items) => items.iter().for_each(|it| append_texts(it, texts)),
        Value::Object(map) => {
            let own = map.iter().filter(|(key, _)| *key != "timestamp");
            own.for_each(|(_, it)| append_texts(it, texts));
        }
        Value::Null => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Evidence, Signs, of_conversation, of_value};

    #[track_caller]
    fn check(value: &serde_json::Value, changes_files: bool, expected: &str) {
        let excuses = ["the usual weather".to_owned()];
        let signs = Signs {
            changes_files,
            excuses: &excuses,
        };
        check_evidence(of_value(value, signs), &value.to_string(), expected);
    }

    #[track_caller]
    fn check_evidence(evidence: Evidence, value: &str, expected: &str) {
        let found = match evidence {
            Evidence::Worked => "worked".to_owned(),
            Evidence::Unchanged => "unchanged".to_owned(),
            Evidence::Doubtful(why) => format!("doubtful: {why}"),
            Evidence::Failed(why) => format!("failed: {why}"),
        };
        assert!(found.starts_with(expected), "{value}: {found}");
    }

    #[test]
    fn an_answer_that_shows_no_work_is_doubtful() {
        check(&json!({"sum": 3}), false, "worked");
        check(&json!({}), true, "worked");
        check(
            &json!({"timestamp": "2026"}),
            false,
            "doubtful: its answer is empty",
        );
        check(&json!([]), false, "doubtful: its answer is empty");
        check(
            &json!({"Weather": "Request failed"}),
            false,
            "doubtful: its answer may",
        );
        check(&json!({"Weather": "Request failed"}), true, "worked");
        let report = format!("{}\n**错误:** none", "a long report ".repeat(100));
        check(
            &json!({ "text": report }),
            false,
            "doubtful: its answer may",
        );
        let report = format!("{} error: none", "a long report ".repeat(100));
        check(&json!({ "text": report }), false, "worked");
    }

    #[test]
    fn an_answer_without_data_is_doubtful() {
        for text in [
            "没有找到相关记忆。",
            "[等待数据]",
            "No results for tea",
            "loading...",
            "目前没有待办日程。",
            "无法从输入提取编号: tea",
        ] {
            let value = json!({"text": text});
            check(
                &value,
                false,
                "doubtful: its answer may be the report of a failure: ",
            );
            check(&value, true, "worked");
        }
        let value = json!({"Weather": "today: the usual weather"});
        check(
            &value,
            false,
            "doubtful: its answer has a text that its code shows after a failure",
        );
        check(&json!({"Weather": "today: sun"}), false, "worked");
    }

    #[test]
    fn texts_that_are_put_into_a_conversation_count() {
        let message = |text: &str| json!({"role": "user", "content": text});
        let input = json!([message("see {{Notes}} here")]);
        for (output, expected) in [
            (json!([message("see tea and cake here")]), "worked"),
            (
                json!([message("see here")]),
                "doubtful: its answer only lacks texts",
            ),
            (
                json!([message("see (暂无笔记) here")]),
                "doubtful: its answer may be the report",
            ),
            (json!([]), "worked"),
            (input.clone(), "unchanged"),
        ] {
            let n = output.as_array().map_or(0, Vec::len);
            let signs = Signs {
                changes_files: false,
                excuses: &[],
            };
            let found = of_conversation(&input, &output, n, signs);
            check_evidence(found, &output.to_string(), expected);
        }
    }

    #[test]
    fn a_failure_as_a_value_is_a_failure() {
        check(
            &json!({"status": "error", "error": "no key"}),
            true,
            "failed: no key",
        );
        check(&json!({"plugin_error": "no key"}), false, "failed: no key");
        let text = json!({"status": "error", "error": "no directory"}).to_string();
        check(&json!({"Tree": text}), false, "failed: no directory");
    }
}
