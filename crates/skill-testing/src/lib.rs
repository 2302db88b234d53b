//! The needs of tests beyond Rust, and the way a test is skipped without them.
//!
//! A test that needs a program, a server or a corpus asks [`find`] for it, or [`skip::unless`]
//! with the result of its own search. Where the thing is absent the test is skipped and recorded,
//! unless `SKILLS_TEST_REQUIRE` names the need: then the test fails. `cargo xtask ci` sets the
//! variable to what it found or installed, and lists what was skipped.
//!
//! **Invariant:** a dev-dependency only; nothing that users run depends on it.
//! **Invariant:** no test decides on its own that it may pass without running.
#![expect(
    clippy::disallowed_methods,
    reason = "tests read their own settings and look for programs"
)]

mod buffer;
pub mod documented;
pub mod find;
mod need;
pub mod powershell;
pub mod skip;
pub mod tools;

pub use buffer::Buffer;
pub use need::Need;
