//! Messages between the executor and the bridge: four bytes of length, big-endian, then JSON.

use std::io::{self, ErrorKind, Read, Write};

use serde_json::{Map, Value};

use crate::json;

/// The most bytes of one message, in both directions. The old host took bodies of 300 MB; here a
/// message is held whole on both sides.
pub const MAX_FRAME: usize = 64 << 20;

/// Writes one message; one that is too long is an error of kind `InvalidInput`, and nothing is
/// written.
pub fn write_frame(to: &mut impl Write, body: &[u8]) -> io::Result<()> {
    let size = u32::try_from(body.len())
        .ok()
        .filter(|_| body.len() <= MAX_FRAME);
    let Some(size) = size else {
        let message = format!(
            "a message of {} bytes; at most {MAX_FRAME} are sent",
            body.len()
        );
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    };
    let mut frame = Vec::with_capacity(body.len() + 4);
    frame.extend_from_slice(&size.to_be_bytes());
    frame.extend_from_slice(body);
    to.write_all(&frame)
}

/// Reads one message; `None` at the end of the stream between two messages.
pub fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    match from.read_exact(&mut head) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let size = usize::try_from(u32::from_be_bytes(head)).unwrap_or(usize::MAX);
    if size > MAX_FRAME {
        let message = format!("a message of {size} bytes; at most {MAX_FRAME} are read");
        return Err(io::Error::new(ErrorKind::InvalidData, message));
    }
    let mut body = vec![0; size];
    from.read_exact(&mut body)?;
    Ok(Some(body))
}

/// A message of the bridge.
#[derive(Clone, PartialEq, Debug)]
pub enum Incoming {
    /// The answer to a request.
    Reply(u64, Reply),
    /// A call of another skill by the module.
    Ask(Ask),
    /// A message of the module to the host, or an incident outside of a call.
    Event(String, Value),
}

/// A call of another skill by the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Ask {
    /// The number under which the module waits for the answer.
    pub id: u64,
    /// The request that it is a part of, if the module knows.
    pub during: Option<u64>,
    /// The name of the skill.
    pub name: String,
    /// The arguments.
    pub args: Value,
}

/// The answer to a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The value, `None` for `undefined`; or the error.
    pub outcome: Result<Option<Value>, Refusal>,
    /// A problem that did not stop the call.
    pub warning: Option<String>,
}

/// The reason for a missing value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The kind of the problem.
    pub kind: RefusalKind,
    /// The message, in the words of the old host where it had one.
    pub message: String,
    /// The error object of the old host; empty for failures that it did not know.
    pub legacy: Map<String, Value>,
    /// The `code` of what was thrown, which the old host lost.
    pub code: Option<Box<Value>>,
}

/// The kinds of failed requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// The module could not be loaded.
    NotLoaded,
    /// It lacks the function.
    NotCallable,
    /// The function threw.
    Exception,
    /// It returned an error.
    PluginError,
    /// Its time was over.
    Timeout,
    /// The caller cancelled the call.
    Cancelled,
    /// The answer does not fit into a message.
    TooLarge,
}

impl RefusalKind {
    fn from_word(word: &str) -> Self {
        match word {
            "not-loaded" => Self::NotLoaded,
            "not-callable" => Self::NotCallable,
            "plugin-error" => Self::PluginError,
            "timeout" => Self::Timeout,
            "cancelled" => Self::Cancelled,
            "too-large" => Self::TooLarge,
            _ => Self::Exception,
        }
    }
}

/// Reads what the bridge sent; the error says what is wrong with it.
pub fn incoming(body: &[u8]) -> Result<Incoming, String> {
    let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let Ok(Value::Object(mut map)) = json::parse(text) else {
        return Err("a message that is not an object".to_owned());
    };
    if let Some(Value::String(name)) = map.remove("event") {
        return Ok(Incoming::Event(
            name,
            map.remove("data").unwrap_or(Value::Null),
        ));
    }
    if let Some(id) = map.get("ask").and_then(Value::as_u64) {
        let name = map.get("name").and_then(Value::as_str).unwrap_or_default();
        return Ok(Incoming::Ask(Ask {
            id,
            during: map.get("during").and_then(Value::as_u64),
            name: name.to_owned(),
            args: map.remove("args").unwrap_or(Value::Null),
        }));
    }
    let id = map
        .get("id")
        .and_then(Value::as_u64)
        .ok_or("a message without `id`")?;
    let warning = map
        .get("warning")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let outcome = match map.remove("error") {
        Some(error) => Err(refusal(&error)),
        None => Ok(map.remove("value")),
    };
    Ok(Incoming::Reply(id, Reply { outcome, warning }))
}

fn refusal(error: &Value) -> Refusal {
    let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
    let legacy = error.get("legacy").and_then(Value::as_object);
    Refusal {
        kind: RefusalKind::from_word(text("kind")),
        message: text("message").to_owned(),
        legacy: legacy.cloned().unwrap_or_default(),
        code: error.get("code").cloned().map(Box::new),
    }
}
