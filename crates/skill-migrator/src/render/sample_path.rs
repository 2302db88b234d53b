//! Paths of the author's machine in examples, as paths that anybody recognizes as samples.

/// Directories of one machine; below others (`/etc`, `/tmp`, `/path`) a path means the same everywhere.
const PRIVATE: [&str; 8] = [
    "/app/",
    "/home/",
    "/Users/",
    "/root/",
    "/opt/",
    "/data/",
    "/srv/",
    "/workspace/",
];

/// Returns a value of an example with `/path/to/NAME` and `C:\path\to\NAME` in place of the paths of a
/// machine.
pub(super) fn neutral(text: &str) -> String {
    let mut res = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_start = !res.ends_with(|c: char| c.is_alphanumeric() || "_-.%".contains(c));
        if let Some((path, after)) = is_start
            .then(|| served(rest).or_else(|| private(rest)))
            .flatten()
        {
            res.push_str(&path);
            rest = after;
            continue;
        }
        let mut chars = rest.chars();
        res.extend(chars.next());
        rest = chars.as_str();
    }
    res
}

/// Returns whether a text begins with the path of a file on one machine: `/var/log/x`, `C:\x`, or a URL
/// of it.
pub(super) fn is_absolute(text: &str) -> bool {
    let path = text.strip_prefix("file://").unwrap_or(text);
    let mut chars = path.chars();
    let first = chars.next().unwrap_or_default();
    let second = chars.next().unwrap_or_default();
    let third = chars.next().unwrap_or_default();
    let is_posix = first == '/' && second.is_alphanumeric() && path[1..].contains('/');
    let is_drive = first.is_ascii_alphabetic() && second == ':' && "\\/".contains(third);
    is_posix || is_drive
}

/// Returns the sample for the link of a file server at the start of a text, with its password, and what
/// follows it: `http://host:port/pw=KEY/files/tea/a.mp4`.
fn served(text: &str) -> Option<(String, &str)> {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"))?;
    let end = rest.find(|c: char| c.is_whitespace() || "\"'`,;，；、。）)<>".contains(c));
    let (link, after) = rest.split_at(end.unwrap_or(rest.len()));
    let (_, path) = link.split_once("/pw=")?;
    let name = path.rsplit('/').next().filter(|name| name.contains('.'))?;
    Some((format!("https://example.com/{name}"), after))
}

/// Returns the sample for the path at the start of a text, and what follows it.
fn private(text: &str) -> Option<(String, &str)> {
    let is_end =
        |c: char| c.is_whitespace() || c.is_control() || "\"'`,;|()[]{}<>，；、。）（*".contains(c);
    let end = text.find(is_end).unwrap_or(text.len());
    let (path, after) = text.split_at(end);
    let is_posix = PRIVATE.iter().any(|start| path.starts_with(start));
    let mut chars = path.chars();
    let is_drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && chars.next().is_some_and(|c| "\\/".contains(c));
    if !is_posix && !is_drive {
        return None;
    }
    // As in the source: `\`, `\\` of a text in a text, or `/`.
    let separator = if path.contains("\\\\") {
        "\\\\"
    } else if path.contains('\\') {
        "\\"
    } else {
        "/"
    };
    let parts: Vec<&str> = path
        .split(['\\', '/'])
        .filter(|part| !part.is_empty())
        .collect();
    let (_, parts) = parts.split_first()?;
    let last = parts.last()?;
    let root = if is_drive { "C:" } else { "" };
    let is_place = !last.contains('.') && last.to_lowercase().starts_with("vcp");
    let name = if is_place { "project" } else { last };
    let slash = if path.ends_with(['/', '\\']) {
        separator
    } else {
        ""
    };
    Some((
        format!("{root}{separator}path{separator}to{separator}{name}{slash}"),
        after,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_machine_are_samples() {
        let check = |text: &str, expected: &str| assert_eq!(neutral(text), expected, "{text}");
        check("/app/tea/Plugin/pot.js", "/path/to/pot.js");
        check(
            "http://host:port/pw=KEY/files/tea/pot.mp4, x",
            "https://example.com/pot.mp4, x",
        );
        check("D:/tea/leaves.txt", "C:/path/to/leaves.txt");
        check("H:\\VCP\\VCPToolBox", "C:\\path\\to\\project");
        check(
            "file:///D:/a/b.png, /home/tea/c d",
            "file:///C:/path/to/b.png, /path/to/c d",
        );
        check(
            "url('file:///E:/x/y.woff2')",
            "url('file:///C:/path/to/y.woff2')",
        );
    }

    #[test]
    fn paths_of_files() {
        let check = |text: &str, expected: bool| assert_eq!(is_absolute(text), expected, "{text}");
        check("/var/log/tea.log", true);
        check("file:///home/a.txt,file:///home/b.txt", true);
        check("C:\\tea\\a.txt", true);
        check("D:/tea", true);
        check("/brew", false);
        check("// a / b", false);
        check("logs/tea.log", false);
        check("https://example.com/tea", false);
        check("a: b", false);
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "/path/to/x",
            "/etc/hosts",
            "C:",
            "https://example.com/home/x",
            "ratio 4:3/2",
            "http://a/app/b",
            "./app/x",
        ] {
            assert_eq!(neutral(text), text);
        }
    }
}
