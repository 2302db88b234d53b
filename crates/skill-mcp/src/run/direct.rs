//! The answer of the MCP server behind a skill, as that server gave it.
//!
//! Source: <https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result>

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode as McpCode, MetaObject};
use serde_json::{Value, json};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::hints;

use super::Runner;
use super::content::part;

/// The warnings that say why a tool failed in its sandbox.
const HINTS: [&str; 4] = [
    hints::SETTINGS_MISSING,
    hints::NETWORK_UNREACHABLE,
    hints::HOST_NOT_ALLOWED,
    hints::DIRECTORY_NOT_ALLOWED,
];
/// The words before the message of a server's error.
const BEFORE: &str = "the MCP server: ";

/// The result of a tool, or the error of the protocol with which the server behind it answered.
pub(crate) type Reply = Result<CallToolResult, ErrorData>;

/// Converts an envelope: content, structured content and errors are those of the server, without the paths
/// of this machine in errors. Failures of ours are as for every skill.
pub(super) fn direct(runner: &Runner, envelope: &Envelope) -> Reply {
    match &envelope.outcome {
        Ok(success) => {
            let content = success.content.iter().filter_map(part).collect();
            let mut res = CallToolResult::success(content);
            res.structured_content = structured(&success.value, &success.content).cloned();
            // Absent is false.
            res.is_error = None;
            res.meta = about(envelope);
            Ok(res)
        }
        Err(failure) if failure.code == ErrorCode::PluginError => {
            let mut said =
                json!({"text": failure.message, "content": failure.details.get("content")});
            runner.hidden.hide(&mut said);
            let parts = said["content"].as_array();
            let mut content: Vec<ContentBlock> =
                parts.into_iter().flatten().filter_map(part).collect();
            if content.is_empty() {
                let text = said["text"].as_str().unwrap_or_default();
                content.push(ContentBlock::text(text));
            }
            let hints = envelope.warnings.iter();
            let hints = hints.filter(|it| HINTS.contains(&it.code));
            content.extend(hints.map(|it| ContentBlock::text(format!("warning: {}", it.message))));
            let mut res = CallToolResult::error(content);
            res.structured_content = failure.details.get("result").cloned();
            res.meta = about(envelope);
            Ok(res)
        }
        Err(failure) => match error(failure) {
            Some(error) => Err(error),
            None => Ok(runner.result(envelope)),
        },
    }
}

/// Returns what the server says about its result (`_meta`).
fn about(envelope: &Envelope) -> Option<MetaObject> {
    let about = envelope.meta.extra.get("result_meta")?.as_object()?;
    Some(MetaObject(about.clone()))
}

/// Returns the structured content in a value: any value that is neither the only text nor the list of
/// all parts.
fn structured<'v>(value: &'v Value, content: &[Value]) -> Option<&'v Value> {
    let is_text = matches!(content, [only] if only["text"] == *value && value.is_string());
    let is_list = value.as_array().is_some_and(|items| items == content);
    (!is_text && !is_list).then_some(value)
}

/// Returns the error of JSON-RPC with which a server answered.
fn error(failure: &Failure) -> Option<ErrorData> {
    let code = failure.details.get("mcp_code")?.as_i64()?;
    let text = failure.message.strip_prefix(BEFORE)?.to_owned();
    let data = failure.details.get("data").cloned();
    Some(ErrorData::new(
        McpCode(i32::try_from(code).ok()?),
        text,
        data,
    ))
}
