//! The beginning of a conversation by WebSocket with a real service, while it is recorded.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::http::{Request, Response};

use crate::exchange;
use crate::question::{Answer, Question};
use crate::upstream::{OF_CONNECTION, Upstream};
use crate::websocket::{self, Socket, Stream};

/// The longest time until a service has answered.
const PATIENCE: Duration = Duration::from_secs(30);

/// The answer of a service to the request for a conversation.
pub(crate) enum Dialled {
    /// It accepts, with the headers of its answer that are kept.
    Open(Box<Socket<Stream>>, Answer),
    /// It refuses, with an ordinary answer.
    Refused(Answer),
}

/// Asks the host of a question for a conversation. The error is the reason why there is no answer.
pub(crate) async fn dial(upstream: &Upstream, question: &Question) -> Result<Dialled, String> {
    let dialled = timeout(PATIENCE, dial_patiently(upstream, question)).await;
    dialled.unwrap_or_else(|_| Err("the service does not answer".to_owned()))
}

async fn dial_patiently(upstream: &Upstream, question: &Question) -> Result<Dialled, String> {
    let stream = connect(upstream, question).await?;
    let request = request(question).map_err(|error| error.to_string())?;
    let opened = client_async_with_config(request, stream, Some(websocket::config())).await;
    match opened {
        Ok((socket, response)) => Ok(Dialled::Open(Box::new(socket), answer(&response, &[]))),
        Err(Error::Http(response)) => {
            let body = response.body().clone().unwrap_or_default();
            Ok(Dialled::Refused(answer(&response, &body)))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Connects to the first address of the host that accepts.
async fn connect(upstream: &Upstream, question: &Question) -> Result<Stream, String> {
    let (host, port, resolve) = (question.host.clone(), question.port, upstream.resolve());
    let name = host.trim_matches(['[', ']']).to_owned();
    let looked_up = name.clone();
    let found = tokio::task::spawn_blocking(move || resolve(&looked_up, port)).await;
    let found = found.map_err(|error| error.to_string())?;
    let addresses = found.map_err(|error| error.to_string())?;
    let stream = TcpStream::connect(addresses.as_slice()).await;
    let stream = stream.map_err(|error| error.to_string())?;
    if question.scheme != "wss" {
        return Ok(Box::new(stream));
    }
    let name = ServerName::try_from(name).map_err(|error| error.to_string())?;
    let encrypted = TlsConnector::from(tls()?).connect(name, stream).await;
    Ok(Box::new(encrypted.map_err(|error| error.to_string())?))
}

/// Returns the settings of TLS with the authorities of Mozilla, which requests trust too.
fn tls() -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions();
    let config = config.map_err(|error| error.to_string())?;
    Ok(Arc::new(
        config.with_root_certificates(roots).with_no_client_auth(),
    ))
}

/// Returns the request of the program with the handshake of this client: the extensions of the program are
/// left out, because what is said is to be read.
fn request(
    question: &Question,
) -> Result<Request<()>, tokio_tungstenite::tungstenite::http::Error> {
    let mut request = Request::builder()
        .method("GET")
        .uri(exchange::url(question))
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", generate_key());
    let mut has_host = false;
    for (name, value) in &question.headers {
        let is_of_handshake =
            name.starts_with("sec-websocket-") && name != "sec-websocket-protocol";
        if is_of_handshake || OF_CONNECTION.contains(&name.as_str()) {
            continue;
        }
        has_host |= name == "host";
        request = request.header(name, value);
    }
    if !has_host {
        request = request.header("host", &question.host);
    }
    request.body(())
}

/// Returns the answer to the request: of an accepted one only the protocol is kept.
fn answer<B>(response: &Response<B>, body: &[u8]) -> Answer {
    let kept = response.headers().iter().filter(|(name, _)| {
        let name = name.as_str();
        ["content-type", "sec-websocket-protocol", "retry-after"].contains(&name)
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Answer {
        status: response.status().as_u16(),
        headers: kept
            .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
            .collect(),
        body: body.to_vec(),
    }
}
