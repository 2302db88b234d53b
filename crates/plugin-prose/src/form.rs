//! The productions: one file for each form in which a text declares parameters.
//!
//! Source: `docs/design/calls-in-prose.md`, "Forms".

pub(crate) mod calls;
pub(crate) mod columns;
pub(crate) mod docstring;
pub(crate) mod entry;
pub(crate) mod flag;
pub(crate) mod inline;
pub(crate) mod label;
pub(crate) mod list_line;
pub(crate) mod mention;
pub(crate) mod mode;
pub(crate) mod outline;
pub(crate) mod prose;
pub(crate) mod section;
pub(crate) mod selector;
pub(crate) mod signature;
pub(crate) mod structured;
pub(crate) mod table;
pub(crate) mod yaml;
