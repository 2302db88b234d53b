//! Marketplaces of all hosts: a directory whose root lists packages below it.

use plugin_model::{Node, parse_json};

use crate::{directory::Directory, files::inside};

/// The files that list packages, relative to the root of a marketplace.
pub const FILES: [&str; 4] = [
    ".claude-plugin/marketplace.json",
    ".agents/plugins/marketplace.json",
    ".cursor-plugin/marketplace.json",
    ".github/plugin/marketplace.json",
];

/// Returns true if a marketplace of any host in this directory lists a package below it.
pub fn lists_below(directory: &dyn Directory) -> bool {
    FILES.iter().any(|file| {
        let bytes = directory.has(file).then(|| directory.read(file));
        bytes.flatten().is_some_and(|bytes| is_list(&bytes))
    })
}

/// Returns true if a source of a marketplace is a directory below it.
fn is_list(marketplace: &[u8]) -> bool {
    let text = std::str::from_utf8(marketplace).unwrap_or_default();
    let root = parse_json(text.trim_start_matches('\u{feff}')).0;
    let plugins = root.as_ref().and_then(|root| root.get("plugins"));
    let mut entries = plugins.map(Node::items).unwrap_or_default().iter();
    entries.any(|entry| {
        let source = entry.get("source");
        let path = source.and_then(|source| source.get("path")).or(source);
        let path = path.and_then(Node::as_str).and_then(inside);
        path.is_some_and(|path| !path.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marketplace: &str, expected: bool) {
        assert_eq!(is_list(marketplace.as_bytes()), expected, "{marketplace}");
    }

    #[test]
    fn a_list_names_a_directory_below() {
        check(r#"{"plugins": [{"source": "./plugins/a"}]}"#, true);
        check(
            r#"{"plugins": [{"source": {"source": "local", "path": "./a"}}]}"#,
            true,
        );
        check(r#"{"plugins": [{"source": "./"}]}"#, false);
        check(
            r#"{"plugins": [{"source": {"source": "github", "repo": "x/y"}}]}"#,
            false,
        );
        check(r#"{"plugins": [{"source": "../elsewhere"}]}"#, false);
        check("[", false);
    }
}
