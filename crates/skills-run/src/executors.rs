//! The executors of the tools that run skills.

use skill_executor::{Registry, standard};
use skill_mcp::McpClient;
use skill_nats::call::Patience;
use skill_nats::{Distributed, Server};

/// Returns the executor that calls skills through a server. If nodes offer different skills of one
/// name, the first node in `prefer` wins.
pub fn distributed(server: Server, prefer: &[String]) -> Distributed {
    let patience = Patience {
        prefer: prefer.to_vec(),
        ..Patience::default()
    };
    Distributed::new(server, patience)
}

/// Returns the executors of the tools. Distributed skills with `transport: nats` need the executor
/// `distributed`.
pub fn executors(distributed: Option<Distributed>) -> Registry {
    let mut res = standard();
    res.register(Box::new(McpClient));
    if let Some(distributed) = distributed {
        res.register(Box::new(distributed));
    }
    res
}
