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

pub(crate) use number::make_doubles;
pub use number::{number_text, parse_int};
pub use parse::{Exact, JsonError, MAX_DEPTH, parse, parse_exact};
pub use stringify::stringify;
pub use text::{is_js_space, trim, utf16_prefix};

/// JSON of a user that cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} is not JSON: {error}")]
pub struct InputError {
    what: String,
    error: String,
}

impl InputError {
    fn new(what: &str, error: &JsonError) -> Self {
        Self {
            what: what.to_owned(),
            error: error.to_string(),
        }
    }
}

/// Parses JSON of a user; `what` names it for the error. Empty text is null.
///
/// # Errors
///
/// The text is not JSON.
pub fn parse_input(text: &str, what: &str) -> Result<serde_json::Value, InputError> {
    let text = trim(text);
    if text.is_empty() {
        return Ok(serde_json::Value::Null);
    }
    parse(text).map_err(|error| InputError::new(what, &error))
}

/// Parses the arguments of a user as [`parse_input`] does, but keeps numbers as they are written.
///
/// # Errors
///
/// The text is not JSON.
pub fn parse_arguments(text: &str, what: &str) -> Result<Exact, InputError> {
    let text = trim(text);
    if text.is_empty() {
        return Ok(Exact::default());
    }
    parse_exact(text).map_err(|error| InputError::new(what, &error))
}
