//! Runs migrated skills as the old host did, through a registry of executors.
//!
//! - [`Runner`]: runs a skill from a [`Request`] to an answer.
//! - [`Executor`]: the trait behind which every type of skill runs; [`standard`] is the [`Registry`]
//!   of the built-in ones.
//! - [`call`]: the skill, its input and its environment; [`cancel`]: cancels it; [`envelope`]: the
//!   common format of answers.
//! - [`direct`]: a process for each call; [`placeholder`]: values for prompts; [`module`]:
//!   JavaScript modules in separate processes; [`http`]: remote services; [`mcp`]: MCP servers.
//! - [`answer_file`]: answers that are long or not text.
//! - [`fallback`]: other skills in place of one that failed.
//! - [`approval`]: stored approvals; [`entry`]: the command of a skill.
//! - [`policy`]: what a program may access; [`sandbox`]: the confinement that enforces it.
//! - [`guards`]: settings that restrict a program, and which of them are open.
//! - [`config`], [`environment`], [`view`], [`state`], [`auth_code`]: the environment of a program.
//! - [`configure`]: shows and stores the settings of skills.
//! - [`target`]: the skill that a user names; [`prepare`]: installs the packages of skills.
//! - [`normalise`], [`json`]: turn the output of a program into what the model gets.
//!
//! **Invariant:** only names dispatch; an unknown or ambiguous name is an error, never a guess.
//! **Invariant:** the files of a skill are never written to.

mod answer;
pub mod answer_file;
pub mod approval;
pub mod arguments;
pub mod auth_code;
mod beside;
mod cache;
pub mod call;
pub mod callback;
pub mod cancel;
pub mod clock;
pub mod config;
pub mod configure;
pub mod direct;
pub mod entry;
pub mod envelope;
pub mod environment;
mod error_text;
mod executor;
pub mod fallback;
pub mod guards;
pub mod hints;
pub mod http;
pub mod intent;
pub mod internal;
pub mod json;
mod masks;
pub mod mcp;
pub mod metrics;
mod missing_package;
pub mod module;
pub mod names;
mod network;
mod network_hints;
pub mod normalise;
mod other_call;
mod others;
pub mod package;
pub mod placeholder;
pub mod policy;
mod preflight;
pub mod prepare;
mod program;
mod progress;
mod redact;
pub mod registry;
pub mod results;
mod runner;
pub mod sandbox;
mod selection;
mod shell;
mod standard;
pub mod state;
pub mod suggestion;
pub mod target;
mod user_hosts;
pub mod view;
pub mod zone;

pub use answer::NO_NEW_VALUE;
pub use error_text::error_text;
pub use executor::Executor;
pub use others::OtherSkills;
pub use progress::{Log, Progress};
pub use redact::Redactor;
pub use registry::Registry;
pub use runner::{PreloadReport, PreparedCall, Request, Runner, follow_all};
pub use standard::standard;
