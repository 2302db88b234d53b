//! See `bodies/steps.rs`.
#![no_main]

#[path = "../bodies/steps.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
