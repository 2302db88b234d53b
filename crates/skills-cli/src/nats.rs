//! The flags of every tool that speaks to a NATS server.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args as ClapArgs;
use skill_executor::{Registry, standard};
use skill_mcp::McpClient;
use skill_nats::call::Patience;
use skill_nats::{Distributed, Server};
use tokio::runtime::{Builder, Runtime};

/// Where skills of type distributed find the server.
pub(crate) const URL: &str = "SKILLS_NATS_URL";

/// How to prove who one is, and whom to trust.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct NatsArgs {
    /// Credentials (.creds) for the NATS server
    #[arg(
        id = "nats_creds",
        long = "nats-creds",
        value_name = "FILE",
        env = "SKILLS_NATS_CREDS",
        help_heading = "Other machines"
    )]
    creds: Option<PathBuf>,
    /// Certificates (PEM) of authorities to trust for TLS; TLS is then required
    #[arg(
        id = "nats_ca",
        long = "nats-ca",
        value_name = "FILE",
        env = "SKILLS_NATS_CA",
        help_heading = "Other machines"
    )]
    ca: Option<PathBuf>,
    /// Certificate (PEM) to show to the NATS server
    #[arg(
        id = "nats_cert",
        long = "nats-cert",
        value_name = "FILE",
        requires = "nats_key",
        help_heading = "Other machines"
    )]
    cert: Option<PathBuf>,
    /// Key (PEM) of that certificate
    #[arg(
        id = "nats_key",
        long = "nats-key",
        value_name = "FILE",
        requires = "nats_cert",
        help_heading = "Other machines"
    )]
    key: Option<PathBuf>,
    /// What the subjects of answers begin with, where the server gives each user its own
    #[arg(
        id = "nats_inbox",
        long = "nats-inbox",
        value_name = "PREFIX",
        env = "SKILLS_NATS_INBOX",
        help_heading = "Other machines"
    )]
    inbox: Option<String>,
}

impl NatsArgs {
    /// The server at this URL.
    pub(crate) fn server(&self, url: &str) -> Server {
        Server {
            url: url.to_owned(),
            credentials: self.creds.clone(),
            ca: self.ca.clone(),
            inbox: self.inbox.clone(),
            identity: self.cert.clone().zip(self.key.clone()),
        }
    }
}

/// Calls skills through this server. Where nodes differ, the skill of the first node in `prefer` is
/// meant.
pub(crate) fn distributed(server: Server, prefer: &[String]) -> Distributed {
    let patience = Patience {
        prefer: prefer.to_vec(),
        ..Patience::default()
    };
    Distributed::new(server, patience)
}

/// The executors of the tools, those for other machines included; skills of type distributed need
/// a server for `transport: nats`.
pub(crate) fn executors(others: Option<Distributed>) -> Registry {
    let mut res = standard();
    res.register(Box::new(McpClient));
    if let Some(others) = others {
        res.register(Box::new(others));
    }
    res
}

/// What drives the connection.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the threads for the network")
}
