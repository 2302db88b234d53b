//! Keys of settings, and values that are none.

/// Returns the key of a setting: capitals, digits and underscores.
pub(super) fn setting_key(name: &str) -> String {
    let mut res = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && was_lower {
            res.push('_');
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        res.push(if c.is_ascii_alphanumeric() {
            c.to_ascii_uppercase()
        } else {
            '_'
        });
    }
    if res.is_empty() || res.starts_with(|c: char| c.is_ascii_digit()) {
        res.insert(0, '_');
    }
    res
}

/// Returns true for a value that the user has to replace: `<your token>`, `YOUR_API_KEY`, `xxx`.
pub(super) fn is_blank(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_bracketed = value.starts_with('<') && value.ends_with('>');
    let marks = [
        "your",
        "xxx",
        "changeme",
        "replace",
        "placeholder",
        "insert-",
        "...",
        "…",
    ];
    value.is_empty() || is_bracketed || marks.iter().any(|mark| lower.contains(mark))
}
