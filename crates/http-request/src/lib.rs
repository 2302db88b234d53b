//! An operation over HTTP as a value, and the request of a call.
//!
//! - [`Operation`]: method, path, parameters, body and credentials, as in `commands[].http` of
//!   METADATA.yml.
//! - [`build`]: the [`Request`] of an operation for arguments, byte for byte.
//! - [`shown`]: an address without the secrets that it has; [`basic_of`]: its login for the request.
//! - [`Credential`]: the place of a secret in a request; [`Request::add_credential`] puts it there.
//!
//! Source: OpenAPI 3.0.4 and 3.1.1 ("Parameter Object", "Style Values", "Encoding Object"), RFC 6570
//! for the styles, RFC 3986 for addresses, RFC 7578 for multipart bodies.
//!
//! **Invariant:** pure; equal operations and arguments give equal bytes.
//! **Invariant:** the crate does not know skills, OpenAPI documents, or the network.

mod address;
mod body;
mod build;
mod credential;
mod encode;
mod media_types;
mod multipart;
mod operation;
mod request;
mod style;
#[cfg(test)]
mod tests;

pub use address::{
    basic_of, is_secret_query, login, secret_places, secret_values, secrets_of, shown,
    without_login,
};
pub use build::{BuildError, build};
pub use credential::Credential;
pub use encode::{percent_decoded, percent_encoded};
pub use operation::{
    Body, BodyKind, Encoding, METHODS, Operation, Parameter, ParameterPlace, Style,
};
pub use request::{Content, Part, Request, RequestBody};
