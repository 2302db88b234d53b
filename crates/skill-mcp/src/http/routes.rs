//! Routes requests by path.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Poll};
use std::time::Instant;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{ALLOW, HeaderMap, HeaderValue, IF_NONE_MATCH, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use rmcp::transport::streamable_http_server::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use skill_language::Language;
use skill_packages::discovery::PATH;
use tokio::sync::Semaphore;

use super::answer::{Answer, in_language, plain, text, too_many, wait};
use super::discovery::Archives;
use super::fast_path::{self, Reading};
use super::guard::{self, Denial};
use super::limit::{Client, Clients, Permit};
use super::mcp::Mcp;
use super::page_run::{self, PageSecret};
use super::plugins::{self, RecentValues};
use super::request_ids::{RequestIds, RunningId};
use super::session_end;
use super::settings::HttpSettings;
use super::{api, cors, pages};
use crate::handler;
use crate::server::Server;
use crate::session::by_id::SESSION;
use crate::shared::Shared;

/// The size up to which a body counts as small, in bytes; almost all calls are smaller.
const MAX_SMALL_BODY: usize = 16 * 1024;
/// The answer at a path where nothing is.
const NOTHING_HERE: &str = "there is nothing here; the MCP endpoint is /mcp, the page /, and the index for installers /.well-known/agent-skills/index.json\n";
/// The maximum number of large bodies in memory at the same time.
const MAX_LARGE_BODIES: usize = 64;

/// The state that all connections share.
pub(super) struct State {
    pub(super) shared: Arc<Shared>,
    pub(super) settings: HttpSettings,
    /// The address that the server listens at.
    address: SocketAddr,
    mcp: Mcp,
    sessions: Arc<LocalSessionManager>,
    clients: Arc<Clients>,
    values: RecentValues,
    request_ids: RequestIds,
    page_secret: PageSecret,
    archives: Arc<Archives>,
    /// Limits the number of large bodies.
    large: Semaphore,
    /// The number of open connections.
    pub(super) n_open: AtomicUsize,
}

/// The maximum number of skills whose archives are made when the server starts.
const MAX_CHECKED: usize = 500;

impl State {
    pub(super) fn new(
        server: &Server,
        settings: HttpSettings,
        address: SocketAddr,
        mcp: Mcp,
        sessions: Arc<LocalSessionManager>,
    ) -> Self {
        Self {
            shared: server.shared.clone(),
            settings,
            address,
            mcp,
            sessions,
            clients: Arc::default(),
            values: RecentValues::default(),
            request_ids: RequestIds::default(),
            page_secret: PageSecret::new(),
            archives: Arc::default(),
            large: Semaphore::new(MAX_LARGE_BODIES),
            n_open: AtomicUsize::new(0),
        }
    }

    /// Answers one request.
    pub(super) async fn answer(&self, request: Request<Incoming>, peer: SocketAddr) -> Answer {
        let start = Instant::now();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let origin = request.headers().get(hyper::header::ORIGIN).cloned();
        let language = self.language(&request);
        let mut answer = match guard::check(
            (&method, request.uri()),
            request.headers(),
            [self.address, peer],
            &self.settings,
        ) {
            Ok(()) => self.route(request, peer, language).await,
            Err(denial)
                if method == Method::OPTIONS && denial.status == StatusCode::UNAUTHORIZED =>
            {
                cors::preflight()
            }
            Err(denial) => refuse(denial, &path),
        };
        if guard::is_of_page(&path) {
            answer = in_language(answer, language);
        }
        cors::allow(origin, answer.headers_mut(), &self.settings);
        let status = answer.status().as_u16();
        self.shared.metrics.status(status);
        let micros = start.elapsed().as_micros();
        let path = loggable(&path);
        tracing::debug!(%method, path, status, micros, client = %peer.ip(), "answered");
        answer
    }

    /// Returns the language of an answer to the page. Other programs get English from the API.
    fn language(&self, request: &Request<Incoming>) -> Language {
        let default = if request.uri().path().starts_with("/api/") {
            Language::English
        } else {
            self.shared.settings.language
        };
        pages::language(request.uri().query(), request.headers(), default)
    }

    async fn route(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        language: Language,
    ) -> Answer {
        let path = request.uri().path();
        match (request.method(), path) {
            (&Method::OPTIONS, _) => cors::preflight(),
            (&(Method::GET | Method::HEAD), "/healthz") => text(StatusCode::OK, "ok\n"),
            (_, "/mcp") => self.limited(request, peer).await,
            (&(Method::GET | Method::POST), path)
                if let Some(rest) = path.strip_prefix("/plugin-callback/") =>
            {
                let rest = rest.to_owned();
                self.callback(request, peer, &rest).await
            }
            (&Method::GET, path) if let Some(key) = path.strip_prefix("/placeholders/") => {
                let key = key.to_owned();
                self.placeholder(&key, peer).await
            }
            (&Method::GET, "/metrics") => {
                let metrics = self.shared.metrics_text();
                plain(StatusCode::OK, "text/plain; version=0.0.4", metrics.into())
            }
            (&(Method::GET | Method::HEAD), path) if let Some(page) = pages::at(path) => {
                let bytes = page.bytes(language);
                pages::with_policy(plain(StatusCode::OK, page.media, bytes))
            }
            (&Method::GET, path) if let Some(rest) = path.strip_prefix("/api/") => {
                self.api((rest, request.uri().query()), peer, language)
                    .await
            }
            (&Method::POST, path)
                if let Some(name) = path.strip_prefix("/api/skills/")
                    && let Some(name) = name.strip_suffix("/run")
                    && let Some(name) = crate::uri::decode(name) =>
            {
                self.page_run(request, peer, &name, language).await
            }
            (&(Method::GET | Method::HEAD), path) if let Some(inside) = path.strip_prefix(PATH) => {
                let inside = inside.to_owned();
                let known = request.headers().get(IF_NONE_MATCH);
                let known = known.and_then(|known| known.to_str().ok());
                let known = known.map(str::to_owned);
                self.discovery(inside, known, peer).await
            }
            (_, path) if is_read_only(path) => only_get(),
            _ => text(StatusCode::NOT_FOUND, NOTHING_HERE),
        }
    }

    /// Answers a request of the protocol if its client is within its limits.
    async fn limited(&self, request: Request<Incoming>, peer: SocketAddr) -> Answer {
        let client = self.client(request.headers(), peer).await;
        let session = match &client {
            Client::Session(id) => Some(id.clone()),
            Client::Address(_) => None,
        };
        let is_new = session.is_none();
        let limits = &self.settings.limits;
        if is_new && self.sessions.sessions.read().await.len() >= limits.sessions {
            return wait(
                StatusCode::SERVICE_UNAVAILABLE,
                "there are too many sessions; try again later\n",
            );
        }
        // The request is counted once it has arrived, so that a slow one does not block others of
        // its address.
        let (head, body) = match self.whole(request).await {
            Ok(whole) => whole,
            Err(refused) => return refused,
        };
        let Some(permit) = self.clients.enter(client, limits, Instant::now()) else {
            return too_many();
        };
        // A stream of notifications may stay open without end, so it does not count.
        let permit = (head.method != Method::GET).then_some(permit);
        let mut running = None;
        if let Some(id) = session {
            if let Some(answer) = self.fast_path(&head, &body, &id).await {
                return answer.map(|body| with_permit(body, (permit, None)));
            }
            match self.request_ids.begin(&id, &body) {
                Ok(id) => running = id,
                Err(body) => {
                    return plain(StatusCode::BAD_REQUEST, "application/json", body.into());
                }
            }
        }
        let is_end = head.method == Method::DELETE;
        let request = Request::from_parts(head, Full::new(body));
        let mut answer = self.mcp.handle(request).await;
        if is_end {
            answer = session_end::corrected(answer, !is_new);
        }
        answer.map(|body| with_permit(body, (permit, running)))
    }

    /// Answers a call that only reads; returns `None` if the SDK has to answer.
    async fn fast_path(&self, head: &Parts, body: &[u8], id: &str) -> Option<Answer> {
        let (request, reading) = fast_path::parse(head, body)?;
        let idle = self.settings.limits.session_idle;
        let session = self.shared.sessions.recent(id, idle)?;
        let body = match reading {
            Reading::Tool { name, arguments } => {
                let read = handler::call_reading_tool(&self.shared, &session, &name, arguments);
                fast_path::response(&request, &read.await?)?
            }
            Reading::Resource(uri) => {
                let read = handler::read_resource(&self.shared, uri).await;
                fast_path::resource(&request, read)?
            }
        };
        Some(plain(StatusCode::OK, "application/json", body))
    }

    /// Makes the archives of skills in the background, unless there are very many: the log names the skills
    /// that are not offered to installers, before one asks.
    pub(super) async fn check_archives(self: Arc<Self>) {
        let (shared, archives) = (self.shared.clone(), self.archives.clone());
        let work = move || archives.check(&shared, MAX_CHECKED);
        self.shared.on_disk(work).await;
    }

    /// Answers a request of an installer of skills if its client is within its limits.
    async fn discovery(&self, path: String, known: Option<String>, peer: SocketAddr) -> Answer {
        let Some(_permit) = self.permit(peer) else {
            return too_many();
        };
        let (shared, archives) = (self.shared.clone(), self.archives.clone());
        let is_private = self.settings.token.is_some();
        let work = move || archives.answer(&shared, &path, known.as_deref(), is_private);
        let answer = self.shared.on_disk(work).await;
        answer.unwrap_or_else(|| {
            let why = "internal error: the request could not be completed\n";
            text(StatusCode::INTERNAL_SERVER_ERROR, why)
        })
    }

    /// Answers a request for a placeholder if its client is within its limits.
    async fn placeholder(&self, key: &str, peer: SocketAddr) -> Answer {
        match self.permit(peer) {
            Some(_permit) => plugins::placeholder(&self.shared, &self.values, key).await,
            None => too_many(),
        }
    }

    /// Counts a request of an address; returns `None` if the address has reached a limit.
    fn permit(&self, peer: SocketAddr) -> Option<Permit> {
        let client = Client::Address(peer.ip());
        (self.clients).enter(client, &self.settings.limits, Instant::now())
    }

    async fn callback(&self, request: Request<Incoming>, peer: SocketAddr, path: &str) -> Answer {
        let Some(_permit) = self.permit(peer) else {
            return too_many();
        };
        let method = request.method().clone();
        match self.whole(request).await {
            Ok((_, body)) => plugins::callback(&self.shared, method, path, body).await,
            Err(refused) => refused,
        }
    }

    /// Answers a request of the web page if its client is within its limits.
    async fn api(
        &self,
        (path, query): (&str, Option<&str>),
        peer: SocketAddr,
        language: Language,
    ) -> Answer {
        let Some(_permit) = self.permit(peer) else {
            return too_many();
        };
        let shared = self.shared.clone();
        let (path, query) = (path.to_owned(), query.map(ToOwned::to_owned));
        let secret = self.page_secret.text().map(ToOwned::to_owned);
        let work = move || {
            let target = (&*path, query.as_deref());
            api::answer(&shared, target, secret.as_deref(), language)
        };
        let answer = self.shared.on_disk(work).await;
        answer.unwrap_or_else(|| {
            text(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal error: the request could not be completed\n",
            )
        })
    }

    /// Runs a skill for the web page.
    async fn page_run(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        name: &str,
        language: Language,
    ) -> Answer {
        let Some(_permit) = self.permit(peer) else {
            return too_many();
        };
        if let Some(refused) = page_run::refusal(request.headers(), &self.page_secret, language) {
            return refused;
        }
        match self.whole(request).await {
            Ok((_, body)) => page_run::answer(&self.shared, name, &body, language).await,
            Err(refused) => refused,
        }
    }

    async fn client(&self, headers: &HeaderMap, peer: SocketAddr) -> Client {
        let session = headers.get(SESSION).and_then(|value| value.to_str().ok());
        if let Some(session) = session {
            let id: Arc<str> = session.into();
            if self.sessions.has_session(&id).await.unwrap_or(false) {
                return Client::Session(id);
            }
        }
        Client::Address(peer.ip())
    }

    /// Reads the body of a request, which must be neither too long nor too slow.
    async fn whole(&self, request: Request<Incoming>) -> Result<(Parts, Bytes), Answer> {
        let limits = &self.settings.limits;
        let (head, body) = request.into_parts();
        if body.size_hint().lower() > limits.body_bytes as u64 {
            return Err(text(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the request is too large\n",
            ));
        }
        let body = Limited::new(body, limits.body_bytes);
        match tokio::time::timeout(limits.request_time, self.collected(body)).await {
            Ok(Ok(body)) => Ok((head, body)),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(text(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the request is too large\n",
            )),
            Ok(Err(_)) => Err(text(StatusCode::BAD_REQUEST, "the request ended early\n")),
            Err(_) => Err(text(
                StatusCode::REQUEST_TIMEOUT,
                "the request took too long\n",
            )),
        }
    }

    /// Reads a body in one piece. A large one continues only while few others are large.
    async fn collected(
        &self,
        mut body: Limited<Incoming>,
    ) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
        let (mut res, mut large) = (Vec::new(), None);
        while let Some(frame) = body.frame().await {
            let Ok(part) = frame?.into_data() else {
                continue;
            };
            if res.is_empty() && body.is_end_stream() {
                return Ok(part);
            }
            if large.is_none() && res.len() + part.len() > MAX_SMALL_BODY {
                large = Some(self.large.acquire().await?);
            }
            res.extend_from_slice(&part);
        }
        Ok(res.into())
    }
}

/// Returns whether a path is only read.
fn is_read_only(path: &str) -> bool {
    matches!(path, "/healthz" | "/metrics") || path.starts_with(PATH) || pages::at(path).is_some()
}

fn only_get() -> Answer {
    let mut res = text(StatusCode::METHOD_NOT_ALLOWED, "use GET\n");
    let methods = HeaderValue::from_static("GET, HEAD");
    res.headers_mut().insert(ALLOW, methods);
    res
}

/// Returns a path for the log: without the secret of a call.
fn loggable(path: &str) -> &str {
    match path.strip_prefix("/plugin-callback/") {
        Some(_) => "/plugin-callback/…",
        None => path,
    }
}

/// The challenge of RFC 7617. Browsers do not show its text to people.
const ASK_FOR_TOKEN: &str = "Basic realm=\"skills-serve\", charset=\"UTF-8\"";

/// Returns the answer to a denied request. A browser that opens the page asks for the token.
fn refuse(denial: Denial, path: &str) -> Answer {
    tracing::warn!(status = denial.status.as_u16(), why = denial.why, "denied");
    let mut res = text(denial.status, denial.why);
    if denial.status == StatusCode::UNAUTHORIZED {
        let bearer = HeaderValue::from_static("Bearer");
        res.headers_mut().insert(WWW_AUTHENTICATE, bearer);
        if guard::is_of_page(path) {
            let basic = HeaderValue::from_static(ASK_FOR_TOKEN);
            res.headers_mut().append(WWW_AUTHENTICATE, basic);
        }
    }
    res
}

/// The permit and the id of a request.
type Held = (Option<Permit>, Option<RunningId>);

/// A body that keeps the permit and the id of its request until it is sent or dropped.
struct PermitBody {
    body: BoxBody<Bytes, Infallible>,
    _held: Held,
}

fn with_permit(body: BoxBody<Bytes, Infallible>, held: Held) -> BoxBody<Bytes, Infallible> {
    BoxBody::new(PermitBody { body, _held: held })
}

impl Body for PermitBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
