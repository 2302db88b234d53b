//! Errors as text.

use std::error::Error;

/// Formats an error with all its causes in one line, each cause once.
///
/// ```
/// let error = std::io::Error::other("the disk is full");
/// assert_eq!(skill_executor::error_text(&error), "the disk is full");
/// ```
pub fn error_text(error: &dyn Error) -> String {
    let mut res = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !res.ends_with(&text) {
            res.push_str(": ");
            res.push_str(&text);
        }
        cause = error.source();
    }
    res
}
