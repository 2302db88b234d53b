//! An operation over HTTP as a value, and the request of a call.
//!
//! - [`Operation`]: method, path, parameters, body and credentials, as in `commands[].http` of
//!   METADATA.yml.
//! - [`build`]: the [`Request`] of an operation for arguments, byte for byte.
//! - [`shown`]: an address without the secrets that it has; [`basic_of`]: its login for the request.
//! - [`fill_address`]: the address of a server with the values of settings, each in its own part.
//! - [`is_secret_name`] and the like: names whose values are secrets, and [`is_ordinary`]: values that are none.
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
mod open_names;
mod operation;
mod ordinary;
mod request;
mod secret_names;
mod session_names;
mod style;
mod template;
#[cfg(test)]
mod tests;

pub use address::{
    basic_of, broken_login, login, secret_places, secret_values, secrets_of, shown, without_login,
};
pub use build::{BuildError, build};
pub use credential::Credential;
pub use encode::{percent_decoded, percent_encoded};
pub use operation::{
    Body, BodyKind, Encoding, METHODS, Operation, Parameter, ParameterPlace, Style,
};
pub use ordinary::{is_ordinary, is_spoken};
pub use request::{Content, Part, Request, RequestBody};
pub use secret_names::{Strength, TRIGGERS, is_secret_name, name_words, strength};
pub use session_names::{is_secret_query, is_session_name};
pub use template::{FilledAddress, MisplacedValue, fill_address};
