//! Environments: the npm and Python packages that skills require, installed by the tools of their
//! ecosystems and shared by all skills.
//!
//! - `needs`: the packages of a skill and their digest.
//! - `store`: the directory of all environments, and the environment of a skill.
//! - `prepare`, `prepared`: makes the environments of many skills; `npm`, `pip`: with which commands;
//!   `request`, `wanted`: what one skill asks for and lacks; `stock`, `closure`, `pip::stock`: environments
//!   made of packages that others have, without a registry.
//! - `pin`: one version for several skills.
//! - `requirement`, `range`: what a package manager may see of them; `vendored`: packages in the
//!   skill itself.
//! - `part`: an installed package and its address; `foreign`: removes those from elsewhere;
//!   `registries`: from where npm gets packages.
//! - `tool`: runs a command; `variables`: what it gets of the user's environment.
//! - `record`: what is known about an environment; `prune`: removes what no skill uses.
//! - `npm::lean`, `pip::lean`, `elf`: what no program loads is left out.
//! - `missing`: the package that a program did not find.
//!
//! **Invariant:** a skill's directory is never written to.
//! **Invariant:** only packages of a registry are installed, and those in the skill itself, unless the
//! user allows exactly one address.
//! **Invariant:** what is not from the registry belongs to one skill, and serves no other.
//! **Invariant:** no install script runs unless the user allows the package by name, and nothing that
//! was installed runs outside of the sandbox otherwise.
//! **Invariant:** a package that cannot be installed never keeps the others from being installed.

mod closure;
mod elf;
mod error;
mod foreign;
pub mod missing;
mod needs;
mod npm;
mod part;
mod pin;
mod pip;
mod prepare;
mod prepared;
mod prune;
mod range;
mod record;
mod registries;
mod request;
mod requirement;
mod stock;
mod store;
mod tool;
mod variables;
mod vendored;
mod wanted;

pub use error::Error;
pub use needs::{Ecosystem, Need, Needs, Source};
pub use prepare::{Event, Settings, prepare};
pub use prepared::Prepared;
pub use prune::{Pruned, prune};
pub use record::MissingPackage;
pub use request::Request;
pub use store::{Installed, NOT_PREPARED, Store};
