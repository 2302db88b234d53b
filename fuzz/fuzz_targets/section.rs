//! See `bodies/section.rs`.
#![no_main]

#[path = "../bodies/section.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
