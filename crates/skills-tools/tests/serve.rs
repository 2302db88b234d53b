//! `skills-serve` as a process: official clients, hostile ones, signals.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out files, start programs and look at what came of it"
)]

#[path = "serve/clients.rs"]
mod clients;
#[path = "serve/hostile.rs"]
mod hostile;
#[path = "serve/mcp_servers.rs"]
mod mcp_servers;
#[path = "serve/page.rs"]
mod page;
#[path = "serve/plugins.rs"]
mod plugins;
#[path = "serve/process.rs"]
mod process;
