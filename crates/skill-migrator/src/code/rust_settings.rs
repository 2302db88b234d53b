//! Settings that Rust sources read: `env::var("TEA_HOST").unwrap_or("tea".into())`.

use super::setting_use::{Fallback, SettingUse};

/// Number of characters after the name in which the replacement of a missing value is.
const NEAR: usize = 160;

/// Returns the names of the settings of a source, without those that its compiler sets.
pub(crate) fn rust_settings(code: &str) -> Vec<String> {
    let names = uses("", code).into_iter().map(|(key, _)| key);
    let own = names.filter(|key| !key.starts_with("CARGO_") && *key != "OUT_DIR");
    own.map(str::to_owned).collect()
}

/// Returns the settings of a source and how it replaces them.
pub(super) fn uses<'c>(path: &str, code: &'c str) -> Vec<(&'c str, SettingUse)> {
    let mut res = Vec::new();
    for (at, start) in code.match_indices("env::var") {
        let rest = code[at + start.len()..].trim_start_matches("_os");
        let Some((key, after)) = rest
            .strip_prefix("(\"")
            .and_then(|rest| rest.split_once('"'))
        else {
            continue;
        };
        let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if code[line..at].contains("//") || !key.chars().all(is_name) {
            continue;
        }
        let near = after
            .char_indices()
            .nth(NEAR)
            .map_or(after, |(end, _)| &after[..end]);
        let near = near.split(';').next().unwrap_or_default();
        let (fallback, default) = replacement(near);
        res.push((
            key,
            SettingUse {
                file: path.to_owned(),
                fallback,
                default,
                ..SettingUse::default()
            },
        ));
    }
    res
}

/// Returns the replacement of a missing value, and its literal.
fn replacement(code: &str) -> (Option<Fallback>, Option<String>) {
    let ways = [".unwrap_or", ".map_or"];
    let at = ways.iter().filter_map(|way| code.find(way)).min();
    if let Some(at) = at {
        let rest = &code[at..];
        if rest.starts_with(".unwrap_or_default") {
            return (Some(Fallback::Nothing), None);
        }
        let literal = rest.split('"').nth(1).map(str::to_owned);
        let number = rest.split_once('(').map_or("", |(_, rest)| rest);
        let digits = number
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(number.len());
        let literal = literal.or((digits > 0).then(|| number[..digits].to_owned()));
        return (Some(Fallback::Value), literal);
    }
    let ends = [".expect(", ".unwrap()", "?", ".ok_or", ".context("];
    let is_optional = [".ok()", ".is_ok", ".is_err", "if let Ok"]
        .iter()
        .any(|word| code.contains(word));
    let fallback = if is_optional {
        Some(Fallback::Nothing)
    } else if ends.iter().any(|end| code.contains(end)) {
        Some(Fallback::Ends)
    } else {
        None
    };
    (fallback, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements() {
        let check = |code: &str, expected: &[(&str, Option<Fallback>, Option<&str>)]| {
            let found = uses("a.rs", code);
            let found: Vec<_> = found
                .iter()
                .map(|(key, used)| (*key, used.fallback, used.default.as_deref()))
                .collect();
            assert_eq!(found, expected, "{code}");
        };
        let value = Some(Fallback::Value);
        check(
            "let a = std::env::var(\"TEA\").unwrap_or_else(|_| \"green\".to_string());",
            &[("TEA", value, Some("green"))],
        );
        check(
            "env::var(\"CUPS\").ok().and_then(|it| it.parse().ok()).unwrap_or(4);",
            &[("CUPS", value, Some("4"))],
        );
        check(
            "env::var(\"TEA\")?;",
            &[("TEA", Some(Fallback::Ends), None)],
        );
        check(
            "env::var(\"TEA\").ok();",
            &[("TEA", Some(Fallback::Nothing), None)],
        );
        check("// env::var(\"TEA\")", &[]);
    }
}
