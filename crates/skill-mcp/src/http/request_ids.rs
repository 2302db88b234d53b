//! The ids of the requests of a session that the SDK is answering.
//!
//! The SDK sends an answer to the latest request with its id. Without this check, an earlier
//! request with the same id would wait without end.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

/// The request is not valid (JSON-RPC 2.0 §5.1).
const INVALID_REQUEST: i32 = -32600;

/// Sessions with the ids of their running requests, as JSON.
type Ids = BTreeSet<(Arc<str>, String)>;

/// The ids of all sessions.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestIds(Arc<Mutex<Ids>>);

/// The id of a running request; released when it is dropped.
#[derive(Debug)]
pub(super) struct RunningId {
    ids: RequestIds,
    key: (Arc<str>, String),
}

impl RequestIds {
    /// Records the request in a body as running, if the body is a request. The error is the body of
    /// the answer to a request whose id is running in the session.
    pub(super) fn begin(
        &self,
        session: &Arc<str>,
        body: &[u8],
    ) -> Result<Option<RunningId>, String> {
        let Some(id) = request_id(body) else {
            return Ok(None);
        };
        let key = (session.clone(), id.to_string());
        if !self.locked().insert(key.clone()) {
            return Err(refused(&id));
        }
        let ids = self.clone();
        Ok(Some(RunningId { ids, key }))
    }

    fn locked(&self) -> MutexGuard<'_, Ids> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningId {
    fn drop(&mut self) {
        self.ids.locked().remove(&self.key);
    }
}

/// Returns the id of a request; `None` for notifications, answers, and what is not a message.
fn request_id(body: &[u8]) -> Option<Value> {
    let mut message: Value = serde_json::from_slice(body).ok()?;
    message.get("method")?;
    let id = message.get_mut("id")?.take();
    (id.is_string() || id.is_number()).then_some(id)
}

fn refused(id: &Value) -> String {
    let why = format!("Invalid request: a request with the id {id} is running");
    let error = json!({"code": INVALID_REQUEST, "message": why});
    json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks whether a request is accepted while others are running.
    #[track_caller]
    fn check(running: &[(&str, &str)], session: &str, body: &str, expected: bool) {
        let ids = RequestIds::default();
        let begin = |session: &str, body: &str| ids.begin(&session.into(), body.as_bytes());
        let running: Vec<_> = running.iter().map(|(id, body)| begin(id, body)).collect();
        let found = begin(session, body);
        assert_eq!(found.is_ok(), expected, "{body}");
        match found {
            Ok(begun) => drop(begun),
            Err(answer) => assert!(answer.contains("is running"), "{answer}"),
        }
        drop(running);
        assert!(begin(session, body).is_ok(), "{body}");
    }

    #[test]
    fn an_id_that_is_running_is_refused() {
        let one = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let text = r#"{"jsonrpc":"2.0","id":"1","method":"ping"}"#;
        check(&[("a", one)], "a", one, false);
        check(&[("a", text)], "a", text, false);
        check(&[("a", text)], "a", one, true);
        check(&[("b", one)], "a", one, true);
        check(&[], "a", one, true);
        for other in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "[]",
            "",
        ] {
            check(&[("a", one), ("a", other)], "a", other, true);
        }
    }
}
