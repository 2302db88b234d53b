//! Tools of MCP servers as skills: `transport: mcp`.
//!
//! - `entry.mcp` of METADATA.yml names a program, which is started under the permissions of the skill,
//!   or an address. Without it, the address is the setting `MCP_SERVER_URL`.
//! - A process of ours has one `session` for each server. It is started by the first call, shared
//!   by all calls, and started again by the first call after its end.
//! - `program`, `http`, `sse`: the transports; `inbox`: the requests that wait for answers;
//!   `lines`, `tools`, `steps`, `outcome`: lines, lists of tools, messages and results as values.
//! - [`introspect`]: the tools of a server, for METADATA.yml.
//!
//! Source: <https://modelcontextprotocol.io/specification/2025-11-25>.
//!
//! **Invariant:** the answer of a server is only data; it grants nothing.
//! **Invariant:** no request is sent twice, and none leaves for a host that the policy does not name.

mod doubts;
mod executor;
mod http;
mod inbox;
mod launch;
mod lines;
mod outcome;
mod program;
mod secrets;
mod session;
mod sse;
mod steps;
mod tools;

pub use executor::{McpServers, introspect};
pub use tools::{Introspection, Tool};
