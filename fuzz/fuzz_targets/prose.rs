//! See `bodies/prose.rs`.
#![no_main]

#[path = "../bodies/prose.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
