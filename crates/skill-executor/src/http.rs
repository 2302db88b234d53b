//! Services over HTTP: one request for a call, to hosts that the skill may reach.
//!
//! - [`Exchange`]: a request, its address and its limits; [`Exchange::run`] sends it.
//! - `clients`: connections, which stay open; `long`: answers that go to a file, without secrets.
//! - `policy`: the hosts that may be requested, also after a redirect.
//! - `headers`: headers with values of the configuration in them; `credentials`: the secrets of a request.
//! - `input`: arguments and settings of a call; `operation`: commands with a request of their own (`commands[].http`).
//!
//! Source: `docs/metadata.md` (`entry.endpoint`, `permissions.network`) and RFC 9110 for methods,
//! redirects and retries.
//!
//! **Invariant:** no request leaves for a host that the policy does not name.

mod address;
mod answer_headers;
mod clients;
mod credentials;
mod error;
mod filling;
mod headers;
mod input;
mod long;
mod operation;
mod policy;
mod reply;
mod send;
mod service;

#[cfg(test)]
mod tests;

pub use crate::masks::Masks;
pub use address::Address;
pub use clients::Clients;
pub(crate) use clients::limited;
pub use error::HttpError;
pub(crate) use filling::{usual, with_settings};
pub use headers::filled;
pub(crate) use headers::{AUTHORIZATION, unsendable};
pub(crate) use input::setting;
pub(crate) use long::prune as prune_answers;
pub use long::{LongAnswer, LongAnswers};
pub(crate) use operation::{dry_run, lacking, unsendable_setting};
pub use policy::Hosts;
pub(crate) use send::http_error;
pub use send::{Answer, Exchange, Payload};
pub use service::HttpService;
pub(crate) use service::failure as http_failure;
