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

/// The most values that a message lists.
const MAX_LISTED: usize = 12;

/// Lists values for a message: the first ones, and how many more there are.
pub(crate) fn listed(values: &[String]) -> String {
    let shown = values.iter().take(MAX_LISTED).map(|it| format!("`{it}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match values.len().saturating_sub(MAX_LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
