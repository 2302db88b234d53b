//! The NATS server of the flags.

use anyhow::Context as _;
use skill_nats::Server;
use skills_cli::nats::NatsArgs;
use tokio::runtime::{Builder, Runtime};

/// The environment variable with the URL of the server for skills of type distributed.
pub const URL: &str = "SKILLS_NATS_URL";

/// Returns the server at this URL.
pub fn server(login: &NatsArgs, url: &str) -> Server {
    Server {
        url: url.to_owned(),
        credentials: login.nats_creds.clone(),
        ca: login.nats_ca.clone(),
        inbox: login.nats_inbox.clone(),
        identity: login.nats_cert.clone().zip(login.nats_key.clone()),
    }
}

/// Returns a runtime for connections.
///
/// # Errors
///
/// The threads of the runtime cannot be started.
pub fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the threads for the network")
}
