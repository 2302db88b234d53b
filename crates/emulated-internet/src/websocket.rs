//! Conversations by WebSocket (RFC 6455): every message is recorded. Made-up services acknowledge each; a
//! recorded one says again what it said, and a real one is asked.

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::cassette::{self, Said, Speaker, Take};
use crate::exchange::Exchange;
use crate::mask::Mask;
use crate::visits::Log;

/// The answer of a made-up service to each message.
const ACKNOWLEDGEMENT: &str = r#"{"type":"ack","ok":true}"#;
/// The largest message, in bytes.
const MAX_MESSAGE: usize = 16 << 20;
/// The most bytes of a conversation that are recorded.
const MAX_RECORDED: usize = 16 << 20;
/// The code of an end without one (RFC 6455, section 7.1.5).
const NO_CODE: u16 = 1005;

/// The side of a conversation that answers the program.
pub(crate) enum Partner {
    /// A made-up service.
    Made,
    /// A recorded service.
    Recorded(Vec<Said>),
    /// A real service; what it says is added to this take.
    Real(Box<Socket<Stream>>, Box<Take>),
}

/// A conversation on a stream.
pub(crate) type Socket<S> = WebSocketStream<S>;
/// A stream of bytes to a service.
pub(crate) type Stream = Box<dyn Bytes>;

/// A stream of bytes.
pub(crate) trait Bytes: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Bytes for S {}

/// Returns the limits of a conversation.
pub(crate) fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
}

/// Serves an upgraded connection until one side closes it.
pub(crate) async fn serve<S>(stream: S, url: &str, log: &Log, partner: Partner)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config())).await;
    let program = Program {
        url,
        log,
        socket: &mut socket,
    };
    // A program may leave at any time.
    let _ = match partner {
        Partner::Made => program.acknowledge().await,
        Partner::Recorded(messages) => program.replay(messages).await,
        Partner::Real(service, take) => program.record(*service, *take).await,
    };
}

/// The program of a conversation.
struct Program<'a, S> {
    url: &'a str,
    log: &'a Log,
    socket: &'a mut Socket<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Program<'_, S> {
    /// Records what the program says. Returns false for what needs no answer.
    fn hear(&self, message: &Message) -> bool {
        let exchange = match message {
            Message::Text(text) => Exchange::of_message(self.url, Ok(text.as_str())),
            Message::Binary(bytes) => Exchange::of_message(self.url, Err(bytes)),
            Message::Ping(bytes) | Message::Pong(bytes) if !bytes.is_empty() => {
                Exchange::of_message(self.url, Err(bytes))
            }
            Message::Close(Some(frame)) if !frame.reason.is_empty() => {
                Exchange::of_message(self.url, Ok(frame.reason.as_str()))
            }
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => {
                return false;
            }
        };
        self.log.add(exchange);
        matches!(message, Message::Text(_) | Message::Binary(_))
    }

    /// Returns the next text or binary message; `None` at the end.
    async fn next(&mut self) -> Option<Message> {
        while let Some(Ok(message)) = self.socket.next().await {
            if self.hear(&message) {
                return Some(message);
            }
            if message.is_close() {
                break;
            }
        }
        None
    }

    async fn acknowledge(mut self) -> Result<(), Error> {
        while self.next().await.is_some() {
            self.socket.send(Message::text(ACKNOWLEDGEMENT)).await?;
        }
        Ok(())
    }

    /// Says what a recorded service said: each message after as many of the program's as at that time.
    async fn replay(mut self, messages: Vec<Said>) -> Result<(), Error> {
        for Said { by, message } in messages {
            match (by, message) {
                (Speaker::Program, _) => {
                    if self.next().await.is_none() {
                        return Ok(());
                    }
                }
                (Speaker::Service, cassette::Message::Close(code)) => {
                    return self.socket.close(frame(code)).await;
                }
                (Speaker::Service, message) => self.socket.send(spoken(&message)).await?,
            }
        }
        while let Some(message) = self.next().await {
            let said = match message {
                Message::Text(text) => Exchange::of_message(self.url, Ok(text.as_str())),
                other => Exchange::of_message(self.url, Err(&other.into_data())),
            };
            let what = "the recording has no answer to this message";
            if let Some(mask) = self.log.source.mask() {
                self.log.add_gap(&mask.exchange(said), what);
            }
        }
        Ok(())
    }

    /// Passes messages on in both directions, and records them.
    async fn record(self, mut service: Socket<Stream>, mut take: Take) -> Result<(), Error> {
        let log = self.log;
        let Some(mask) = log.source.mask() else {
            return Ok(());
        };
        let mut n_bytes = 0;
        let res = loop {
            let (by, message) = tokio::select! {
                message = self.socket.next() => (Speaker::Program, message),
                message = service.next() => (Speaker::Service, message),
            };
            let Some(Ok(message)) = message else {
                break Ok(());
            };
            if by == Speaker::Program {
                self.hear(&message);
            }
            let said = kept(&message, mask);
            n_bytes += said.as_ref().map_or(0, cassette::Message::size);
            if n_bytes > MAX_RECORDED {
                let what = "the conversation is longer than 16 MiB";
                log.add_gap(&take.request, what);
                return Ok(());
            }
            take.messages
                .extend(said.map(|message| Said { by, message }));
            let is_end = message.is_close();
            let sent = match by {
                Speaker::Program => service.send(message).await,
                Speaker::Service => self.socket.send(message).await,
            };
            if is_end || sent.is_err() {
                break Ok(());
            }
        };
        log.add_take(take);
        // Lets the end reach both sides.
        let _ = tokio::join!(self.socket.close(None), service.close(None));
        res
    }
}

/// Returns what is recorded of a message: without secrets, and nothing of pings.
fn kept(message: &Message, mask: &Mask) -> Option<cassette::Message> {
    let plain = match message {
        Message::Text(text) => cassette::Message::Text(text.to_string()),
        Message::Binary(bytes) => cassette::Message::of_bytes(bytes),
        Message::Close(frame) => {
            let code = frame.as_ref().map_or(NO_CODE, |frame| frame.code.into());
            cassette::Message::Close(code)
        }
        Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => return None,
    };
    Some(mask.message(&plain))
}

/// Returns a recorded message as it is sent.
fn spoken(message: &cassette::Message) -> Message {
    match message {
        cassette::Message::Text(text) => Message::text(text.clone()),
        cassette::Message::Base64(_) => Message::binary(message.bytes()),
        cassette::Message::Close(code) => Message::Close(frame(*code)),
    }
}

fn frame(code: u16) -> Option<CloseFrame> {
    let code = CloseCode::from(code);
    code.is_allowed().then(|| CloseFrame {
        code,
        reason: "".into(),
    })
}
