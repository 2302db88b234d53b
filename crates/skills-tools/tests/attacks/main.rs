//! The attacks of `docs/design/attacks.md`, one test a row: the tools are started as a stranger
//! would start them, and the effect of the attack must not be there.
//!
//! `SKILLS_TEST_BIN` names a directory with other tools than those that cargo built, so that the
//! tests can be seen to fail on an older version. `SKILLS_TEST_SKIPPED` names a file to which each
//! test that this machine cannot run appends a line.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out files, start programs and look at what came of it"
)]

mod agent;
mod files;
mod input;
mod kernel;
mod list;
mod messages;
mod network;
mod nodes;
mod place;
mod serving;
mod state;
