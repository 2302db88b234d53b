//! What the prose of a legacy plugin says of its commands: parameters as a JSON Schema, the
//! dispatch argument, examples, and the words that search lives on.
//!
//! In most plugins the parameters stand only in Chinese or English sentences and in call blocks
//! (`<<<[TOOL_REQUEST]>>>` … `key:「始」value「末」`). Reading goes in four steps: `lex` splits the
//! text into lines and calls, `form` holds one production for each form of declaration,
//! `fact` reads what words state (type, need, default, closed list), and `merge` puts
//! together what several forms say of one name.
//!
//! **Invariant:** text in, values out; no IO; linear time in the length of the text.
//! **Invariant:** knows neither skills nor manifests nor files.
//! **Invariant:** nothing is invented where the text is silent.

mod blurb;
mod command;
mod dispatch;
mod example;
mod fact;
mod finding;
mod form;
mod lex;
mod merge;
mod param;
mod reading;
mod relation;
mod schema;
mod shown;
mod source;
mod summary;

#[cfg(test)]
mod robust;

pub use blurb::read_blurb;
pub use command::read_command;
pub use reading::{Blurb, CommandReading, Dispatch, DispatchSource};
pub use source::{CommandSource, InCode, NoCode, PluginSource};
