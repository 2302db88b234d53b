//! Standard input and output: one process serves one agent.

mod lines;

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServiceExt, transport};
use tokio::io::{AsyncRead, AsyncWrite};

pub use lines::MAX_LINE;

use crate::server::Server;
use lines::Lines;

/// Serves one agent on standard input and output until it closes its end or `stop` completes.
///
/// # Errors
///
/// If the handshake fails or the task that answers ends abnormally.
pub async fn serve_stdio(server: Server, stop: impl Future<Output = ()>) -> std::io::Result<()> {
    let (input, output) = transport::stdio_pipes();
    serve_streams(server, input, output, stop).await
}

/// Serves one agent over any two streams, like [`serve_stdio`].
///
/// # Errors
///
/// If the handshake fails or the task that answers ends abnormally.
pub async fn serve_streams(
    server: Server,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let transport = Lines::new(input, output);
    let fresh = tokio::spawn(server.clone().keep_fresh());
    let served = async {
        let running = match server.handler().serve(transport).await {
            Ok(running) => running,
            // An agent that leaves before the handshake has closed its end as well.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(std::io::Error::other(error.to_string())),
        };
        match running.waiting().await {
            Ok(QuitReason::Closed | QuitReason::Cancelled) => Ok(()),
            Ok(_) => Ok(()),
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }
    };
    let res = tokio::select! {
        res = served => res,
        () = stop => Ok(()),
    };
    fresh.abort();
    res
}
