//! See `bodies/frontmatter.rs`.
#![no_main]

#[path = "../bodies/frontmatter.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
