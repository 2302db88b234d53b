//! An MCP server that answers from one snapshot of loaded skills.
//!
//! - [`Settings`]: the skills to serve, how much of each is disclosed, and the names of the tools.
//! - [`Server`]: the snapshot and the state that all connections share. Each connection has its own
//!   [`Handler`].
//! - [`serve_stdio`], [`http`]: the two transports, for both generations of the protocol.
//!
//! The Skills extension is SEP-2640 (<https://github.com/modelcontextprotocol/ext-skills>,
//! `specification/stable/skills.mdx`). Most clients hide resources from the model, so tools give
//! access to the same skills.
//!
//! **Invariant:** tools, resources and skill methods answer from the same store, so they always
//! agree.
//! **Invariant:** an answer contains no path of the file system of this machine, except for agents on it.
//! **Invariant:** command line arguments, environment variables and signals are read by the caller.

mod bodies;
mod describe;
mod handler;
pub mod http;
mod instructions;
mod manifest;
mod media;
mod metrics;
mod names;
mod notify;
mod offer;
mod page;
mod prompts;
mod reply;
mod run;
mod run_policy;
mod schema;
mod search;
mod sep;
mod server;
mod server_log;
mod session;
mod settings;
mod shared;
mod stdio;
mod store;
mod tools;
mod uri;
mod wrapper;

pub use handler::Handler;
pub use names::{NamesError, ToolKind, ToolNames, ToolSet, ToolSetError};
pub use run::Runner;
pub use run_policy::RunPolicy;
pub use server::Server;
pub use settings::{About, Settings};
pub use stdio::{MAX_LINE, serve_stdio, serve_streams};
