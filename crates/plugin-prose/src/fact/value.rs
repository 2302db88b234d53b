//! Tells the values of a list from other words.

/// Returns true if a list has only `true` and `false`.
pub(crate) fn is_truth(items: &[&str]) -> bool {
    items
        .iter()
        .all(|item| matches!(item.to_ascii_lowercase().as_str(), "true" | "false"))
}

/// Returns true if a text may be a value of a list: not an address, the name of a type, or a
/// sentence.
pub(crate) fn is_value(item: &str, quoted: bool) -> bool {
    let kind = matches!(
        item.to_ascii_lowercase().as_str(),
        "url" | "urls" | "uri" | "base64" | "path" | "id" | "api" | "ids" | "data"
    ) || !quoted && matches!(item.to_ascii_lowercase().as_str(), "http" | "https");
    let address = item.contains("://") || item.starts_with("http") && item.len() > 5;
    let pattern = ["YYYY", "yyyy", "HH:", "xxx", "...", "<"]
        .iter()
        .any(|sign| item.contains(sign));
    !kind
        && !is_date(item)
        && !address
        && !pattern
        && (quoted || !item.starts_with(['-', '+', '%', '@', '.']) && !item.ends_with('-'))
        && !item.contains(['，', '。', '\n'])
}

/// Returns true for a sample of a date such as `2025-01-31`.
fn is_date(item: &str) -> bool {
    let parts: Vec<&str> = item.split('-').collect();
    parts.len() == 3 && parts[0].len() == 4 && parts.iter().all(|part| part.parse::<u16>().is_ok())
}
