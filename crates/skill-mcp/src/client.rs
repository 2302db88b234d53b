//! Tools of other MCP servers as skills: `type: distributed` with `transport: mcp`.
//!
//! The address of the server is the key `MCP_SERVER_URL`, from the configuration of the skill if
//! its schema declares it, or else from the environment. An optional bearer token is
//! `MCP_SERVER_TOKEN`. The tool that is called has the name of the command, or of the only command
//! of the skill, or of the skill.
//!
//! **Invariant:** the answer of a server is only data; it grants nothing.

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ServiceExt as _, model::ErrorCode as McpErrorCode};
use serde_json::Value;
use skill_executor::Executor;
use skill_executor::call::{Call, DISTRIBUTED_TIMEOUT};
use skill_executor::envelope::{Envelope, ErrorCode, Failure, Meta, Success};
use skill_executor::package::SkillPackage;
use skill_model::{ExecutorKind, Metadata, Transport};
use tokio::sync::watch;
use tokio::time::timeout;

/// The key of the address, `http://host:port/mcp`.
const URL: &str = "MCP_SERVER_URL";
/// The key of the bearer token.
const TOKEN: &str = "MCP_SERVER_TOKEN";
/// The maximum size of an answer of a server, in bytes.
const MAX_ANSWER: usize = 16 << 20;

/// An executor that calls tools of other MCP servers over streamable HTTP.
#[derive(Clone, Copy, Debug)]
pub struct McpClient;

impl Executor for McpClient {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Distributed
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        let metadata = &skill.metadata;
        metadata.executor == self.kind() && metadata.transport == Some(Transport::Mcp)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        let metadata = &call.skill.metadata;
        let outcome = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::new(ErrorCode::Io, error.to_string()))
            .and_then(|runtime| runtime.block_on(answer(call)));
        Envelope {
            outcome,
            warnings: Vec::new(),
            meta: Meta {
                skill: metadata.name.clone(),
                command: call.command.map(str::to_owned),
                executor: "distributed".to_owned(),
                ..Meta::default()
            },
        }
    }
}

/// Connects, calls the tool and disconnects, all within the timeout of the call.
async fn answer(call: &Call<'_>) -> Result<Success, Failure> {
    let time = call.timeout(DISTRIBUTED_TIMEOUT);
    let (sender, signal) = watch::channel(false);
    let _watch = call.options.cancel.on_cancel(move || {
        sender.send_replace(true);
    });
    let (mut early, mut late) = (signal.clone(), signal);
    let cancelled = || Failure::new(ErrorCode::Cancelled, "the call was cancelled");
    let work = async {
        let client = tokio::select! {
            client = connect(call) => client?,
            () = until(&mut early) => return Err(cancelled()),
        };
        let mut request = CallToolRequestParams::new(tool(&call.skill.metadata, call.command));
        request.arguments = match call.input {
            Value::Object(arguments) => Some(arguments.clone()),
            _ => None,
        };
        let result = tokio::select! {
            result = client.call_tool(request) => Some(result),
            () = until(&mut late) => None,
        };
        // Disconnecting lets the server end what still runs for this client.
        let _ = client.cancel().await;
        success(
            result
                .ok_or_else(cancelled)?
                .map_err(|error| failed(&error))?,
        )
    };
    match timeout(time, work).await {
        Ok(answer) => answer,
        Err(_) => {
            let message = format!("no answer within {} ms", time.as_millis());
            Err(Failure::new(ErrorCode::Timeout, message))
        }
    }
}

/// Completes when the call is cancelled.
async fn until(signal: &mut watch::Receiver<bool>) {
    if signal.wait_for(|is_cancelled| *is_cancelled).await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn connect(call: &Call<'_>) -> Result<RunningService<RoleClient, ()>, Failure> {
    let unavailable = |message: String| Failure::new(ErrorCode::Unavailable, message);
    let setting = |key: &str| {
        let own = call.config.text(key).filter(|text| !text.is_empty());
        own.or_else(|| call.host.environment.get(key).cloned())
    };
    let url = setting(URL).ok_or_else(|| {
        let message = format!("{URL} is not set; set it in the configuration or the environment");
        Failure::new(ErrorCode::NotRunnable, message)
    })?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    config.max_sse_event_size = MAX_ANSWER;
    config.auth_header = setting(TOKEN);
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = ().serve(transport).await;
    client.map_err(|error| unavailable(format!("cannot reach the MCP server: {error}")))
}

/// Returns the name of the tool.
fn tool(metadata: &Metadata, command: Option<&str>) -> String {
    match (command, &metadata.commands[..]) {
        (Some(id), _) => id.to_owned(),
        (None, [only]) => only.id.clone(),
        _ => metadata.name.clone(),
    }
}

/// Converts an error of the server or of the connection.
fn failed(error: &ServiceError) -> Failure {
    let code = match error {
        ServiceError::McpError(data) if data.code == McpErrorCode::INVALID_PARAMS => {
            ErrorCode::InvalidInput
        }
        ServiceError::McpError(_) => ErrorCode::Protocol,
        _ => ErrorCode::Unavailable,
    };
    Failure::new(code, format!("the MCP server: {error}"))
}

/// Converts a result. The value is the structured content, or the only text, or all parts.
fn success(result: CallToolResult) -> Result<Success, Failure> {
    let content: Vec<Value> = result
        .content
        .iter()
        .filter_map(|part| serde_json::to_value(part).ok())
        .collect();
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|part| part["text"].as_str())
        .collect();
    if result.is_error == Some(true) {
        return Err(Failure::new(ErrorCode::PluginError, texts.join("\n")));
    }
    let value = match (result.structured_content, &texts[..]) {
        (Some(value), _) => value,
        (None, [text]) if content.len() == 1 => Value::from(*text),
        _ => Value::from(content.clone()),
    };
    Ok(Success {
        value,
        content,
        ..Success::default()
    })
}

#[cfg(test)]
mod tests {
    use rmcp::model::ContentBlock;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(result: CallToolResult, expected: Result<Value, &str>) {
        let found = success(result);
        match (found, expected) {
            (Ok(success), Ok(value)) => assert_eq!(success.value, value),
            (Err(failure), Err(message)) => assert_eq!(failure.message, message),
            (found, _) => panic!("{found:?}"),
        }
    }

    #[test]
    fn an_answer_is_what_is_structured_or_the_text_or_the_parts() {
        let text = |text: &str| ContentBlock::text(text.to_owned());
        check(CallToolResult::success(vec![text("a")]), Ok(json!("a")));
        check(
            CallToolResult::structured(json!({"n": 1})),
            Ok(json!({"n": 1})),
        );
        let two = CallToolResult::success(vec![text("a"), text("b")]);
        let parts = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        check(two, Ok(parts));
        check(CallToolResult::error(vec![text("no")]), Err("no"));
    }
}
