//! Messages as lines of JSON-RPC. A line that is not a message is answered with an error.
//!
//! The SDK's transport silently drops what it cannot read, and the client waits without end.
//! JSON-RPC 2.0 §5.1 requires an error with the id null instead
//! (<https://www.jsonrpc.org/specification#error_object>).
//!
//! **Invariant:** at most [`MAX_LINE`] bytes of a line are in memory, however long it is.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex as StdMutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// The maximum size of a message, in bytes. A longer one is answered with an error and the next one
/// is read. The largest request of a client is a call with arguments.
pub const MAX_LINE: usize = 1024 * 1024;

/// The line is not JSON (JSON-RPC 2.0 §5.1).
const PARSE_ERROR: i32 = -32700;
/// The JSON is not a message.
const INVALID_REQUEST: i32 = -32600;
/// The byte order mark, which a text may begin with and a reader may ignore (RFC 8259 §8.1).
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A message of a client.
type Message = RxJsonRpcMessage<RoleServer>;

/// Two streams with a message in each line.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<W>>,
    line: Vec<u8>,
    /// True while the rest of a line that is too long is skipped.
    skips: bool,
    /// The ids of the requests that are running, as JSON. A second answer with the same id would
    /// never reach the client.
    running: Arc<StdMutex<BTreeSet<String>>>,
    /// An error that is being written. The next line is read after it, so that the errors for a
    /// client that never reads do not fill the memory.
    answering: Option<JoinHandle<io::Result<()>>>,
}

/// The result of reading a line.
enum ReadResult {
    /// `line` is complete.
    Line,
    /// The line is too long; what was read of it is dropped.
    TooLong,
    /// The input has ended.
    End,
}

/// The error for a line that is not a message.
#[derive(PartialEq, Debug)]
struct LineError {
    id: Value,
    code: i32,
    why: String,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Lines<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            skips: false,
            running: Arc::default(),
            answering: None,
        }
    }

    /// Reads to the end of a line. The future may be dropped at any time: what was read stays in
    /// `line`.
    async fn read(&mut self) -> io::Result<ReadResult> {
        loop {
            let bytes = self.input.fill_buf().await?;
            if bytes.is_empty() {
                // A client may close its end without ending its last line.
                let is_line = !self.line.is_empty();
                return Ok(if is_line {
                    ReadResult::Line
                } else {
                    ReadResult::End
                });
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let (is_end, n_bytes) = (end.is_some(), part.len() + usize::from(end.is_some()));
            let is_too_long = self.line.len() + part.len() > MAX_LINE;
            if !self.skips && !is_too_long {
                self.line.extend_from_slice(part);
            }
            self.input.consume(n_bytes);
            if self.skips {
                self.skips = !is_end;
            } else if is_too_long {
                self.skips = !is_end;
                self.line.clear();
                return Ok(ReadResult::TooLong);
            } else if is_end {
                return Ok(ReadResult::Line);
            }
        }
    }

    /// Begins to answer a line that is not a message. The writing is a task of its own, because the
    /// future of `receive` may be dropped.
    fn answer(&mut self, line_error: &LineError) {
        tracing::debug!(code = line_error.code, "{}", line_error.why);
        let error = json!({"code": line_error.code, "message": line_error.why});
        let answer = json!({"jsonrpc": "2.0", "id": line_error.id, "error": error});
        let written = write(self.output.clone(), answer.to_string());
        self.answering = Some(tokio::spawn(written));
    }

    /// Waits until the last error is written.
    async fn answered(&mut self) -> io::Result<()> {
        if let Some(writing) = &mut self.answering {
            let done = writing.await;
            self.answering = None;
            done.map_err(io::Error::other)??;
        }
        Ok(())
    }

    /// Records the id of a request as running, and removes the id of a cancelled request. Refuses a
    /// request whose id is running.
    fn begun(&self, message: Option<Message>) -> Result<Option<Message>, LineError> {
        match &message {
            Some(JsonRpcMessage::Request(request)) => {
                let id = json!(request.id);
                if !locked(&self.running).insert(id.to_string()) {
                    let why = format!("Invalid request: a request with the id {id} is running");
                    return Err(line_error(id, INVALID_REQUEST, why));
                }
            }
            Some(JsonRpcMessage::Notification(sent)) => {
                if let ClientNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // The SDK does not answer a cancelled request.
                    locked(&self.running).remove(&json!(id).to_string());
                }
            }
            _ => {}
        }
        Ok(message)
    }

    /// Returns the next message, or `None` at the end of the input.
    async fn next(&mut self) -> io::Result<Option<Message>> {
        loop {
            self.answered().await?;
            match self.read().await? {
                ReadResult::End => return Ok(None),
                ReadResult::TooLong => {
                    let why = format!("Parse error: a line has more than {MAX_LINE} bytes");
                    self.answer(&line_error(Value::Null, PARSE_ERROR, why));
                }
                ReadResult::Line => {
                    let read = message(&self.line);
                    self.line.clear();
                    match read.and_then(|message| self.begun(message)) {
                        Ok(Some(message)) => return Ok(Some(message)),
                        Ok(None) => {}
                        Err(error) => self.answer(&error),
                    }
                }
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = answered {
            locked(&self.running).remove(&json!(id).to_string());
        }
        let output = self.output.clone();
        async move { write(output, serde_json::to_string(&message)?).await }
    }

    async fn receive(&mut self) -> Option<Message> {
        self.next().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot read from the client");
            None
        })
    }

    async fn close(&mut self) -> io::Result<()> {
        self.answered().await?;
        self.output.lock().await.shutdown().await
    }
}

fn locked<T>(mutex: &StdMutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes one complete line.
async fn write(output: Arc<Mutex<impl AsyncWrite + Unpin>>, mut line: String) -> io::Result<()> {
    line.push('\n');
    let mut output = output.lock().await;
    output.write_all(line.as_bytes()).await?;
    output.flush().await
}

fn line_error(id: Value, code: i32, why: String) -> LineError {
    LineError { id, code, why }
}

/// Parses the message of a line. Returns `None` for blank lines and unknown notifications, which
/// need no answer.
fn message(line: &[u8]) -> Result<Option<Message>, LineError> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| line_error(Value::Null, PARSE_ERROR, format!("Parse error: {error}")))?;
    let id = id(&value);
    let is_notification = value.get("id").is_none() && value["method"].is_string();
    match serde_json::from_value(value) {
        Ok(message) => Ok(Some(message)),
        Err(_) if is_notification => Ok(None),
        Err(_) => {
            let why = "Invalid request: expected a JSON-RPC 2.0 message of MCP".to_owned();
            Err(line_error(id, INVALID_REQUEST, why))
        }
    }
}

/// Returns the id that an answer repeats, or null.
fn id(value: &Value) -> Value {
    match value.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[track_caller]
    fn check(line: &[u8], expected: Option<(i32, &Value)>) {
        let error = message(line).err();
        let found = error.as_ref().map(|error| (error.code, &error.id));
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(line));
    }

    #[test]
    fn a_line_is_a_message_or_gets_an_error() {
        check(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, None);
        check(
            b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r",
            None,
        );
        check(b"  \r", None);
        check(
            br#"{"jsonrpc":"2.0","method":"$/setTrace","params":7}"#,
            None,
        );
        for bad in [
            &b"\xff\xfe\x80{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"[..],
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
            b"\0\0\0\0",
            b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":",
            &vec![b'['; 100_000],
        ] {
            check(bad, Some((PARSE_ERROR, &Value::Null)));
        }
        check(b"[]", Some((INVALID_REQUEST, &Value::Null)));
        check(
            br#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#,
            Some((INVALID_REQUEST, &json!(3))),
        );
        check(
            br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            Some((INVALID_REQUEST, &Value::Null)),
        );
    }

    /// Checks the number of messages and the codes of the errors for this input.
    async fn check_end(input: &[u8], n_messages: usize, errors: &[i32]) {
        let mut output = Vec::new();
        let (writes, mut answers) = tokio::io::duplex(1 << 16);
        let mut lines = Lines::new(input, writes);
        let mut found = 0;
        while lines.next().await.unwrap().is_some() {
            found += 1;
        }
        lines.close().await.unwrap();
        drop(lines);
        answers.read_to_end(&mut output).await.unwrap();
        let codes = output.split(|byte| *byte == b'\n').filter_map(|line| {
            let answer: Value = serde_json::from_slice(line).ok()?;
            i32::try_from(answer["error"]["code"].as_i64()?).ok()
        });
        let shown = String::from_utf8_lossy(&input[..input.len().min(80)]);
        assert_eq!(found, n_messages, "{shown}");
        assert_eq!(codes.collect::<Vec<_>>(), errors, "{shown}");
    }

    #[tokio::test]
    async fn a_last_line_needs_no_end() {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        check_end(ping.as_bytes(), 1, &[]).await;
        check_end(format!("{ping}\n").as_bytes(), 1, &[]).await;
        let other = ping.replace("\"id\":1", "\"id\":2");
        check_end(format!("{ping}\n{other}").as_bytes(), 2, &[]).await;
        check_end(&ping.as_bytes()[..20], 0, &[PARSE_ERROR]).await;
        check_end(b"  ", 0, &[]).await;
        check_end(&vec![b'a'; MAX_LINE + 1], 0, &[PARSE_ERROR]).await;
    }

    #[tokio::test]
    async fn an_id_in_use_is_refused() {
        let ping = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#) + "\n";
        let cancel =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#;
        let cancelled = format!("{}{cancel}\n{}", ping("2"), ping("2"));
        check_end((ping("1") + &ping("1")).as_bytes(), 1, &[INVALID_REQUEST]).await;
        check_end((ping("1") + &ping("\"1\"")).as_bytes(), 2, &[]).await;
        check_end(cancelled.as_bytes(), 3, &[]).await;
        // An answered id may be used again.
        let twice = ping("1").repeat(2);
        let mut lines = Lines::new(twice.as_bytes(), Vec::new());
        assert!(lines.next().await.unwrap().is_some());
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        let answer = serde_json::from_str(answer).unwrap();
        lines.send(answer).await.unwrap();
        assert!(lines.next().await.unwrap().is_some());
    }

    /// Lines that cannot be read are answered in order, and the next message is read.
    #[tokio::test]
    async fn lines_are_bounded_and_answered() {
        let (mut client, input) = tokio::io::duplex(1 << 16);
        let (output, answers) = tokio::io::duplex(1 << 16);
        let mut lines = Lines::new(input, output);
        let writing = tokio::spawn(async move {
            let piece = vec![b'a'; 1 << 20];
            for _ in 0..12 {
                client.write_all(&piece).await.unwrap();
            }
            client.write_all(b"\n\0\n\n").await.unwrap();
            let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
            client.write_all(ping).await.unwrap();
        });
        let mut answers = BufReader::new(answers).lines();
        let message = lines.next().await.unwrap();
        assert!(message.is_some());
        assert!(lines.line.capacity() <= 2 * MAX_LINE);
        writing.await.unwrap();
        for _ in 0..2 {
            let answer = answers.next_line().await.unwrap().unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["error"]["code"], PARSE_ERROR, "{answer}");
            assert_eq!(answer["id"], Value::Null);
        }
        assert!(lines.next().await.unwrap().is_none());
    }
}
