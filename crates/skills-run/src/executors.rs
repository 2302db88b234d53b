//! The executors of the tools that run skills.

use skill_executor::{Registry, standard};
use skill_nats::Distributed;

/// Returns the executors of the tools; skills with `transport: nats` need `distributed`.
pub fn executors(distributed: Option<Distributed>) -> Registry {
    let mut res = standard();
    if let Some(distributed) = distributed {
        res.register(Box::new(distributed));
    }
    res
}
