//! The executors of the tools that run skills.

use skill_executor::{Registry, standard};
use skill_mcp::McpClient;
use skill_nats::Distributed;

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
