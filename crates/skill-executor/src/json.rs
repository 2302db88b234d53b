//! JSON as the old host read and wrote it: `JSON.parse`, `JSON.stringify`, `String.prototype.trim`.
//!
//! Source of the rules: ECMA-262 (`JSON.parse`, `Number::toString`, `TrimString`), and
//! `docs/design/legacy-host.md` §1.9 for what recording brought out.

mod number;
mod parse;
mod stringify;
mod text;

#[cfg(test)]
mod tests;

pub use number::{number_text, parse_int};
pub use parse::{JsonError, MAX_DEPTH, parse};
pub use stringify::stringify;
pub use text::{is_js_space, trim, utf16_prefix};
