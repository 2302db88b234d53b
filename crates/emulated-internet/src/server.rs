//! Connections: the line of the relay, TLS, HTTP/1.1 and HTTP/2, and everything else.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::answer::answer;
use crate::authority;
use crate::body;
use crate::cassette::Take;
use crate::dialling::{Dialled, dial};
use crate::exchange::{self, Exchange};
use crate::mask::Mask;
use crate::question::{Answer, Question};
use crate::source::Active;
use crate::upstream::OF_CONNECTION;
use crate::visits::{Log, Open, Shared};
use crate::websocket::{self, Partner};

/// The longest line of a relay, in bytes: a mark, a host of at most 253 characters and a port.
const MAX_GREETING: u64 = 512;
/// The reason why a request to a host that the connection does not lead to has no answer.
const PROXIED: &str = "requests through a proxy are not recorded";
/// The reason why a replay has no answer.
const UNRECORDED: &str = "the recording has no answer to this request";
/// The time for which a connection may be silent at its beginning.
const PATIENCE: Duration = Duration::from_mins(1);
/// The record of a connection on which nothing whole was asked.
const NOTHING_ASKED: &str = "a connection without a whole request";
/// The first byte of a handshake of TLS (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 0x16;

/// Accepts connections without end.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // There may be no free descriptor.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            // A connection that breaks off is over.
            let _ = connection(stream, shared).await;
        });
    }
}

/// A connection to a host.
#[derive(Clone)]
struct Connection {
    shared: Arc<Shared>,
    open: Open,
    host: String,
    port: u16,
    is_encrypted: bool,
    /// It goes through a proxy: the host is that of a `CONNECT`, and not the one that the relay let pass.
    is_tunnel: bool,
    /// Something that was asked on it is recorded.
    has_asked: Arc<AtomicBool>,
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let mut greeting = String::new();
    timeout(
        PATIENCE,
        (&mut stream).take(MAX_GREETING).read_line(&mut greeting),
    )
    .await??;
    let mut words = greeting.split_ascii_whitespace();
    let (mark, host) = (words.next(), words.next());
    let port = words.next().and_then(|port| port.parse().ok());
    let log = mark.and_then(|mark| shared.visit(mark));
    let (Some(log), Some(host), Some(port)) = (log, host, port) else {
        // Somebody else of this machine.
        return Ok(());
    };
    let connection = Connection {
        shared,
        open: Open::new(&log),
        host: host.to_owned(),
        port,
        is_encrypted: false,
        is_tunnel: false,
        has_asked: Arc::default(),
    };
    connection.talk_whole(stream).await
}

impl Connection {
    /// Serves a stream, and records it if nothing whole was asked on it.
    async fn talk_whole<S>(self, stream: S) -> io::Result<()>
    where
        S: AsyncRead + tokio::io::AsyncBufRead + AsyncWrite + Unpin + Send + 'static,
    {
        let connection = self.clone();
        let res = self.talk(stream).await;
        if !connection.has_asked.load(Ordering::Relaxed) {
            let Self { host, port, .. } = &connection;
            let exchange = Exchange::of_connection(host, *port, &[], NOTHING_ASKED);
            connection.log().add_other(exchange, NOTHING_ASKED);
        }
        res
    }

    fn log(&self) -> &Log {
        self.open.log()
    }

    /// Adds a record of this connection.
    fn add(&self, exchange: Exchange) {
        self.has_asked.store(true, Ordering::Relaxed);
        self.log().add(exchange);
    }

    /// Serves a stream, whatever is spoken on it.
    async fn talk<S>(mut self, mut stream: S) -> io::Result<()>
    where
        S: AsyncRead + tokio::io::AsyncBufRead + AsyncWrite + Unpin + Send + 'static,
    {
        let first = match timeout(PATIENCE, stream.fill_buf()).await {
            Ok(bytes) => bytes?.first().copied(),
            Err(_) => None,
        };
        match first {
            None => Ok(()),
            Some(HANDSHAKE) if !self.is_encrypted => {
                let settings = authority::settings(&self.shared.authority, &self.host);
                let acceptor = TlsAcceptor::from(settings.map_err(io::Error::other)?);
                let encrypted = match timeout(PATIENCE, acceptor.accept(stream)).await? {
                    Ok(encrypted) => encrypted,
                    Err(error) => {
                        let why = format!("the program refused TLS: {error}");
                        let exchange = Exchange::of_connection(&self.host, self.port, &[], &why);
                        self.add(exchange);
                        return Ok(());
                    }
                };
                self.is_encrypted = true;
                self.http(encrypted).await;
                Ok(())
            }
            Some(b'A'..=b'Z') => {
                self.http(stream).await;
                Ok(())
            }
            Some(_) => {
                let bytes = stream.fill_buf().await?;
                let bytes = &bytes[..bytes.len().min(64)];
                let exchange = Exchange::of_connection(&self.host, self.port, bytes, "");
                self.has_asked.store(true, Ordering::Relaxed);
                self.log().add_other(exchange, "only HTTP is recorded");
                Ok(())
            }
        }
    }

    async fn http(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let service = service_fn(|request| {
            let connection = self.clone();
            async move { Ok::<_, Infallible>(connection.answer(request).await) }
        });
        // A program may leave at any time.
        let _ = auto::Builder::new(TokioExecutor::new())
            .serve_connection_with_upgrades(TokioIo::new(stream), service)
            .await;
    }

    async fn answer(self, mut request: Request<Incoming>) -> Response<Full<Bytes>> {
        if request.method() == Method::CONNECT {
            return self.tunnel(request);
        }
        let key = request.headers().get("sec-websocket-key").cloned();
        let upgrade = is_websocket(&request).then(|| hyper::upgrade::on(&mut request));
        // Programs decide how many requests they send at a time, and how long these are.
        let permit = self.shared.bodies.acquire().await;
        let question = self.question(request).await;
        self.has_asked.store(true, Ordering::Relaxed);
        if let (Some(upgrade), Some(key)) = (upgrade, key) {
            drop(permit);
            return self.converse(question, upgrade, key.as_bytes()).await;
        }
        let answer = self.answer_to(question).await;
        drop(permit);
        response(answer)
    }

    /// Begins a conversation by WebSocket, if the other side accepts it.
    async fn converse(
        self,
        question: Question,
        upgrade: OnUpgrade,
        key: &[u8],
    ) -> Response<Full<Bytes>> {
        let (partner, answer) = self.partner(&question).await;
        self.log().add(Exchange::new(&question, answer.status));
        let Some(partner) = partner else {
            return response(answer);
        };
        let (open, url) = (self.open, exchange::url(&question));
        tokio::spawn(async move {
            if let Ok(stream) = upgrade.await {
                websocket::serve(TokioIo::new(stream), &url, open.log(), partner).await;
            }
        });
        accepted(&answer, key)
    }

    /// Returns the other side of a conversation, if it accepts, and its answer to the request for it.
    async fn partner(&self, question: &Question) -> (Option<Partner>, Answer) {
        let log = self.log();
        let refused = |mask: &Mask, why: &str| {
            log.add_gap(&mask.exchange(Exchange::new(question, 0)), why);
            (None, Answer::unavailable(why))
        };
        match &log.source {
            Active::Emulated(_) => (
                Some(Partner::Made),
                Answer::accepted(first_protocol(question)),
            ),
            Active::Replayed(player, mask) => {
                let request = mask.exchange(Exchange::new(question, 0));
                match player.take(&request) {
                    None => refused(mask, UNRECORDED),
                    Some(take) if take.request.status == 101 => {
                        let partner = Partner::Recorded(take.messages.clone());
                        (Some(partner), take.answer())
                    }
                    Some(take) => (None, take.answer()),
                }
            }
            Active::Real(_, mask) if self.is_elsewhere(question) => refused(mask, PROXIED),
            Active::Real(upstream, mask) => match dial(upstream, question).await {
                Err(why) => refused(mask, &mask.text(&why)),
                Ok(dialled) => {
                    let (Dialled::Open(_, answer) | Dialled::Refused(answer)) = &dialled;
                    let answer = answer.clone();
                    let request = mask.exchange(Exchange::new(question, answer.status));
                    let take = Take::new(request, mask.answer(answer.clone()));
                    match dialled {
                        Dialled::Open(socket, _) => {
                            (Some(Partner::Real(socket, Box::new(take))), answer)
                        }
                        Dialled::Refused(_) => {
                            log.add_take(take);
                            (None, answer)
                        }
                    }
                }
            },
        }
    }

    /// Returns true if a request is not for the host of the connection, or goes through a tunnel: the policy
    /// was asked about the host of the connection alone.
    fn is_elsewhere(&self, question: &Question) -> bool {
        let host = self.host.to_ascii_lowercase();
        self.is_tunnel || question.host != host || question.port != self.port
    }

    /// Returns the answer to a request, and records both.
    async fn answer_to(&self, question: Question) -> Answer {
        let log = self.log();
        let (upstream, mask) = match &log.source {
            Active::Emulated(variant) => {
                let answer = answer(&question, &self.shared.table, variant);
                log.add(Exchange::new(&question, answer.status));
                return answer;
            }
            Active::Replayed(player, mask) => {
                let request = mask.exchange(Exchange::new(&question, 0));
                let answer = player.answer(&request).unwrap_or_else(|| {
                    log.add_gap(&request, UNRECORDED);
                    Answer::unavailable(UNRECORDED)
                });
                log.add(Exchange::new(&question, answer.status));
                return answer;
            }
            Active::Real(upstream, mask) => (Arc::clone(upstream), mask),
        };
        if self.is_elsewhere(&question) {
            let request = mask.exchange(Exchange::new(&question, 0));
            log.add_gap(&request, PROXIED);
            return Answer::unavailable(PROXIED);
        }
        let asked = question.clone();
        let sent = tokio::task::spawn_blocking(move || upstream.send(&asked)).await;
        let sent = sent.unwrap_or_else(|error| Err(error.to_string()));
        let status = sent.as_ref().map_or(0, |answer| answer.status);
        let exchange = Exchange::new(&question, status);
        let request = mask.exchange(exchange.clone());
        log.add(exchange);
        match sent {
            Ok(answer) => {
                log.add_take(Take::new(request, mask.answer(answer.clone())));
                answer
            }
            Err(why) => {
                let why = mask.text(&why);
                log.add_gap(&request, &why);
                Answer::unavailable(&why)
            }
        }
    }

    /// Accepts a tunnel through a proxy: what follows is spoken with the host that it names.
    fn tunnel(mut self, mut request: Request<Incoming>) -> Response<Full<Bytes>> {
        let authority = request.uri().authority().cloned();
        if let Some(authority) = authority {
            authority.host().clone_into(&mut self.host);
            self.port = authority.port_u16().unwrap_or(443);
        }
        let upgrade = hyper::upgrade::on(&mut request);
        self.is_encrypted = false;
        self.is_tunnel = true;
        // The tunnel itself is not what is asked: a silent one is recorded with its host.
        self.has_asked.store(true, Ordering::Relaxed);
        self.has_asked = Arc::default();
        tokio::spawn(async move {
            if let Ok(stream) = upgrade.await {
                let stream: Box<dyn Stream> = Box::new(BufReader::new(TokioIo::new(stream)));
                // A program may leave at any time.
                let _ = Box::pin(self.talk_whole(stream)).await;
            }
        });
        Response::new(Full::default())
    }

    async fn question(&self, request: Request<Incoming>) -> Question {
        let (head, body) = request.into_parts();
        let is_websocket = head.headers.contains_key("sec-websocket-key");
        let scheme = match (is_websocket, self.is_encrypted) {
            (false, false) => "http",
            (false, true) => "https",
            (true, false) => "ws",
            (true, true) => "wss",
        };
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter();
        let headers = headers.map(|(name, value)| (name.as_str().to_owned(), text(value)));
        let read = body::read(body).await;
        // The host of a request through a proxy is that of its address.
        let host = head.uri.host().unwrap_or(&self.host).to_ascii_lowercase();
        let port = head.uri.port_u16().filter(|_| head.uri.host().is_some());
        Question {
            scheme,
            method: head.method.as_str().to_owned(),
            host,
            port: port.unwrap_or(self.port),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            headers: headers.chain(read.trailers).collect(),
            body: read.bytes,
            unread: read.unread,
        }
    }
}

/// Returns true for a request that begins a WebSocket.
fn is_websocket(request: &Request<Incoming>) -> bool {
    let upgrade = request.headers().get("upgrade");
    upgrade.is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

/// A stream of bytes of any kind.
trait Stream: AsyncRead + tokio::io::AsyncBufRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + tokio::io::AsyncBufRead + AsyncWrite + Unpin + Send> Stream for S {}

/// Returns the first protocol that a request for a WebSocket offers; empty without one.
fn first_protocol(question: &Question) -> &str {
    let protocols = question.header("sec-websocket-protocol");
    protocols.split(',').next().unwrap_or_default().trim()
}

/// Returns the response that begins a WebSocket (RFC 6455, section 4.2.2).
fn accepted(answer: &Answer, key: &[u8]) -> Response<Full<Bytes>> {
    let mut response = Response::builder()
        .status(101)
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-accept", derive_accept_key(key));
    for (name, value) in &answer.headers {
        if name == "sec-websocket-protocol" {
            response = response.header(name, value);
        }
    }
    response.body(Full::default()).unwrap_or_default()
}

fn response(answer: Answer) -> Response<Full<Bytes>> {
    let mut answer = answer;
    answer
        .headers
        .retain(|(name, _)| !OF_CONNECTION.contains(&name.to_ascii_lowercase().as_str()));
    let is_final = (200..600).contains(&answer.status);
    let broken = answer.headers.iter().find(|(name, value)| {
        HeaderName::from_bytes(name.as_bytes()).is_err() || HeaderValue::from_str(value).is_err()
    });
    if broken.is_some() || !is_final {
        let what = broken.map_or_else(
            || format!("the status {}", answer.status),
            |(name, _)| format!("the header {name:?}"),
        );
        answer = Answer::unavailable(&format!("{what} of the recorded answer cannot be sent"));
    }
    let mut response = Response::builder()
        .status(answer.status)
        // Not that of a clock.
        .header("date", "Wed, 01 Jan 2025 00:00:00 GMT");
    let is_open = |(name, _): &(String, String)| name == "access-control-allow-origin";
    if !answer.headers.iter().any(is_open) {
        response = response.header("access-control-allow-origin", "*");
    }
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    response
        .body(Full::new(answer.body.into()))
        .unwrap_or_default()
}
