//! The executors of the tools that run skills.

use skill_executor::{Registry, standard};
use skill_mcp::McpClient;
use skill_nats::call::Patience;
use skill_nats::{Distributed, Server};

/// Calls skills through this server. Where nodes differ, the skill of the first node in `prefer` is
/// meant.
pub fn distributed(server: Server, prefer: &[String]) -> Distributed {
    let patience = Patience {
        prefer: prefer.to_vec(),
        ..Patience::default()
    };
    Distributed::new(server, patience)
}

/// The executors of the tools, those for other machines included; skills of type distributed need
/// a server for `transport: nats`.
pub fn executors(others: Option<Distributed>) -> Registry {
    let mut res = standard();
    res.register(Box::new(McpClient));
    if let Some(others) = others {
        res.register(Box::new(others));
    }
    res
}
