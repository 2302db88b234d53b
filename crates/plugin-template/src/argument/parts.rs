//! An argument, and the words of a hint.

/// The name of everything that is typed.
pub(crate) const WHOLE: &str = "arguments";

/// An argument of a command.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Argument {
    /// The name.
    pub name: String,
    /// The description, if there is one.
    pub description: String,
    /// True if the command needs it.
    pub required: bool,
    /// The only possible values; empty if any is.
    pub choices: Vec<String>,
}

impl Argument {
    /// Creates an argument with a name only.
    pub fn new(name: impl Into<String>, required: bool) -> Self {
        Self {
            name: name.into(),
            required,
            ..Self::default()
        }
    }
}

/// Returns the values of `a|b`; none if there is only one.
pub(super) fn choices(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('|').map(str::trim).collect();
    let is_list = parts.len() > 1 && parts.iter().all(|part| !part.is_empty());
    if !is_list {
        return Vec::new();
    }
    parts.into_iter().map(str::to_owned).collect()
}

/// Returns a name of one word: letters, digits, `-`, `_` and `.`.
pub(super) fn slug(text: &str) -> String {
    let mut res = String::new();
    for c in text.trim().chars() {
        if c.is_alphanumeric() || matches!(c, '_' | '.' | '-') {
            res.push(c);
        } else if !res.ends_with('-') && !res.is_empty() {
            res.push('-');
        }
    }
    res.trim_end_matches(['-', '.']).to_owned()
}
