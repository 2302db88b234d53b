//! HTTP: one process serves many agents.
//!
//! - [`HttpSettings`]: which requests are accepted, and how much of the server one client may use.
//! - [`bind`], [`serve`]: the listener and the server on it.
//! - `guard`: checks Host, Origin and token before anything else is read.
//! - `routes`: the paths; `pages`, `api` and `page_run` are the web page.
//! - `fast_path`: answers calls that only read, without the SDK's session.
//!
//! `/mcp` is streamable HTTP in both generations: with sessions for clients that send `initialize`,
//! stateless for clients of 2026-07-28.
//!
//! **Invariant:** a request is read completely, within its limits, before any of it is acted on.

mod answer;
mod api;
mod connection;
mod cors;
mod discovery;
mod fast_path;
mod guard;
mod limit;
mod mcp;
mod page_run;
mod pages;
mod plugins;
mod read_timeout;
mod request_ids;
mod routes;
mod session_end;
mod settings;
mod use_by_hand;

#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

pub use settings::{AddressError, HttpLimits, HttpSettings, SettingsError, Token, parse_address};

use crate::server::Server;

/// The time that a stopping server waits for answers in progress.
const GRACE: Duration = Duration::from_secs(5);

/// Listens at an address; port 0 chooses a free port.
///
/// # Errors
///
/// If the address cannot be bound, for example because it is in use.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Serves until `stop` completes, then finishes the answers in progress, for five seconds at most.
///
/// # Errors
///
/// If the listener has no local address. A failing connection is logged and ends alone.
pub async fn serve(
    server: Server,
    listener: TcpListener,
    settings: HttpSettings,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let sessions = Arc::new(mcp::manager(&settings.limits));
    let mcp = mcp::service(&server, sessions.clone(), &settings.limits);
    let cancel = mcp.config.cancellation_token.clone();
    let state = Arc::new(routes::State::new(
        &server, settings, address, mcp, sessions,
    ));
    let fresh = tokio::spawn(server.keep_fresh());
    let checking = tokio::spawn(routes::State::check_archives(state.clone()));
    tracing::info!(%address, "listening");
    connection::accept(&state, listener, stop).await;
    tracing::info!("stopping");
    cancel.cancel();
    connection::drain(&state, GRACE).await;
    fresh.abort();
    checking.abort();
    Ok(())
}
