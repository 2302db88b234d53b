//! See `bodies/manifest.rs`.
#![no_main]

#[path = "../bodies/manifest.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
