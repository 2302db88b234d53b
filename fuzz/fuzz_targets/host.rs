//! See `bodies/host.rs`.
#![no_main]

#[path = "../bodies/host.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
