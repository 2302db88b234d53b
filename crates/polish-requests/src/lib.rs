//! Gets texts for skills from a model, and stores those that pass the gates of `skill-polish`.
//!
//! - [`Polishing`]: where the answers come from: a file, or a server with the API of `OpenAI`.
//! - [`polish`]: exports the jobs, or gets the answers, judges them and stores them.
//!
//! **Invariant:** the only text that is sent is that of jobs; the key is sent to the address that the user
//! named and is in no message.
//! **Invariant:** an answer that failed costs no other answer.

mod endpoint;
mod report;
mod run;
#[cfg(test)]
mod tests;

pub use endpoint::Endpoint;
pub use run::{Done, Error, Polishing, polish};
