//! Reading a body for rules: its links and pieces of code.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

/// Links and images of a body.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    /// Destination as written, and the range of the whole link in the body.
    pub(crate) links: Vec<(String, Range<usize>)>,
}

impl Markdown {
    /// Reads a body.
    pub(crate) fn read(body: &str) -> Self {
        let mut res = Self::default();
        // Most bodies have no link, and searching for the bracket costs a hundredth of parsing.
        if !body.contains("](") && !body.contains("]:") {
            return res;
        }
        for (event, range) in Parser::new(body).into_offset_iter() {
            if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                res.links.push((dest_url.into_string(), range));
            }
        }
        res
    }
}

/// Returns the path of a link to a file of the skill: not a URL, without fragment and query,
/// unescaped.
pub(crate) fn local_path(destination: &str) -> Option<String> {
    let path = destination.split(['#', '?']).next().unwrap_or_default();
    let has_scheme = path
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme.bytes().all(|b| b.is_ascii_alphanumeric()));
    if path.is_empty() || has_scheme || path.starts_with("//") || path.contains(['{', '<', '$']) {
        return None;
    }
    Some(percent_decoded(path))
}

fn percent_decoded(path: &str) -> String {
    let mut res = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let decoded = (*first == b'%').then(|| hex_pair(after)).flatten();
        res.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    String::from_utf8(res).unwrap_or_else(|_| path.to_owned())
}

fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let pair = std::str::from_utf8(bytes.get(..2)?).ok()?;
    u8::from_str_radix(pair, 16).ok()
}

/// Returns a relative path without `.` and `..`; `None` if it leaves its start.
pub(crate) fn normalized(path: &str) -> Option<String> {
    if path.starts_with(['/', '~', '\\']) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_links_outside_code() {
        let body =
            "[a](x.md) `[b](y.md)`\n\n```\n[c](z.md)\n```\n![d](e.png) [f][g]\n\n[g]: h.md\n";
        let links: Vec<String> = Markdown::read(body)
            .links
            .into_iter()
            .map(|l| l.0)
            .collect();
        assert_eq!(links, ["x.md", "e.png", "h.md"]);
    }

    #[track_caller]
    fn check(destination: &str, expected: Option<&str>) {
        assert_eq!(local_path(destination).as_deref(), expected);
    }

    #[test]
    fn local_paths_are_no_urls() {
        check("references/a%20b.md#part", Some("references/a b.md"));
        check("https://example.org/a", None);
        check("mailto:a@b.c", None);
        check("#part", None);
        check("//host/a", None);
        check("{{path}}", None);
    }

    #[test]
    fn paths_that_leave_are_nothing() {
        assert_eq!(normalized("./a/../b").as_deref(), Some("b"));
        assert_eq!(normalized("../b"), None);
        assert_eq!(normalized("/etc/passwd"), None);
    }
}
