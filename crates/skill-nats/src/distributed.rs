//! The executor of `type: distributed` with `transport: nats`: the skill of the same name on
//! another machine.

use serde_json::{Map, Value};
use skill_executor::Executor;
use skill_executor::call::{Call, DISTRIBUTED_TIMEOUT};
use skill_executor::envelope::{Envelope, ErrorCode, Failure, Meta, Success};
use skill_executor::package::SkillPackage;
use skill_model::{ExecutorKind, Transport};
use tokio::sync::oneshot;

use crate::call::{CallEvent, Caller, Patience, RemoteCall, cancelled};
use crate::protocol::failure;
use crate::server::Server;

/// Calls skills through a NATS server.
#[derive(Clone, Debug)]
pub struct Distributed {
    server: Server,
    patience: Patience,
}

impl Distributed {
    /// Creates an executor for this server.
    pub fn new(server: Server, patience: Patience) -> Self {
        Self { server, patience }
    }

    /// Creates an executor for this server. If nodes offer different skills of one name, the first
    /// node in `prefer` wins.
    pub fn preferring(server: Server, prefer: &[String]) -> Self {
        let patience = Patience {
            prefer: prefer.to_vec(),
            ..Patience::default()
        };
        Self::new(server, patience)
    }

    /// Connects, calls the skill and returns the envelope. Must not be called within a Tokio runtime.
    pub fn call(
        &self,
        call: &RemoteCall,
        on: &mut (dyn FnMut(CallEvent) + Send),
        cancel: impl Future<Output = ()> + Send,
    ) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => {
                return failure(&call.skill, "unavailable", "server", &error.to_string());
            }
        };
        runtime.block_on(async {
            tokio::pin!(cancel);
            let connected = tokio::select! {
                connected = self.server.connect("skills-run") => connected,
                () = &mut cancel => return cancelled(&call.skill),
            };
            match connected {
                Ok(connection) => {
                    let caller = Caller::new(&connection, self.patience.clone());
                    caller.call(call, on, cancel).await
                }
                Err(error) => failure(&call.skill, "unavailable", "server", &error.to_string()),
            }
        })
    }
}

impl Executor for Distributed {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Distributed
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        let metadata = &skill.metadata;
        metadata.executor == self.kind() && metadata.transport == Some(Transport::Nats)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        let remote = RemoteCall {
            id: None,
            skill: call.skill.metadata.name.clone(),
            command: call.command.map(str::to_owned),
            input: call.input.clone(),
            deadline: call.timeout(DISTRIBUTED_TIMEOUT),
        };
        let (sender, receiver) = oneshot::channel::<()>();
        let _watch = call.options.cancel.on_cancel(move || drop(sender));
        let given_up = async {
            // The channel is closed by a cancellation, now or before.
            let _ = receiver.await;
        };
        let answer = self.call(&remote, &mut |_| (), given_up);
        envelope(&remote.skill, answer)
    }
}

/// Returns the envelope that a node wrote as JSON. Any other JSON is a failure of the node.
fn envelope(skill: &str, answer: Value) -> Envelope {
    let Value::Object(mut answer) = answer else {
        let message = "the node did not answer with an envelope";
        let failure = Failure::new(ErrorCode::Protocol, message);
        return Envelope::failed(skill, "distributed", failure);
    };
    let meta = answer.remove("meta").unwrap_or_default();
    let outcome = if answer.get("ok") == Some(&Value::Bool(true)) {
        Ok(success(&mut answer))
    } else {
        Err(failed(&answer.remove("error").unwrap_or_default()))
    };
    let number = |key: &str| meta[key].as_u64().unwrap_or_default();
    let text = |key: &str| meta[key].as_str().map(str::to_owned);
    let mut extra = Map::new();
    for key in ["node", "call", "asked"] {
        extra.insert(key.to_owned(), meta[key].clone());
    }
    Envelope {
        outcome,
        warnings: Vec::new(),
        meta: Meta {
            skill: skill.to_owned(),
            command: text("command"),
            executor: "distributed".to_owned(),
            elapsed_ms: number("elapsed_ms"),
            exit_code: meta["exit_code"]
                .as_i64()
                .and_then(|code| code.try_into().ok()),
            stderr: text("stderr"),
            extra,
        },
    }
}

fn success(answer: &mut Map<String, Value>) -> Success {
    let mut list = |key: &str| match answer.remove(key) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    Success {
        content: list("content"),
        memory_writes: list("memory_writes"),
        intermediate_steps: list("intermediate_steps"),
        value: answer.remove("value").unwrap_or_default(),
        file: None,
    }
}

fn failed(error: &Value) -> Failure {
    let word = error["code"].as_str().unwrap_or_default();
    let code = ErrorCode::ALL.iter().find(|(code, _)| code.word() == word);
    let message = error["message"].as_str().unwrap_or_default();
    let mut res = Failure::new(code.map_or(ErrorCode::Protocol, |(code, _)| *code), message);
    if let Value::Object(details) = error["details"].clone() {
        res.details = details;
    }
    res
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks that the JSON of the envelope equals the answer of the node.
    #[track_caller]
    fn check(answer: &Value) {
        let envelope = envelope("x", answer.clone()).to_value();
        for key in ["ok", "value", "content", "memory_writes", "error"] {
            assert_eq!(envelope.get(key), answer.get(key), "{key}");
        }
    }

    #[test]
    fn answers_and_failures_survive_the_way() {
        check(
            &json!({"ok": true, "value": [1], "content": [{"type": "text"}], "memory_writes": [2]}),
        );
        check(
            &json!({"ok": false, "error": {"code": "timeout", "message": "m", "details": {"a": 1}}}),
        );
    }

    #[test]
    fn nonsense_is_a_failure_of_the_node() {
        let envelope = envelope("x", json!("text")).to_value();
        assert_eq!(envelope["error"]["code"], "protocol");
    }
}
