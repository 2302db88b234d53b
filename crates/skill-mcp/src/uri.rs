//! `skill://<name>/<path>`: the addresses of SEP-2640.
//!
//! The skill path is the name alone, so it follows the rules for names and needs no escapes. The
//! file path is percent-encoded as RFC 3986 requires.

use std::fmt::Write as _;

use skill_model::SkillName;

const SCHEME: &str = "skill://";

/// The skill and the path that an address names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// The name of the skill.
    pub(crate) skill: String,
    /// A file or directory of the skill; empty for the skill's directory.
    pub(crate) path: String,
}

/// Returns true if a skill of this name can have an address: the last segment of an address "MUST
/// satisfy the Agent Skills specification's naming rules".
pub(crate) fn is_addressable(name: &str) -> bool {
    SkillName::new(name).is_ok()
}

/// Returns the address of a file or a directory; an empty path means the skill's directory.
pub(crate) fn write(skill: &str, path: &str) -> String {
    let mut res = format!("{SCHEME}{skill}");
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        res.push('/');
        encode(segment, &mut res);
    }
    res
}

/// Returns the address of a skill's `SKILL.md`.
pub(crate) fn skill_md(skill: &str) -> String {
    write(skill, "SKILL.md")
}

/// Parses an address; returns `None` for any other form.
pub(crate) fn parse(uri: &str) -> Option<Address> {
    let rest = uri.strip_prefix(SCHEME)?;
    if rest.contains(['?', '#']) {
        return None;
    }
    let (skill, path) = rest.split_once('/').unwrap_or((rest, ""));
    let segments: Option<Vec<String>> = match path {
        "" => Some(Vec::new()),
        path => path.split('/').map(decode).collect(),
    };
    let segments = segments?;
    let is_bad = |segment: &String| matches!(segment.as_str(), "" | "." | "..");
    if !is_addressable(skill) || segments.iter().any(is_bad) {
        return None;
    }
    Some(Address {
        skill: skill.to_owned(),
        path: segments.join("/"),
    })
}

fn encode(segment: &str, res: &mut String) {
    for byte in segment.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                res.push(char::from(byte));
            }
            _ => {
                let _ = write!(res, "%{byte:02X}");
            }
        }
    }
}

/// Decodes a segment; returns `None` if it contains a hidden separator or NUL, or is not UTF-8.
pub(crate) fn decode(segment: &str) -> Option<String> {
    let mut parts = segment.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_at_checked(2)?;
        let is_hex = hex.bytes().all(|digit| digit.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(hex, 16).ok().filter(|_| is_hex)?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(['/', '\0'])).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(uri: &str, expected: Option<(&str, &str)>) {
        let found = parse(uri);
        let found = found.as_ref().map(|found| (&*found.skill, &*found.path));
        assert_eq!(found, expected, "{uri}");
    }

    #[test]
    fn an_address_leads_back() {
        for path in [
            "SKILL.md",
            "references/a b.md",
            "参考/指标%.md",
            "a+b/c&d",
            "",
        ] {
            let uri = write("a-skill", path);
            check(&uri, Some(("a-skill", path)));
        }
        assert_eq!(write("x", "a b/指"), "skill://x/a%20b/%E6%8C%87");
    }

    #[test]
    fn other_forms_are_rejected() {
        for bad in [
            "",
            "skill://",
            "skill:///SKILL.md",
            "file:///etc/passwd",
            "skill://a/../b",
            "skill://a/%2e%2e/b",
            "skill://a/b%2fc",
            "skill://a/b%00",
            "skill://a/b%",
            "skill://a/b%+1",
            "skill://a/b%ff",
            "skill://a//b",
            "skill://a/b/",
            "skill://a/b?c",
            "skill://a/b#c",
            "skill://A/b",
            "skill://a@b/c",
            "SKILL://a/b",
        ] {
            check(bad, None);
        }
        check("skill://a", Some(("a", "")));
    }
}
