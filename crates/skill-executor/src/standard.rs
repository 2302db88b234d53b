//! The registry with the built-in executors.

use crate::direct::Direct;
use crate::http::HttpService;
use crate::internal::functions;
use crate::mcp::McpServers;
use crate::module::Modules;
use crate::placeholder::Static;
use crate::registry::Registry;

/// Returns the registry with the built-in executors.
///
/// ```
/// let mut registry = skill_executor::standard();
/// // An executor that is registered now is asked before the built-in ones.
/// registry.register(Box::new(skill_executor::internal::Internal::default()));
/// ```
pub fn standard() -> Registry {
    let mut res = Registry::new();
    res.register(Box::new(Direct));
    res.register(Box::new(Static));
    res.register(Box::<HttpService>::default());
    res.register(Box::new(Modules::default()));
    res.register(Box::<McpServers>::default());
    res.register(Box::new(functions()));
    res
}
