//! A small internet on loopback: one server that answers for every host, and records what it was asked.
//!
//! Programs reach it through a relay ([`Network::Emulated`]) which sends a line first: a mark, the host and the
//! port. The mark is that of a [`Visit`], so one server serves many programs at a time.
//!
//! - `answer`: the answer to a request, from its method, host, path, headers and body alone; `shapes`: the
//!   JSON of known services; `media`: images, pages and other files; `table`: answers that the user gives.
//! - `exchange`: the record of a request, in a form in which equal requests are equal.
//! - `authority`: the certificates of a run.
//! - `server`: connections, TLS and HTTP; `websocket`: conversations.
//! - `internet`: the server as a value; `visits`: the programs that use it.
//! - `question`: a request and its answer as values.
//!
//! **Invariant:** an answer depends on the request and the given answers only: there is no clock and there
//! are no random numbers.
//! **Invariant:** every request is answered, and nothing is forwarded.
//!
//! [`Network::Emulated`]: https://docs.rs/skill-sandbox

mod answer;
mod authority;
mod exchange;
mod internet;
mod media;
mod question;
mod server;
mod shapes;
mod table;
mod visits;
mod websocket;

pub use exchange::Exchange;
pub use internet::{Internet, StartError, Visit};
pub use question::{Answer, Question};
pub use table::{Table, TableError};
pub use visits::Requests;
