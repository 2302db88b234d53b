//! Skills on many machines: nodes, remote calls, a shared catalog and a work queue, through NATS.
//!
//! - [`Server`]: the address of the NATS server and the credentials.
//! - [`node`]: a machine whose skills others may call; [`serve_until`]: a node until a signal;
//!   [`call`]: the callers.
//! - [`catalog`]: the skills of all nodes, and their files.
//! - [`queue`]: work that several machines share; [`migration`]: the directories of a large migration.
//!
//! **Invariant:** all traffic goes through NATS; there is no custom transport. Without a server,
//! everything works on one machine.

mod ask;
mod bucket;
pub mod call;
pub mod catalog;
mod distributed;
mod error;
mod local;
pub mod migration;
pub mod node;
mod protocol;
pub mod queue;
mod server;
#[cfg(feature = "testing")]
pub mod testing;
mod until;
mod version;

pub use distributed::Distributed;
pub use error::Error;
pub use local::LocalSkills;
pub use server::{Connection, Server};
pub use until::{END, serve_until};
