//! A plugin of any host as values: what a reader of a format produces and the migration takes.
//!
//! - [`Package`]: one plugin directory: its identity, configuration, units, and the documents that
//!   were read.
//! - [`Unit`]: a part of a package that becomes one skill. Its [`UnitKind`] is what it is; a
//!   [`Program`] is what a host starts or loads, a [`Text`] is for a model,
//!   an [`Api`] is a service over HTTP, a [`Server`] speaks MCP, a [`Hook`] adds a text.
//! - [`Key`] and [`Role`]: the meaning of the keys of a document, as a table.
//! - [`Field`] and [`Place`]: a value, and the file and JSON Pointer that it comes from.
//! - [`Sources`]: the files of a directory as a reader gets them; [`HostModules`]: those of the host
//!   around it that its code loads.
//! - [`Node`]: a document as a tree in which every value has a position; [`parse_json`] reads one, and
//!   [`parse_jsonc`] one with comments.
//!
//! The design follows `docs/design/plugin-model.md`.
//!
//! **Invariant:** the crate does not know any format, skills, or the file system.
//! **Invariant:** every value of a document stays reachable through [`Document::root`].

mod api;
pub mod codes;
mod hook;
mod jsonc;
mod node;
mod package;
mod place;
mod program;
mod server;
mod source;
mod text;
mod unit;

pub use api::{Api, ApiOperation, ApiSetting};
pub use hook::{Hook, Moment};
pub use jsonc::parse_jsonc;
pub use node::{Kind, Member, Node, escape_pointer, parse_json};
pub use package::{Attached, Document, Format, Identity, Package};
pub use place::{Field, Located, Place};
pub use program::{
    Command, Communication, ConfigKey, ConfigShape, Configuration, EntryPoint, Millis, Placeholder,
    PluginType, Program, Push,
};
pub use server::{Server, ServerPackage, ServerSetting};
pub use source::{HostModule, HostModules, LeaveReason, LeftOut, SourceFile, Sources, is_one_of};
pub use text::{Key, Role, Text, key};
pub use unit::{Unit, UnitKey, UnitKind};
