//! Skills on many machines: nodes, remote calls, a shared catalogue and a work queue, through NATS.
//!
//! - [`Server`]: where the NATS server is and how to prove who one is.
//! - [`node`]: a machine that lets others call its skills; [`call`]: the others.
//! - [`catalog`]: what all nodes offer, and the files of it.
//! - [`queue`]: work that several machines share; [`migration`]: the directories of a large migration.
//!
//! **Invariant:** nothing home-made carries the traffic, and without a server everything works on
//! one machine.

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
mod version;

pub use distributed::Distributed;
pub use error::Error;
pub use local::LocalSkills;
pub use server::{Connection, Server};
