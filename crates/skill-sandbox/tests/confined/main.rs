//! Confined children: what they may do, what they try beyond that, whether one outlives its end,
//! and the cost of the confinement.
#![cfg(target_os = "linux")]
#![expect(
    clippy::print_stderr,
    reason = "tests say what they skip and what they measured"
)]

mod common;
mod emulated;
mod escapes;
mod modes;
mod network;
mod overhead;
mod policy;
mod prepared;
mod programs;
