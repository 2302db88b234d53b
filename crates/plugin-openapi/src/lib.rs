//! A document of the OpenAPI specification, 3.0 or 3.1, as a service.
//!
//! - [`version`]: whether a tree is such a document, and of which version; [`file_references`]: the
//!   files that it refers to.
//! - [`read`]: the services of a document, one or, if it is large, one for each group of operations.
//! - `documents`: references within documents; `schema`: schemas as JSON Schema 2020-12.
//! - `operation`, `parameters`, `body`, `arguments`, `naming`: the operations and the names of their arguments.
//! - `server`, `security`: addresses and credentials as settings; `split`: the parts of a large service.
//!
//! Source: <https://spec.openapis.org/oas/v3.0.4> and <https://spec.openapis.org/oas/v3.1.1>.
//!
//! **Invariant:** pure; nothing is fetched. A reference that leads out of the package is a finding.
//! **Invariant:** the crate does not know files, YAML, or skills.

mod address_secrets;
mod arguments;
mod body;
pub mod codes;
mod discriminator;
mod documents;
mod examples;
mod naming;
mod operation;
mod parameters;
mod parts;
mod read;
mod responses;
mod schema;
mod security;
mod server;
mod split;
#[cfg(test)]
mod tests;
mod version;

pub use address_secrets::is_secret_variable;
pub use documents::file_references;
pub use read::{Reading, read};
pub use version::{Version, version, written_version};
