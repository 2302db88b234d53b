//! Reads the prose of a legacy plugin: the parameters of its commands as a JSON Schema, the
//! dispatch argument, examples, and words for search.
//!
//! Most plugins declare their parameters only in Chinese or English sentences and in call blocks
//! (`<<<[TOOL_REQUEST]>>>` … `key:「始」value「末」`). Reading has four steps. `lex` splits the text into
//! lines and calls, and `form` has one production for each form of declaration. `fact` reads what
//! words state (type, need, default, closed list), and `merge` combines the statements of several
//! forms about one name.
//!
//! **Invariant:** text in, values out; no IO; linear time in the length of the text.
//! **Invariant:** the crate does not know skills, manifests or files.
//! **Invariant:** nothing is invented; a silent text gives an open schema.

mod blurb;
mod calls;
mod command;
mod dispatch;
mod example;
mod fact;
mod finding;
mod form;
mod lex;
mod merge;
mod param;
mod passage;
mod reading;
mod relation;
mod schema;
mod source;
mod summary;

#[cfg(test)]
mod robust;

pub use blurb::{is_about_make, read_blurb, without_plugin, without_promises};
pub use command::read_command;
pub use passage::{Passage, ShownCall, passages, without_marks};
pub use reading::{Blurb, CommandReading, Dispatch, DispatchSource};
pub use source::{CommandSource, InCode, NoCode, PluginSource};
