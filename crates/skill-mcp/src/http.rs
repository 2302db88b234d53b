//! HTTP: many agents, one process.
//!
//! - [`HttpSettings`]: who may come in, and how much of the server one client may take.
//! - [`bind`], [`serve`]: the listener, and the server on it.
//! - `guard`: Host, Origin and token, before anything else is looked at.
//! - `routes`: what is at which path; `pages` and `api` are the page for people.
//! - `short`: calls that only read, without the detour through the SDK's session.
//!
//! `/mcp` is streamable HTTP in both generations: with sessions for clients that send
//! `initialize`, stateless for those that speak 2026-07-28.
//!
//! **Invariant:** a request is read whole, within its limits, before any of it is acted on.

mod api;
mod connection;
mod cors;
mod guard;
mod limit;
mod pages;
mod plugins;
mod routes;
mod settings;
mod short;
mod stall;

#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

pub(crate) use short::Memories;

pub use settings::{HttpLimits, HttpSettings, SettingsError, Token};

use crate::handler::Handler;
use crate::server::Server;

/// How long a server that was told to stop waits for answers in the making.
const GRACE: Duration = Duration::from_secs(5);
/// The service of the SDK, as it is used here.
type Mcp = StreamableHttpService<Handler, LocalSessionManager>;

/// Listens at an address; port 0 takes any that is free.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Serves until `stop` comes true, then finishes what was begun, for some seconds at most.
pub async fn serve(
    server: Server,
    listener: TcpListener,
    settings: HttpSettings,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let sessions = Arc::new(manager(&settings.limits));
    let mcp = service(&server, sessions.clone(), &settings.limits);
    let cancel = mcp.config.cancellation_token.clone();
    let state = Arc::new(routes::State::new(
        &server, settings, address, mcp, sessions,
    ));
    let fresh = tokio::spawn(server.keep_fresh());
    tracing::info!(%address, "listening");
    connection::accept(&state, listener, stop).await;
    tracing::info!("stopping");
    cancel.cancel();
    connection::drain(&state, GRACE).await;
    fresh.abort();
    Ok(())
}

fn manager(limits: &HttpLimits) -> LocalSessionManager {
    let mut config = SessionConfig::default();
    config.keep_alive = Some(limits.session_idle);
    config.init_timeout = Some(limits.request_time);
    // Answers are short and can be asked for again: none is kept for a lost connection.
    config.completed_cache_ttl = Duration::ZERO;
    config.sse_retry = None;
    let mut res = LocalSessionManager::default();
    res.session_config = config;
    res
}

/// Host and Origin are checked by `guard`, for all paths alike.
fn service(server: &Server, sessions: Arc<LocalSessionManager>, limits: &HttpLimits) -> Mcp {
    let config = StreamableHttpServerConfig::default()
        .with_json_response(true)
        .with_sse_retry(None)
        .with_max_request_body_bytes(limits.body_bytes)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let server = server.clone();
    StreamableHttpService::new(move || Ok(server.handler()), sessions, config)
}
