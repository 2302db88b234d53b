//! An MCP server over one snapshot of loaded skills.
//!
//! - [`Settings`]: which skills, how much of them, under which names.
//! - [`Server`]: the snapshot and what all connections share; one [`Handler`] for each of them.
//! - [`serve_stdio`], [`http`]: the two transports, both protocol generations.
//!
//! The Skills extension is SEP-2640 (<https://github.com/modelcontextprotocol/ext-skills>,
//! `specification/stable/skills.mdx`). Most clients hide resources from the model, so the same
//! skills are given by tools too.
//!
//! **Invariant:** tools, resources and skill methods answer from the same store, so they never
//! disagree.
//! **Invariant:** no answer names a place in the file system.
//! **Invariant:** arguments, environment and signals are the caller's.

mod bodies;
mod client;
mod describe;
mod handler;
pub mod http;
mod manifest;
mod media;
mod metrics;
mod names;
mod notify;
mod offer;
mod page;
mod prompts;
mod run;
mod schema;
mod search;
mod sep;
mod server;
mod session;
mod settings;
mod stdio;
mod store;
mod tools;
mod uri;
mod wrapper;

pub use client::McpClient;
pub use handler::Handler;
pub use names::{NamesError, ToolKind, ToolNames};
pub use run::Runner;
pub use server::Server;
pub use settings::{About, RunPolicy, Settings};
pub use stdio::{MAX_LINE, serve_stdio, serve_streams};
