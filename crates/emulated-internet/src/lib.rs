//! A small internet on loopback: one server that answers for every host, and records what it was asked.
//!
//! Programs reach it through a relay ([`Network::Emulated`]) which sends a line first: a mark, the host and the
//! port. The mark is that of a [`Visit`], so one server serves many programs at a time.
//!
//! - `answer`: the answer to a request, from its method, host, path, headers and body alone; `shapes`: the
//!   JSON of known services, `reads`: that which the code of a program expects; `media`: images, pages and other files; `table`: answers that the user gives.
//! - `exchange`: the record of a request, in a form in which equal requests are equal; `body`: reads a body, and
//!   `unique` recognizes JSON that repeats a key.
//! - `authority`: the certificates of a run.
//! - `server`: connections, TLS and HTTP; `websocket`: conversations, `dialling`: their beginning with a real
//!   service.
//! - `internet`: the server as a value; `visits`: the programs that use it.
//! - `question`: a request and its answer as values.
//! - `source`: where the answers to a visit come from; `upstream`: real services, `cassette`: what they
//!   answered, `mask`: without secrets, `replay`: again.
//!
//! **Invariant:** an answer depends on the request and the given answers only: there is no clock and there
//! are no random numbers. A visit to real services ([`Source::Real`]) is the exception.
//! **Invariant:** every request is answered, and nothing else is forwarded.
//!
//! [`Network::Emulated`]: https://docs.rs/skill-sandbox

mod answer;
mod authority;
mod body;
mod cassette;
mod dialling;
mod exchange;
mod internet;
mod mask;
mod media;
mod question;
mod reads;
mod replay;
mod server;
mod shapes;
mod source;
mod table;
mod unique;
mod upstream;
mod visits;
mod websocket;

pub use authority::Authority;
pub use body::Unread;
pub use cassette::{Cassette, CassetteError, Content, Message, Recording, Said, Speaker, Take};
pub use exchange::Exchange;
pub use internet::{Internet, StartError, Visit};
pub use mask::Mask;
pub use question::{Answer, Question};
pub use reads::Reads;
pub use source::Source;
pub use table::{Table, TableError};
pub use upstream::{Resolve, Upstream};
pub use visits::Requests;
