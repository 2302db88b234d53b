//! Confined children: what they may do, what they try beyond it, whether one outlives its end, and
//! what the walls cost.
#![expect(
    clippy::print_stderr,
    reason = "tests say what they skip and what they measured"
)]

mod ahead;
mod common;
mod escapes;
mod modes;
mod network;
mod overhead;
mod policy;
mod programs;
