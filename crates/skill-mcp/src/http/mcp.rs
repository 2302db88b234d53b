//! The service of the SDK, with the settings of this server.

use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::settings::HttpLimits;
use crate::handler::Handler;
use crate::server::Server;

/// The service of the SDK with the types of this server.
pub(super) type Mcp = StreamableHttpService<Handler, LocalSessionManager>;

/// Creates the manager of sessions.
pub(super) fn manager(limits: &HttpLimits) -> LocalSessionManager {
    let mut config = SessionConfig::default();
    config.keep_alive = Some(limits.session_idle);
    config.init_timeout = Some(limits.request_time);
    // Answers are short and can be requested again, so none is kept for a lost connection.
    config.completed_cache_ttl = Duration::ZERO;
    config.sse_retry = None;
    let mut res = LocalSessionManager::default();
    res.session_config = config;
    res
}

/// Creates the service of the SDK. `guard` checks Host and Origin, for all paths alike.
pub(super) fn service(
    server: &Server,
    sessions: Arc<LocalSessionManager>,
    limits: &HttpLimits,
) -> Mcp {
    let config = StreamableHttpServerConfig::default()
        .with_json_response(true)
        .with_sse_retry(None)
        .with_max_request_body_bytes(limits.body_bytes)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let server = server.clone();
    StreamableHttpService::new(move || Ok(server.handler()), sessions, config)
}
