//! Environments: the npm and Python packages that skills require, installed by the tools of their
//! ecosystems and shared by all skills.
//!
//! - `needs`: the packages of a skill and their digest.
//! - `store`: the directory of all environments, and the environment of a skill.
//! - `prepare`: makes the environments of many skills; `npm`, `pip`: with which commands;
//!   `closure`: environments made of packages that another one has, without a registry.
//! - `requirement`: what a package manager may see of them.
//! - `part`: an installed package and its address; `foreign`: removes those from elsewhere.
//! - `record`: what is known about an environment; `prune`: removes what no skill uses.
//! - `missing`: the package that a program did not find.
//!
//! **Invariant:** a skill's directory is never written to.
//! **Invariant:** only packages of a registry are installed, and those in the skill itself, unless the
//! user allows exactly one address.
//! **Invariant:** no install script runs unless the user allows the package by name.
//! **Invariant:** a package that cannot be installed never keeps the others from being installed.

mod closure;
mod error;
mod foreign;
pub mod missing;
mod needs;
mod npm;
mod part;
mod pip;
mod prepare;
mod prune;
mod record;
mod requirement;
mod store;
mod tool;

pub use error::Error;
pub use needs::{Ecosystem, Need, Needs};
pub use prepare::{Event, Prepared, Request, Settings, prepare};
pub use prune::{Pruned, prune};
pub use record::MissingPackage;
pub use store::{Installed, NOT_PREPARED, Store};
