//! Nodes and callers on a real server.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests make files and start programs, and a failed step is a failed test"
)]

mod calls; // one call: its answer, its end, its repetition
mod catalog; // what nodes offer, and the files of it
mod login; // TLS, certificates and credentials
mod overhead; // what a call through a server costs
mod permissions; // the configuration in docs/scale.md, on a real server
mod skills; // the skills of the tests, and nodes that have them
mod storm; // many calls while nodes and the server come and go
