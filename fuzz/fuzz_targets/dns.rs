//! See `bodies/dns.rs`.
#![no_main]

#[path = "../bodies/dns.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
