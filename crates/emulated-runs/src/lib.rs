//! Runs of skills whose network is emulated, recorded or replayed (docs/proof.md).
//!
//! - `variables`, `ports`: what a program needs to find the emulated internet; `settings`: values that are made
//!   up, recorded and replayed.
//! - `answers`: a directory of answers; `deck`: a directory of cassettes.
//! - `kind`: the words for them; `keep`: the question before recordings are kept.
//! - `session`: one call of a skill.
//!
//! **Invariant:** the values of secret settings are in no cassette.

mod answers;
mod deck;
pub mod keep;
mod kind;
mod ports;
mod session;
pub mod settings;
mod variables;

pub use answers::{AnswersError, table};
pub use deck::{Deck, DeckError, summary};
pub use kind::{NetworkKind, Superfluous};
pub use ports::ports;
pub use session::{Network, Session, SessionError};
pub use variables::{CERTIFICATE, variables};
