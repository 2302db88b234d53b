//! Conversations by WebSocket (RFC 6455): every message is recorded and acknowledged.

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use crate::exchange::Exchange;
use crate::visits::Log;

/// The answer to each message.
const ACKNOWLEDGEMENT: &str = r#"{"type":"ack","ok":true}"#;
/// The largest message, in bytes.
const MAX_MESSAGE: usize = 16 << 20;

/// Serves an upgraded connection until the program closes it.
pub(crate) async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, url: &str, log: &Log) {
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
    while let Some(Ok(message)) = socket.next().await {
        let exchange = match &message {
            Message::Text(text) => Exchange::of_message(url, Ok(text.as_str())),
            Message::Binary(bytes) => Exchange::of_message(url, Err(bytes)),
            Message::Ping(bytes) | Message::Pong(bytes) if !bytes.is_empty() => {
                log.add(Exchange::of_message(url, Err(bytes)));
                continue;
            }
            Message::Close(Some(frame)) if !frame.reason.is_empty() => {
                log.add(Exchange::of_message(url, Ok(frame.reason.as_str())));
                break;
            }
            Message::Close(_) => break,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
        };
        log.add(exchange);
        if socket.send(Message::text(ACKNOWLEDGEMENT)).await.is_err() {
            break;
        }
    }
}
