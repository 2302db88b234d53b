//! Ranges of versions as npm reads them
//! ([node-semver](https://github.com/npm/node-semver#ranges)), without their meaning.
//!
//! What is neither a range nor a tag is a path or an error for npm, and one such requirement stops
//! the installation of all others.

/// Returns whether npm takes this as versions of a package in its registry.
pub(crate) fn is_npm_versions(text: &str) -> bool {
    is_tag(text) || text.split("||").all(is_comparators)
}

/// Returns whether this can be a tag, such as `latest`. What ends like an archive is a path.
fn is_tag(text: &str) -> bool {
    let is_archive = [".tgz", ".tar.gz", ".tar"].iter().any(|end| {
        let at = text.len().checked_sub(end.len());
        at.and_then(|at| text.get(at..))
            .is_some_and(|last| last.eq_ignore_ascii_case(end))
    });
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
        && !is_archive
}

/// Returns whether this is what may be between two `||`: `>=1.2 <3`, `1 - 2`, or nothing.
fn is_comparators(text: &str) -> bool {
    if let Some((first, last)) = text.split_once(" - ") {
        return is_version(first.trim()) && is_version(last.trim());
    }
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let version = without_operator(word);
        let is_fit = if version.is_empty() {
            // `>= 1.2`: the version is the next word.
            words.next().is_some_and(is_version)
        } else {
            is_version(version)
        };
        if !is_fit {
            return false;
        }
    }
    true
}

fn without_operator(word: &str) -> &str {
    const OPERATORS: [&str; 8] = ["<=", ">=", "~>", "<", ">", "=", "~", "^"];
    let rest = OPERATORS.iter().find_map(|one| word.strip_prefix(one));
    rest.unwrap_or(word)
}

/// Returns whether this is a version, of which the last numbers may be absent or `x`.
fn is_version(text: &str) -> bool {
    let text = text.strip_prefix(['v', '=']).unwrap_or(text);
    let (text, build) = text.split_once('+').unwrap_or((text, "0"));
    let (numbers, label) = text.split_once('-').unwrap_or((text, "0"));
    let parts: Vec<&str> = numbers.split('.').collect();
    parts.len() <= 3
        && parts.iter().all(|part| is_number(part))
        && is_label(label)
        && is_label(build)
}

fn is_number(text: &str) -> bool {
    /// Digits of the largest number that npm accepts (`Number.MAX_SAFE_INTEGER`).
    const MAX_DIGITS: usize = 15;
    let is_digits = text.chars().all(|c| c.is_ascii_digit());
    matches!(text, "x" | "X" | "*") || is_digits && (1..=MAX_DIGITS).contains(&text.len())
}

fn is_label(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    text.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_tags() {
        for (text, expected) in [
            ("", true),
            ("*", true),
            ("1", true),
            ("1.x", true),
            ("v1.2.3", true),
            ("=1.2.3", true),
            ("^1.2.3-rc.1+build.5", true),
            (">=1.2 <3 || 4.x", true),
            (">= 1.0.0", true),
            ("~> 1.2", true),
            ("1.0.0 - 2.x", true),
            ("1||2 || ", true),
            ("latest", true),
            ("next-11", true),
            ("^^ foo | bar", false),
            ("^^1", false),
            ("1 | 2", false),
            (">=", false),
            ("foo bar", false),
            (".", false),
            ("..", false),
            ("~", false),
            ("evil.tgz", false),
            ("evil.TAR.GZ", false),
            ("1.2.3.4", false),
            ("1.2.3-", false),
            ("1.a", false),
            ("1\n2", false),
            ("@x", false),
            ("a/b", false),
        ] {
            assert_eq!(is_npm_versions(text), expected, "{text}");
        }
    }
}
