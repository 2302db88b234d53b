//! What asynchronous skills delivered after their call.
//!
//! Source: `legacy-host.md` §1.4: the host wrote `VCPAsyncResults/{plugin}-{taskId}.json` and
//! filled `{{VCP_ASYNC_RESULT::plugin::taskId}}` in later messages.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use crate::envelope::{ErrorCode, Failure};
use crate::json;
use crate::state::State;
use crate::view::LEGACY;

/// What stands for a result that has not arrived: "result to be updated".
const PENDING: &str = "\u{7ed3}\u{679c}\u{5f85}\u{66f4}\u{65b0}...";

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\{{2,4}VCP_ASYNC_RESULT::([^:{}\r\n]+)::([^:{}\r\n]+)\}{2,4}";
    Regex::new(pattern).expect("a constant pattern")
});

/// Directory of the results below the legacy directory.
const RESULTS: &str = "VCPAsyncResults";
/// Longest name of a plugin or task, in bytes.
const MAX_NAME: usize = 200;

/// Keeps a result. `plugin` and `task` come from a URL and must be plain names.
pub fn store(state: &State, plugin: &str, task: &str, body: &Value) -> Result<(), Failure> {
    let name = file_name(plugin, task)?;
    state.write(
        &format!("{LEGACY}/{RESULTS}"),
        &name,
        &json::stringify(body),
    )
}

/// A result; `None` while there is none.
pub fn find(state: &State, plugin: &str, task: &str) -> Result<Option<Value>, Failure> {
    let name = file_name(plugin, task)?;
    Ok(state.read(&format!("{LEGACY}/{RESULTS}/{name}")))
}

/// A result by the id that was shown: `plugin-task` or `plugin::task`.
pub fn by_id(state: &State, id: &str) -> Result<Value, Failure> {
    let name = id.replacen("::", "-", 1);
    is_plain(&name)?;
    let found = state.read(&format!("{LEGACY}/{RESULTS}/{name}.json"));
    found.ok_or_else(|| {
        Failure::new(
            ErrorCode::NotFound,
            format!("there is no result `{id}` (yet)"),
        )
    })
}

/// A text with every `{{VCP_ASYNC_RESULT::plugin::task}}` (two to four braces) replaced: by the
/// `message` of the result, by a sentence about its `status`, or by what says that it is still to
/// come.
pub fn fill(state: &State, text: &str) -> String {
    let filled = PLACEHOLDER.replace_all(text, |found: &Captures<'_>| {
        let result = find(state, &found[1], &found[2]);
        sentence(&found[1], &found[2], result.ok().flatten().as_ref())
    });
    filled.into_owned()
}

fn sentence(plugin: &str, task: &str, result: Option<&Value>) -> String {
    let Some(result) = result else {
        return PENDING.to_owned();
    };
    let text = |key: &str| result[key].as_str().filter(|text| !text.is_empty());
    match (text("message"), text("status")) {
        (Some(message), _) => message.to_owned(),
        (None, Some("Failed" | "failed" | "error")) => {
            let why = text("reason")
                .or_else(|| text("error"))
                .unwrap_or("no reason was given");
            format!("Task {task} of {plugin} failed: {why}")
        }
        _ => format!("Task {task} of {plugin} succeeded."),
    }
}

fn file_name(plugin: &str, task: &str) -> Result<String, Failure> {
    is_plain(plugin)?;
    is_plain(task)?;
    Ok(format!("{plugin}-{task}.json"))
}

fn is_plain(name: &str) -> Result<(), Failure> {
    let is_fine = (1..=MAX_NAME).contains(&name.len())
        && !name.starts_with('.')
        && !name.contains(['/', '\\'])
        && !name.contains(char::is_control);
    if is_fine {
        return Ok(());
    }
    let message = format!("`{}` is no name of a result", name.escape_debug());
    Err(Failure::new(ErrorCode::InvalidInput, message))
}
